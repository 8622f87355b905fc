/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_COUNTERS_H
#define EMU_COUNTERS_H

#include <stdint.h>

/** enum devx_emu_object - type of a firmware object; indexes devx_emu_counters.objects */
enum devx_emu_object {
	DEVX_EMU_UCTX,
	DEVX_EMU_UAR,
	DEVX_EMU_PD,
	DEVX_EMU_TD,
	DEVX_EMU_UMEM,
	DEVX_EMU_MKEY,
	DEVX_EMU_EQ,
	DEVX_EMU_CQ,
	DEVX_EMU_SQ,
	DEVX_EMU_RQ,
	DEVX_EMU_RMP,
	DEVX_EMU_TIS,
	DEVX_EMU_TIR,
	DEVX_EMU_RQT,
	DEVX_EMU_Q_COUNTER,
	DEVX_EMU_FLOW_TABLE,
	DEVX_EMU_FLOW_COUNTER,
	DEVX_EMU_XRCD,
	DEVX_EMU_SRQ,
	DEVX_EMU_QP,
	DEVX_EMU_N_OBJECTS,
	DEVX_EMU_MAX_OBJECTS = 32, /* size of the array; has room for future types */
};

/**
 * struct devx_emu_counters - objects that exist on a port, and events since power-on
 * @contexts: open uverbs files of the port
 * @handles: uverbs objects in these files: PDs, MRs, UARs, DEVX objects, flows, event channels...
 * @objects: firmware objects that user contexts own, by enum devx_emu_object; excludes objects of
 *           the emulated kernel (EQs, flow tables of flows, memory keys of MRs)
 * @flows: uverbs flows, receive and send
 * @commands: firmware commands executed, including those that the emulated kernel sends by itself
 * @ioctls: uverbs ioctls on all ports
 * @mmaps: mmap() calls on uverbs files of all ports
 * @mistakes: protocol mistakes of every kind, on all ports, by all processes of the launch
 *
 * The members after @mistakes repeat QUERY_VPORT_COUNTER, and count dropped frames by reason and
 * wire faults. From @sq_doorbells on, they count the PCIe transfers that an adapter would need for
 * the same work; bytes exclude headers (doc/emu.md, "Account of PCIe").
 * @rx_filtered counts frames that the switch in front of the port did not forward to it; @rx_own
 * and @rx_own_blocked count own frames that local loopback delivered, or that TIRs blocked.
 */
struct devx_emu_counters {
	uint64_t contexts, handles;
	uint64_t objects[DEVX_EMU_MAX_OBJECTS];
	uint64_t flows;
	uint64_t commands, ioctls, mmaps, mistakes;

	uint64_t rx_uc_packets, rx_uc_bytes, rx_mc_packets, rx_mc_bytes, rx_bc_packets, rx_bc_bytes;
	uint64_t tx_uc_packets, tx_uc_bytes, tx_mc_packets, tx_mc_bytes, tx_bc_packets, tx_bc_bytes;
	uint64_t rx_oversize, tx_oversize, rx_steering_miss, rx_dropped;
	uint64_t rx_out_of_buffer, rx_error;

	uint64_t wire_dropped, wire_duplicated, wire_reordered, wire_corrupted, wire_delayed;
	uint64_t rx_link_down, tx_link_down;

	uint64_t sq_doorbells, cq_doorbells, blueflames, record_reads;
	uint64_t send_wqe_reads, send_wqe_bytes, receive_wqe_reads, receive_wqe_bytes;
	uint64_t data_reads, data_read_bytes, data_writes, data_write_bytes;
	uint64_t cqe_writes, cqe_write_bytes;

	uint64_t rx_filtered, rx_own, rx_own_blocked;
};

#endif
