/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_BASE_PROFILE_H
#define EMU_BASE_PROFILE_H

#include "emu/base/options.h"
#include "emu/emu.h"

/** enum emu_lag - values of option lag; a bond has EMU_LAG_PORTS ports */
enum emu_lag { EMU_LAG_NONE, EMU_LAG_HASH, EMU_LAG_QUEUE_AFFINITY };
enum { EMU_LAG_PORTS = 2 };

struct emu_caps;
struct prm_flow_table_nic_cap;
struct prm_per_protocol_networking_offload_caps;
struct prm_qos_cap;

/** struct emu_profile - limits and features of a device generation (profile_models.c) */
struct emu_profile {
	struct emu_model model;
	const char *set;             /* NULL, or "option=value,..." */
	struct emu_options options;  /* a profile in use has emu_options_preset, changed by @set */
	uint32_t limit[EMU_N_TYPES]; /* a power of two, or 0; options have the limit of UARs */
	uint8_t log_max_cq_sz, log_max_eq_sz, log_max_wq_sz, log_max_rqt_size, log_max_ft_size;
	uint8_t max_ft_level;
	uint16_t n_rates; /* rate limits with number 0, at most EMU_MAX_RATES */
	bool cqe_compression;
	bool below_max; /* sizes and features below the maximum capabilities */
	bool mlx5ctl;   /* capabilities of profile_mlx5ctl.def */
};

/** emu_profiles - all profiles; the last one has no name */
extern const struct emu_profile emu_profiles[];

/**
 * emu_profile_parse - read the description of a profile
 * @text: name and options: "cx6dx,uar_pages=8"; or NULL
 * @why: receives one line on failure: what is invalid, and what is valid
 * @why_bytes: its size
 *
 * Return: a profile to free(), or NULL
 */
struct emu_profile *emu_profile_parse(const char *text, char *why, size_t why_bytes);

/** emu_profile_log2 - get the number of the highest bit that is 1; of 0: 0 */
static inline uint8_t emu_profile_log2(uint32_t n)
{
	return n ? (uint8_t)(31 - __builtin_clz(n)) : 0;
}

/** emu_profile_fill - write the maximum (@max) or current capabilities to @caps, which is zeroed */
void emu_profile_fill(const struct emu_profile *p, bool max, struct emu_caps *caps);
/** emu_profile_fill_roce - write the capabilities of profile roce */
void emu_profile_fill_roce(struct emu_caps *caps);
/** emu_profile_fill_ethernet - write the capabilities of Ethernet offloads */
void emu_profile_fill_ethernet(const struct emu_profile *p,
			       struct prm_per_protocol_networking_offload_caps *c);
/** emu_profile_fill_flow_tables - write the capabilities of NIC_RX, which alone has flow tables */
void emu_profile_fill_flow_tables(const struct emu_profile *p, struct prm_flow_table_nic_cap *c);
/** emu_profile_fill_qos - write the QoS capabilities, which all profiles share but n_rates */
void emu_profile_fill_qos(const struct emu_profile *p, struct prm_qos_cap *c);

#endif
