/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_EMU_H
#define EMU_EMU_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/host.h"
#include "emu/mistake.h"
#include "emu/model.h"

/**
 * DOC: A software ConnectX
 *
 *     adapter ----- port 0 = one PCI function: firmware, objects, vport, wire
 *        |   '----- port 1
 *        '--------- one lock, one engine
 *
 * A front passes firmware commands (emu_exec) and doorbells to the adapter. The adapter calls the
 * front for DMA and interrupts (struct emu_host_ops). The engine is a function, emu_poll();
 * emu_engine_start() starts a thread that calls it. The functions below take the adapter lock
 * themselves if they need it.
 */

struct emu_adapter;
struct emu;

enum {
	EMU_MAX_PORTS = 8,
	EMU_TRACE_BYTES = 1000, /* size of a trace line with its terminating 0 */
};

/* types of firmware objects; the core has one table per type */
enum emu_type {
	EMU_UCTX,
	EMU_UAR,
	EMU_PD,
	EMU_TD,
	EMU_UMEM,
	EMU_MKEY,
	EMU_EQ,
	EMU_CQ,
	EMU_SQ,
	EMU_RQ,
	EMU_RMP,
	EMU_TIS,
	EMU_TIR,
	EMU_RQT,
	EMU_Q_COUNTER,
	EMU_FLOW_TABLE,
	EMU_FLOW_COUNTER,
	EMU_XRCD,
	EMU_SRQ,
	EMU_QP,
	EMU_N_TYPES
};

struct emu_port_config {
	const struct emu_host_ops *ops;
	void *host;       /* first argument of ops */
	const char *wire; /* "loop", "pair", "sink", "tap:NAME"...: wire/wire.h */
	uint8_t mac[EMU_MAC_BYTES];
	uint16_t mtu;       /* MTU of the netdev, in bytes; frames have at most mtu + 22 with FCS */
	uint32_t first_uar; /* number of the first UAR; 0: the core chooses */
	struct emu_traffic *traffic; /* NULL, or sums that outlive the adapter (control.h) */
};

struct emu_config {
	const char *profile; /* "cx6dx", or with options: "cx6dx,uar_pages=8" (options.def) */
	unsigned n_ports;    /* 1..EMU_MAX_PORTS */
	struct emu_port_config port[EMU_MAX_PORTS];
	struct emu_mistakes *mistakes;              /* NULL, or counts that outlive the adapter */
	void (*trace)(void *arg, const char *line); /* gets each trace line without '\n'; or NULL */
	void *trace_arg;
	/* the engine writes the registers of struct emu_clocks here at each turn; or both NULL */
	uint64_t *timer, *real_time;
};

/**
 * emu_adapter_create - create an adapter and power it on
 * @cfg: copied
 * @why: receives one line on failure: what is invalid, and what is valid
 * @why_bytes: its size
 *
 * Return: the adapter, or NULL
 */
struct emu_adapter *emu_adapter_create(const struct emu_config *cfg, char *why, size_t why_bytes);

/** emu_adapter_destroy - power off: stop the engine, close the wires, free every object */
void emu_adapter_destroy(struct emu_adapter *a);

/** emu_port - get the function of port @i, or NULL if there is no such port */
struct emu *emu_port(struct emu_adapter *a, unsigned i);

/**
 * emu_exec - execute one firmware command
 * @emu: the function
 * @in: input mailbox, big-endian, with opcode and uid in its first dword
 * @in_bytes: exact length of the input
 * @out: receives status, syndrome and the output of the command; the rest is set to 0
 * @out_bytes: room in @out, at least 8
 *
 * Return: enum prm_status, also written to @out
 */
uint8_t emu_exec(struct emu *emu, const void *in, size_t in_bytes, void *out, size_t out_bytes);

/**
 * emu_uar_attach - make the engine watch a UAR page for doorbells
 * @emu: the function
 * @uar: number that ALLOC_UAR returned
 * @page: PRM_UAR_BYTES of memory that the driver writes its doorbells to, or NULL to stop
 *
 * Sets the doorbell words of @page to EMU_DB_IDLE. When a word differs, the engine first sets it
 * back to EMU_DB_IDLE. Then it reads the doorbell record of every SQ or CQ of that page.
 */
void emu_uar_attach(struct emu *emu, uint32_t uar, void *page);
#define EMU_DB_IDLE UINT64_MAX

/**
 * emu_doorbell - ring one doorbell: a write of 8 bytes at @offset of UAR @uar
 * @value: the bytes as the driver wrote them: the first 8 bytes of a WQE, a CQ arm doorbell, or
 *	the 4 bytes of an EQ doorbell
 *
 * Rings only the queue whose number is in @value.
 */
void emu_doorbell(struct emu *emu, uint32_t uar, uint32_t offset, uint64_t value);

/**
 * emu_blueflame - ring a send doorbell by writing a whole WQEBB to it in one piece
 * @wqe: PRM_WQEBB_BYTES bytes. The device executes this copy of the first WQEBB; it reads the
 *	rest of a longer WQE from the ring
 */
void emu_blueflame(struct emu *emu, uint32_t uar, uint32_t offset, const void *wqe);

/** emu_invalidate - forget the host addresses of DMA addresses [addr, addr + bytes) */
void emu_invalidate(struct emu *emu, uint64_t addr, uint64_t bytes);

/**
 * emu_poll - run the data path of one port
 * @emu: the function
 * @budget: packets to move at most; the segments of an LSO WQE may exceed it
 *
 * Return: number of packets moved; a NOP, UMR or failed WQE counts as one
 */
unsigned emu_poll(struct emu *emu, unsigned budget);

/**
 * emu_engine_start - start a thread that runs the data path of every port
 * @cpus: CPUs that the thread may run on; NULL: those of the calling thread
 *
 * While all ports are idle, the thread first spins, then yields, and later sleeps between turns.
 * If all of @cpus are offline, the thread runs on the CPUs of the caller.
 *
 * Return: 0, -EALREADY: the thread already runs, or -errno of pthread_create()
 */
int emu_engine_start(struct emu_adapter *a, const cpu_set_t *cpus);
/** emu_engine_stop - end the engine thread, if it runs */
void emu_engine_stop(struct emu_adapter *a);

/** emu_now_ns - read the clock of the machine, CLOCK_MONOTONIC, in nanoseconds */
uint64_t emu_now_ns(void);
/** emu_read_clock - read the clock of the adapter (emu_set_clock() in control.h), in nanoseconds */
uint64_t emu_read_clock(struct emu *emu);

/**
 * struct emu_clocks - registers of the initialization segment at one time
 * @timer: internal_timer_h and internal_timer_l: cycles of the free-running clock
 * @real_time: real_time_h and real_time_l: seconds << 32 | nanoseconds; 0 without this clock
 */
struct emu_clocks {
	uint64_t timer, real_time;
};

/** emu_read_clocks - read both clocks of the adapter at once */
struct emu_clocks emu_read_clocks(struct emu *emu);

/** struct emu_link - settings of a port that belong to its netdev */
struct emu_link {
	uint8_t mac[EMU_MAC_BYTES];
	uint16_t mtu;
	bool up, promisc, allmulti;
};

/**
 * emu_set_link - change the settings of a port, as a kernel does for its netdev
 *
 * Lowers an MTU above 9978, the largest of any ConnectX netdev, to 9978.
 */
void emu_set_link(struct emu *emu, const struct emu_link *link);
/** emu_wire_is_cut - true if the port has a TAP wire whose netdev was deleted. Takes no lock */
bool emu_wire_is_cut(struct emu *emu);
void emu_get_link(struct emu *emu, struct emu_link *link);

/* ---- the lock ------------------------------------------------------------------------- */

/** emu_lock - take the adapter lock, which the engine needs for each turn; not recursive */
void emu_lock(struct emu_adapter *a);
/** emu_unlock - publish the CQEs written under the lock, then release it */
void emu_unlock(struct emu_adapter *a);

/* ---- reset and command events, for a front that plays a PCI function -------------------- */

/** emu_power_on - reset the function: free its objects, zero its counters, restore its port */
void emu_power_on(struct emu *emu);

/**
 * emu_list_objects - count the firmware objects of a function by type
 * @line: receives a list such as "UAR 1, EQ 2"
 * @bytes: its size
 * @n_users: receives the number of objects that belong to user contexts (uid not 0)
 *
 * Return: number of all objects
 */
unsigned emu_list_objects(struct emu *emu, char *line, size_t bytes, unsigned *n_users);

/** emu_command_eq - find the first EQ that subscribed to command completion events, or NULL */
const struct emu_eq *emu_command_eq(struct emu *emu);

/**
 * emu_announce_command - post a command completion event to the command EQ
 * @before: result of emu_command_eq() before the command ran. Nothing is posted if it has changed:
 *	a driver polls for the command that creates the command EQ
 * @vector: bit mask of the completed entries of the command queue
 */
void emu_announce_command(struct emu *emu, const struct emu_eq *before, uint32_t vector);

#endif
