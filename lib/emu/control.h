/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_CONTROL_H
#define EMU_CONTROL_H

#include "emu/emu.h"

/**
 * DOC: Control and counters
 *
 * Tests and reports use these functions to read counters, to inject failures of commands and
 * queues, and to change the faults of wires. All but emu_check_wires() take the adapter lock.
 */

/**
 * struct emu_vport_counters - frames that a port sent, received and, by reason, dropped
 *
 * QUERY_VPORT_COUNTER reports the first 12 members one by one. It reports rx_error + rx_oversize
 * as received errors, and tx_oversize as transmit errors. Bytes are without FCS.
 */
struct emu_vport_counters {
	uint64_t rx_uc_packets, rx_uc_bytes, rx_mc_packets, rx_mc_bytes, rx_bc_packets, rx_bc_bytes;
	uint64_t tx_uc_packets, tx_uc_bytes, tx_mc_packets, tx_mc_bytes, tx_bc_packets, tx_bc_bytes;
	uint64_t rx_oversize, tx_oversize;   /* longer than the port's MTU allows */
	uint64_t rx_link_down, tx_link_down; /* while the port was down */
	uint64_t rx_filtered;                /* not addressed to the port (enum emu_mac_filter) */
	uint64_t rx_own;                     /* own frames that local loopback delivered */
	uint64_t rx_own_blocked;             /* own frames: every TIR they reached blocks them */
	uint64_t rx_steering_miss;           /* dropped: no rule matched or forwarded the frame */
	uint64_t rx_dropped;                 /* dropped by the action of the matching rule */
	uint64_t rx_out_of_buffer;           /* the RQ had no buffer */
	uint64_t rx_error;                   /* RQ not in RDY, full CQ, bad WQE, short frame */
};

/**
 * struct emu_wire_faults - number of frames that a wire dropped, duplicated and so on
 *
 * dropped includes frames lost because 64 MiB of frames were already waiting, memory ran out, or
 * the netdev at the other end was down.
 */
struct emu_wire_faults {
	uint64_t dropped, duplicated, reordered, corrupted, delayed;
};

/** struct emu_traffic - frames of a port, summed over all adapters that share this struct */
struct emu_traffic {
	struct emu_vport_counters vport;
	struct emu_wire_faults wire;
};

/**
 * struct emu_pcie_counters - PCIe transfers that an adapter would make (queue/pcie.h)
 * @sq_doorbells: 8-byte writes to a send doorbell register
 * @cq_doorbells: 8-byte writes to the arm doorbell of CQs
 * @blueflames: WQEBBs that the driver copied to a send doorbell register, 64 bytes each
 * @record_reads: doorbell records of queues that the device read, 4 bytes each
 * @send_wqe_reads: read requests for WQEBBs of SQs
 * @receive_wqe_reads: read requests for WQEs of RQs
 * @data_reads: read requests for frames to send
 * @data_writes: memory writes for received frames
 * @cqe_writes: memory writes for CQEs, EMU_CQE_BYTES each
 * @send_wqe_bytes, @receive_wqe_bytes, @data_read_bytes, @data_write_bytes: bytes that these
 *	requests move, without PCIe headers
 */
struct emu_pcie_counters {
#define EMU_CQE_BYTES 64
	uint64_t sq_doorbells, cq_doorbells, blueflames, record_reads;
	uint64_t send_wqe_reads, send_wqe_bytes, receive_wqe_reads, receive_wqe_bytes;
	uint64_t data_reads, data_read_bytes, data_writes, data_write_bytes;
	uint64_t cqe_writes;
};

struct emu_counters {
	uint64_t n_commands;             /* since the adapter was created, including refused ones */
	uint64_t n_objects[EMU_N_TYPES]; /* user contexts, and objects whose uid is not 0 */
	struct emu_vport_counters vport;
	struct emu_wire_faults wire;
	struct emu_pcie_counters pcie;
};

/**
 * emu_read_counters - read all counters of a function
 * @own_uid: the front's own user context, not counted in n_objects[EMU_UCTX]; 0: none
 */
void emu_read_counters(struct emu *emu, uint16_t own_uid, struct emu_counters *c);

/** emu_set_paused - pause or resume the engine thread; emu_poll() works all the same */
void emu_set_paused(struct emu_adapter *a, bool paused);

/**
 * emu_set_option - set an option of the profile of all ports (options.def)
 *
 * Later commands obey the new value, and the clock registers show it at once. Capabilities that
 * SET_HCA_CAP changed revert to those of the profile. ts_format and real_time change the clock
 * frequency, so the free-running clock jumps.
 *
 * Return: the previous value, or -EINVAL: no such option, or @value is too large
 */
int64_t emu_set_option(struct emu_adapter *a, const char *name, uint32_t value);

/** enum emu_clock - how the clock of an adapter runs (base/clock.h) */
enum emu_clock {
	EMU_CLOCK_REAL,    /* with the machine's clock */
	EMU_CLOCK_HELD,    /* stands still; only emu_set_clock() advances it */
	EMU_CLOCK_STEPPED, /* as HELD, but the engine thread also advances it while idle */
};

/**
 * emu_set_clock - set how the clock of an adapter runs, and advance it by @ns
 *
 * The clock register shows the new time at once; the next turn of the engine acts on it.
 *
 * Return: the new time in ns, never earlier than a previous one
 */
uint64_t emu_set_clock(struct emu_adapter *a, enum emu_clock clock, uint64_t ns);

/**
 * emu_fail_command - make one later command fail
 * @k: number of commands that succeed before it; < 0: cancel the failure
 * @status: status of the failed command, an enum prm_status
 */
void emu_fail_command(struct emu *emu, int64_t k, uint8_t status);

/** emu_fail_pending - number of commands before the one that will fail; < 0: none will fail */
int64_t emu_fail_pending(struct emu *emu);

/**
 * emu_set_command_time - set how long each later command takes, in ns; 0: no added delay
 *
 * The command executes halfway through. The data path keeps running, as on an adapter.
 */
void emu_set_command_time(struct emu *emu, uint64_t ns);

/**
 * emu_hold_commands - hold each later command before it runs
 * @n: number of held commands to release now; < 0: release all, and hold no later ones
 *
 * The data path keeps running, as on an adapter with slow firmware.
 *
 * Return: number of commands still held
 */
unsigned emu_hold_commands(struct emu *emu, int n);

/**
 * emu_fail_queue - move a queue to error state, as a failed WQE would
 * @type: EMU_SQ, EMU_RQ or EMU_CQ. A CQ stays failed, and its SQs and RQs fail with it
 * @id: number of the queue
 *
 * Return: 0, or -EINVAL: no such queue, or another @type
 */
int emu_fail_queue(struct emu *emu, enum emu_type type, uint32_t id);

/** emu_age_counters - add @n lost frames to each queue counter, as a long run would */
void emu_age_counters(struct emu *emu, uint32_t n);

/**
 * emu_evict_cqes - evict the rings of all CQs of a function from the caches of all CPUs
 *
 * Return: number of bytes evicted, or -ENOTSUP: this processor has no instruction for it
 */
int64_t emu_evict_cqes(struct emu *emu);

/**
 * emu_record_wqes - start to copy each send WQE that a function executes to a buffer
 * @to: @bytes bytes, in use until the next call; NULL: only stop the previous record
 *
 * Each WQE has the length in its ds field. The record skips failed and flushed WQEs, and ends
 * before a WQE that does not fit.
 *
 * Return: number of bytes in the previous record
 */
size_t emu_record_wqes(struct emu *emu, void *to, size_t bytes);

/**
 * emu_check_wires - check the descriptions of all wires, without opening a file or a netdev
 * @cfg: only n_ports and port[].wire are read
 * @why: receives one line on failure
 * @why_bytes: size of @why
 *
 * emu_adapter_create() checks the rest: a wire's argument, and options that only its kind has.
 *
 * Return: 0, or -EINVAL: unknown kind; description too long; too many options; an option that is
 * invalid or given twice; or a "pair" whose other end is missing or has another wire
 */
int emu_check_wires(const struct emu_config *cfg, char *why, size_t why_bytes);

/**
 * emu_set_wire_faults - replace the faults of a wire
 * @emu: the function at the wire
 * @options: "drop=1/100,seed=7"; "" removes all faults
 * @why: receives one line on -EINVAL
 * @why_bytes: its size
 *
 * Frames that the old faults held back are lost. Option pause is accepted without effect.
 *
 * Return: 0; -EINVAL: @options are invalid, and the old faults stay; -ENOMEM: the wire has no
 * faults any more
 */
int emu_set_wire_faults(struct emu *emu, const char *options, char *why, size_t why_bytes);

#endif
