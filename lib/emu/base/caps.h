/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_BASE_CAPS_H
#define EMU_BASE_CAPS_H

#include "emu/base/dev.h"

/**
 * DOC: Capabilities
 *
 * A profile fills struct emu_caps when a function is created or reset; SET_HCA_CAP can change it.
 * QUERY_HCA_CAP returns a copy of it, and the command handlers read sizes and features from it.
 * Thus they enforce what emu advertises.
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

/*
 * The lkey that ends the segments of a receive WQE, with capability terminate_scatter_list_mkey. No
 * mkey has this number.
 */
enum { EMU_TERMINATE_MKEY = 0x300 };

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

#endif
