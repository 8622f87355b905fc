/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_BASE_PROFILE_H
#define EMU_BASE_PROFILE_H

#include "emu/emu.h"

struct emu_caps;

/** struct emu_profile - limits and features of a device generation (profile_*.c) */
struct emu_profile {
	struct emu_model model;
	uint32_t limit[EMU_N_TYPES]; /* objects of a type at most: 2^n, or 0 */
	uint8_t log_max_cq_sz, log_max_eq_sz, log_max_wq_sz, log_max_rqt_size, log_max_ft_size;
	uint8_t max_ft_level;
	bool cqe_compression;
	/* fill in @caps (zeroed) as QUERY_HCA_CAP returns them, current or maximal */
	void (*fill)(const struct emu_profile *profile, bool max, struct emu_caps *caps);
};

/** emu_profile_find - by name; NULL if there is none */
const struct emu_profile *emu_profile_find(const char *name);
/** emu_profile_names - "cx6dx, small...": for messages */
const char *emu_profile_names(void);

/** emu_profile_cx6dx - a ConnectX-6 Dx, as far as emu models it */
extern const struct emu_profile emu_profile_cx6dx;
/** emu_profile_small - the same with tiny limits: catches a driver that assumes large ones */
extern const struct emu_profile emu_profile_small;
/** emu_profile_roce - emu_profile_cx6dx with what a kernel does to start RoCE, and no transport */
extern const struct emu_profile emu_profile_roce;

#endif
