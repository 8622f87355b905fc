/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_CONTROL_H
#define EMU_CONTROL_H

#include "emu/emu.h"

/**
 * DOC: Control and counters
 *
 * Tests and reports read counters, make commands and queues fail, and change the faults of
 * wires. Each function except emu_check_wires() takes the adapter lock itself.
 */

/**
 * struct emu_vport_counters - frames of a port, and frames that the port dropped by reason
 *
 * QUERY_VPORT_COUNTER reports the first 12 members one by one. It reports rx_error + rx_oversize
 * as received errors, and tx_oversize as transmit errors. Bytes are without FCS.
 */
struct emu_vport_counters {
	uint64_t rx_uc_packets, rx_uc_bytes, rx_mc_packets, rx_mc_bytes, rx_bc_packets, rx_bc_bytes;
	uint64_t tx_uc_packets, tx_uc_bytes, tx_mc_packets, tx_mc_bytes, tx_bc_packets, tx_bc_bytes;
	uint64_t rx_oversize, tx_oversize;   /* longer than the port's MTU allows */
	uint64_t rx_link_down, tx_link_down; /* while the port was down */
	uint64_t rx_filtered;                /* the switch before the port kept the frame */
	uint64_t rx_own;                     /* own frames that local loopback delivered */
	uint64_t rx_own_blocked;             /* own frames that only TIRs which block them match */
	uint64_t rx_steering_miss;           /* no rule matched or forwarded the frame: dropped */
	uint64_t rx_dropped;                 /* the rule that matched says drop */
	uint64_t rx_out_of_buffer;           /* the RQ had no buffer */
	uint64_t rx_error;                   /* RQ not in RDY, full CQ, bad WQE, short frame */
};

/**
 * struct emu_wire_faults - number of frames that had each fault of a wire
 *
 * dropped includes frames that were lost because 64 MiB of frames waited, memory was missing, or
 * the netdev at the other end was down.
 */
struct emu_wire_faults {
	uint64_t dropped, duplicated, reordered, corrupted, delayed;
};

/** struct emu_traffic - a port's frames, summed over every adapter that was given this struct */
struct emu_traffic {
	struct emu_vport_counters vport;
	struct emu_wire_faults wire;
};

/**
 * struct emu_pcie_counters - transfers over PCIe, as an adapter would make them (queue/pcie.h)
 * @sq_doorbells: 8-byte writes to a send doorbell register
 * @cq_doorbells: 8-byte writes to the arm doorbell of CQs
 * @blueflames: WQEBBs that the driver copied to a send doorbell register, 64 bytes each
 * @record_reads: doorbell records of queues that the device read, 4 bytes each
 * @send_wqe_reads: read requests for WQEBBs of SQs
 * @receive_wqe_reads: read requests for WQEs of RQs
 * @data_reads: read requests for frames to send
 * @data_writes: memory writes for received frames
 * @cqe_writes: memory writes for CQEs, EMU_CQE_BYTES each
 * @send_wqe_bytes, @receive_wqe_bytes, @data_read_bytes, @data_write_bytes: the bytes of the
 *	others, without headers of PCIe
 */
struct emu_pcie_counters {
#define EMU_CQE_BYTES 64
	uint64_t sq_doorbells, cq_doorbells, blueflames, record_reads;
	uint64_t send_wqe_reads, send_wqe_bytes, receive_wqe_reads, receive_wqe_bytes;
	uint64_t data_reads, data_read_bytes, data_writes, data_write_bytes;
	uint64_t cqe_writes;
};

/** struct emu_counters - counters of one function */
struct emu_counters {
	uint64_t n_commands;             /* since the adapter was created, with refused ones */
	uint64_t n_objects[EMU_N_TYPES]; /* user contexts, and objects whose uid is not 0 */
	struct emu_vport_counters vport;
	struct emu_wire_faults wire;
	struct emu_pcie_counters pcie;
};

/**
 * emu_read_counters - read all counters of a function
 * @own_uid: user context of the front itself, which n_objects[EMU_UCTX] leaves out; 0: none
 */
void emu_read_counters(struct emu *emu, uint16_t own_uid, struct emu_counters *c);

/** emu_set_paused - stop or continue the turns of the engine's thread; emu_poll() still works */
void emu_set_paused(struct emu_adapter *a, bool paused);

/**
 * emu_set_option - set an option of the profile of all ports (options.def)
 *
 * The clock registers show the clock of the changed profile at once.
 *
 * Commands obey the new value from now on. A capability that SET_HCA_CAP changed gets the value of
 * the profile again. ts_format and real_time change the frequency, so the free-running clock jumps.
 *
 * Return: the value before; -EINVAL: no such option, or the value is too large
 */
int64_t emu_set_option(struct emu_adapter *a, const char *name, uint32_t value);

/** enum emu_clock - how the time of an adapter passes (base/clock.h) */
enum emu_clock {
	EMU_CLOCK_REAL,    /* as that of the machine */
	EMU_CLOCK_HELD,    /* not at all: only emu_set_clock() moves it */
	EMU_CLOCK_STEPPED, /* as HELD; the engine's thread also moves it when it has no work */
};

/**
 * emu_set_clock - choose how the time of an adapter passes from now on, and move it by @ns
 *
 * The clock register shows the new time at once; the next turn of the engine acts on it.
 *
 * Return: the new time in ns. It is never before an earlier one
 */
uint64_t emu_set_clock(struct emu_adapter *a, enum emu_clock clock, uint64_t ns);

/**
 * emu_fail_command - make one later command fail
 * @k: 0: the next command, 1: the one after it; < 0: no command fails
 * @status: its status, an enum prm_status
 */
void emu_fail_command(struct emu *emu, int64_t k, uint8_t status);

/** emu_fail_pending - read the @k that emu_fail_command() would need now; < 0: none will fail */
int64_t emu_fail_pending(struct emu *emu);

/**
 * emu_set_command_time - set how long each later command takes; 0: no longer than its work
 *
 * The command runs in the middle of the time. The data path continues, as with a real firmware.
 */
void emu_set_command_time(struct emu *emu, uint64_t ns);

/**
 * emu_hold_commands - hold each later command before it runs
 * @n: at most @n of the held commands run; < 0: all run, and no later one is held
 *
 * The data path continues, as with a slow firmware.
 *
 * Return: number of commands that are still held
 */
unsigned emu_hold_commands(struct emu *emu, int n);

/**
 * emu_fail_queue - move a queue to the error state, as after a failed WQE
 * @type: EMU_SQ, EMU_RQ or EMU_CQ. The SQs and RQs of a CQ fail with it, and a CQ stays failed
 * @id: its number
 *
 * Return: 0, or -EINVAL: no such queue, or @type is another one
 */
int emu_fail_queue(struct emu *emu, enum emu_type type, uint32_t id);

/** emu_age_counters - add @n lost frames to each queue counter, as if a long time had passed */
void emu_age_counters(struct emu *emu, uint32_t n);

/**
 * emu_evict_cqes - evict the rings of all CQs of a function from the caches of all CPUs
 *
 * Return: number of bytes evicted, or -ENOTSUP: no instruction for it on this processor
 */
int64_t emu_evict_cqes(struct emu *emu);

/**
 * emu_record_wqes - copy each send WQE that a function executes to @to; NULL: stop
 * @to: room for @bytes bytes, until the next call. A WQE that does not fit ends the record
 *
 * A WQE takes as many bytes as its ds says. Failed and flushed WQEs are left out.
 *
 * Return: number of bytes that the record before has
 */
size_t emu_record_wqes(struct emu *emu, void *to, size_t bytes);

/**
 * emu_check_wires - check the descriptions of all wires, without opening a file or a netdev
 * @cfg: n_ports and port[].wire are read, and nothing else
 * @why: receives one line on failure
 * @why_bytes: size of @why
 *
 * Does not check the argument, and the options that only one kind of wire has;
 * emu_adapter_create() does.
 *
 * Return: 0, or -EINVAL: unknown kind; description too long; too many options; an option that is
 * invalid or given twice; or a "pair" whose other end is missing or has another wire
 */
int emu_check_wires(const struct emu_config *cfg, char *why, size_t why_bytes);

/**
 * emu_set_wire_faults - replace the faults of a wire
 * @emu: the function whose wire it is
 * @options: "drop=1/100,seed=7"; "" removes all faults
 * @why: receives one line on -EINVAL
 * @why_bytes: its size
 *
 * Frames that the old faults held back are lost. Option pause is accepted without effect.
 *
 * Return: 0, -EINVAL: @options are invalid, the old faults stay; -ENOMEM: the old faults are gone
 */
int emu_set_wire_faults(struct emu *emu, const char *options, char *why, size_t why_bytes);

#endif
