/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_CONTROL_H
#define EMU_CONTROL_H

#include "emu/emu.h"

/**
 * DOC: Control and counters
 *
 * What tests and reports ask of an adapter: counters, failures on demand, wires that lose
 * frames. Each function takes the adapter's lock itself.
 */

/** struct emu_vport_counters - what QUERY_VPORT_COUNTER reports, and why frames were dropped */
struct emu_vport_counters {
	uint64_t rx_uc_packets, rx_uc_bytes, rx_mc_packets, rx_mc_bytes, rx_bc_packets, rx_bc_bytes;
	uint64_t tx_uc_packets, tx_uc_bytes, tx_mc_packets, tx_mc_bytes, tx_bc_packets, tx_bc_bytes;
	uint64_t rx_oversize, tx_oversize;   /* beyond the port's MTU */
	uint64_t rx_link_down, tx_link_down; /* while the port was down */
	uint64_t rx_steering_miss;           /* no rule; the kernel's netdev would have had it */
	uint64_t rx_dropped;                 /* a rule said drop */
	uint64_t rx_out_of_buffer;           /* no RQ buffer */
	uint64_t rx_error;                   /* RQ or CQ in error */
};

/** struct emu_wire_faults - what the faults of a wire did to frames */
struct emu_wire_faults {
	uint64_t dropped, duplicated, reordered, corrupted, delayed;
};

/** struct emu_traffic - a port's frames, summed over every adapter that was given this struct */
struct emu_traffic {
	struct emu_vport_counters vport;
	struct emu_wire_faults wire;
};

/** struct emu_counters - a function at one moment */
struct emu_counters {
	uint64_t n_commands;             /* executed since power on of the adapter */
	uint64_t n_objects[EMU_N_TYPES]; /* of user contexts (uid not 0), the contexts too */
	struct emu_vport_counters vport;
	struct emu_wire_faults wire;
};

/**
 * emu_read_counters - all counters of a function
 * @own_uid: a user context of the front itself: not counted in n_objects[EMU_UCTX]; 0: none
 */
void emu_read_counters(struct emu *emu, uint16_t own_uid, struct emu_counters *c);

/** emu_set_paused - stop the engine's turns, or let them go on; emu_poll() still works */
void emu_set_paused(struct emu_adapter *a, bool paused);

/** emu_fail_command - the @k-th command from now on (0: the next) fails with @status; < 0: none */
void emu_fail_command(struct emu *emu, int64_t k, uint8_t status);
/** emu_fail_pending - how many commands until that one; < 0: none waits */
int64_t emu_fail_pending(struct emu *emu);

/**
 * emu_fail_queue - put a queue into the error state, as after a failed WQE
 * @type: EMU_SQ or EMU_RQ
 * @id: its number
 *
 * Return: 0, or -EINVAL: no such queue
 */
int emu_fail_queue(struct emu *emu, enum emu_type type, uint32_t id);

/**
 * emu_check_wires - check the descriptions of all wires, without opening a file or a netdev
 * @cfg: n_ports and port[].wire are read, and nothing else
 * @why: receives one line on failure
 * @why_bytes: size of @why
 *
 * Does not check the options that only one kind of wire has; emu_adapter_create() does.
 *
 * Return: 0, or -EINVAL: unknown kind, wrong option, an option given twice, or a "pair" whose
 * other end is missing or has another wire
 */
int emu_check_wires(const struct emu_config *cfg, char *why, size_t why_bytes);

/**
 * emu_set_wire_faults - another bad cable, or a good one
 * @emu: the function whose wire it is
 * @options: "drop=1/100,seed=7"; "" is a good cable
 * @why: receives one line on -EINVAL
 * @why_bytes: its size
 *
 * Frames that the old cable held back are lost.
 *
 * Return: 0, -EINVAL: @options are wrong, -ENOMEM
 */
int emu_set_wire_faults(struct emu *emu, const char *options, char *why, size_t why_bytes);

#endif
