/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_CLOCKS_H
#define EMU_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "prm/values.h"

/** DOC: Clocks of devices, as options of emu's profile, and the times that they show */

/**
 * struct emu_clocks_row - a device
 * @ts_format, @real_time: the options of these names
 * @is_real_time: time stamps are those of the real-time clock
 */
struct emu_clocks_row {
	const char *name;
	uint32_t ts_format, real_time;
	bool is_real_time;
};

enum { EMU_CLOCKS_BOTH = 2, EMU_CLOCKS_BOTH_IN_REAL_TIME_MODE = 3 };

static const struct emu_clocks_row emu_clocks_rows[] = {
	{ "free_running", PRM_HCA_CAP_TS_FORMAT_FREE_RUNNING, 0, false },
	{ "real_time", PRM_HCA_CAP_TS_FORMAT_REAL_TIME, 0, true },
	[EMU_CLOCKS_BOTH] = { "both", PRM_HCA_CAP_TS_FORMAT_FREE_RUNNING_AND_REAL_TIME, 0, false },
	[EMU_CLOCKS_BOTH_IN_REAL_TIME_MODE] = { "both_in_real_time_mode",
						PRM_HCA_CAP_TS_FORMAT_FREE_RUNNING_AND_REAL_TIME, 1,
						true },
};

/** emu_clocks_convert - get what the clock of time stamps shows at @ns of emu's clock */
static inline uint64_t emu_clocks_convert(const struct emu_clocks_row *device, uint64_t ns)
{
	/* cycles of 6.4 ns; or ns since 1970 of a clock that gains 1 ns each 1000 ns */
	return device->is_real_time ? 1700000000000000000 + ns + ns / 1000 : ns * 5 / 32;
}

#endif
