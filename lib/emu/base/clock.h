/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_BASE_CLOCK_H
#define EMU_BASE_CLOCK_H

#include "emu/base/dev.h"

/** emu_read_stamp - time stamp of a CQE that the device writes now, in the format of the device */
static inline uint64_t emu_read_stamp(const struct emu_adapter *a)
{
	return a->model->real_time ? emu_real_time_of(a->now_ns)
				   : emu_clock_of(a->model, a->now_ns);
}

#endif
