/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_BASE_PROFILE_H
#define EMU_BASE_PROFILE_H

#include "emu/base/dev.h"
#include "emu/base/options.h"

/**
 * DOC: Capabilities
 *
 * A profile fills struct emu_caps when a function is created or reset; SET_HCA_CAP can change it.
 * QUERY_HCA_CAP returns a copy, and the command handlers check against the same struct. emu thus
 * enforces exactly what it advertises.
 */
struct emu_caps {
	struct prm_cmd_hca_cap general;
	struct prm_cmd_hca_cap_2 general_2;
	struct prm_per_protocol_networking_offload_caps eth;
	struct prm_flow_table_nic_cap flow;
	struct prm_roce_cap roce;
	struct prm_qos_cap qos;
	struct prm_device_event_cap event;
};

/* Units that more than one command uses */
enum {
	EMU_ADAPTER_PAGE_SHIFT = 12, /* log_page_size 0 of a queue or a umem means 4 KiB */
	EMU_PAGE_QUANTA = 64,        /* page_offset of a queue counts 64ths of a page */
};

/* With capability terminate_scatter_list_mkey, this lkey ends the segments of a receive WQE. */
enum { EMU_TERMINATE_MKEY = 0x300 }; /* no mkey has this number */

/** emu_cap - value of a current general capability; @field as Linux names it */
#define emu_cap(emu, field) prm_get(&(emu)->caps->general, field)
/** emu_eth_cap - value of a current Ethernet capability */
#define emu_eth_cap(emu, field) prm_get(&(emu)->caps->eth, field)
/** emu_roce_cap - value of a current RoCE capability; 0 in a profile without RoCE */
#define emu_roce_cap(emu, field) prm_get(&(emu)->caps->roce, field)
/** emu_qos_cap - value of a current QoS capability */
#define emu_qos_cap(emu, field) prm_get(&(emu)->caps->qos, field)
/** emu_rx_flow_cap - value of a current capability of NIC_RX flow tables */
#define emu_rx_flow_cap(emu, field)                                                                \
	prm_get(prm_sub(&(emu)->caps->flow, flow_table_properties_nic_receive), field)

/** enum emu_lag - values of option lag; a bond has EMU_LAG_PORTS ports */
enum emu_lag { EMU_LAG_NONE, EMU_LAG_HASH, EMU_LAG_QUEUE_AFFINITY };
enum { EMU_LAG_PORTS = 2 };

/** struct emu_profile - limits and features of a device generation (profile_models.c) */
struct emu_profile {
	struct emu_model model;
	const char *set;             /* NULL, or "option=value,..." */
	struct emu_options options;  /* set by emu_profile_parse(): presets, @set, user's options */
	uint32_t limit[EMU_N_TYPES]; /* a power of two, or 0; options.uar_pages limits UARs */
	uint8_t log_max_cq_sz, log_max_eq_sz, log_max_wq_sz, log_max_rqt_size, log_max_ft_size;
	uint8_t max_ft_level;
	uint16_t n_rates; /* entries of the rate table, including entry 0; up to EMU_MAX_RATES */
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

/** emu_profile_log2 - floor of log2(@n); 0 for 0 */
static inline uint8_t emu_profile_log2(uint32_t n)
{
	return n ? (uint8_t)(31 - __builtin_clz(n)) : 0;
}

/** emu_profile_fill - write the maximum (@max) or current capabilities to @caps, which is zeroed */
void emu_profile_fill(const struct emu_profile *p, bool max, struct emu_caps *caps);
void emu_profile_fill_roce(struct emu_caps *caps);
void emu_profile_fill_ethernet(const struct emu_profile *p,
			       struct prm_per_protocol_networking_offload_caps *c);
/** emu_profile_fill_flow_tables - fills those of NIC_RX only; emu has no other flow tables */
void emu_profile_fill_flow_tables(const struct emu_profile *p, struct prm_flow_table_nic_cap *c);
/** emu_profile_fill_qos - writes the same in all profiles, apart from n_rates */
void emu_profile_fill_qos(const struct emu_profile *p, struct prm_qos_cap *c);

#endif
