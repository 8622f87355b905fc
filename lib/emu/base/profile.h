/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_BASE_PROFILE_H
#define EMU_BASE_PROFILE_H

#include "emu/emu.h"

struct emu_caps;
struct prm_flow_table_fields_supported;
struct prm_qos_cap;

/** struct emu_profile - limits and features of a device generation (profile_*.c) */
struct emu_profile {
	struct emu_model model;
	uint32_t limit[EMU_N_TYPES]; /* maximum number of objects per type: a power of two, or 0 */
	uint8_t log_max_cq_sz, log_max_eq_sz, log_max_wq_sz, log_max_rqt_size, log_max_ft_size;
	uint8_t max_ft_level;
	uint16_t n_rates; /* rate limits with number 0, at most EMU_MAX_RATES */
	bool cqe_compression;
	/* Writes the maximum (@max) or current capabilities to @caps, which is zeroed. */
	void (*fill)(const struct emu_profile *profile, bool max, struct emu_caps *caps);
};

/** emu_profile_find - find a profile by its name. Return: the profile, or NULL: no such name */
const struct emu_profile *emu_profile_find(const char *name);
/** emu_profile_names - names of all profiles in one string, for messages */
const char *emu_profile_names(void);

/** emu_profile_fill_roce - write the capabilities of profile roce */
void emu_profile_fill_roce(struct emu_caps *caps);
/** emu_profile_fill_match - write the fields that a match of a flow table may have */
void emu_profile_fill_match(struct prm_flow_table_fields_supported *f);
/** emu_profile_fill_qos - write the QoS capabilities, which all profiles share but n_rates */
void emu_profile_fill_qos(const struct emu_profile *p, struct prm_qos_cap *c);

/** emu_profile_cx6dx - a ConnectX-6 Dx with the features that emu models */
extern const struct emu_profile emu_profile_cx6dx;
/** emu_profile_small - cx6dx with tiny limits and no CQE compression, to test drivers */
extern const struct emu_profile emu_profile_small;
/** emu_profile_roce - cx6dx with what a kernel needs to start RoCE; without transport */
extern const struct emu_profile emu_profile_roce;
/** emu_profile_vf - a virtual function of a ConnectX-6 Dx, with the features of cx6dx */
extern const struct emu_profile emu_profile_vf;

#endif
