/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_EMU_H
#define EMU_EMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/host.h"
#include "emu/mistake.h"

/**
 * DOC: A software ConnectX
 *
 *     adapter ----- port 0 = one PCI function: firmware, objects, vport, wire
 *        |   '----- port 1
 *        '--------- one lock, one engine
 *
 * A front carries firmware commands (emu_exec) and doorbells in, DMA and interrupts out
 * (struct emu_host_ops). The engine is a function, emu_poll(); emu_engine_start() gives it
 * a thread. Everything below takes the adapter's lock itself unless it says otherwise.
 */

struct emu_adapter;
struct emu;
struct emu_eq;
struct emu_traffic;

enum { EMU_MAX_PORTS = 8, EMU_MAC_BYTES = 6, EMU_TRACE_BYTES = 1000 /* of a line, with its end */ };

/** enum emu_type - what a firmware object is; a table each */
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

/** struct emu_model - how a device generation identifies itself */
struct emu_model {
	const char *name;     /* of the profile: "cx6dx" */
	uint16_t device_id;   /* PCI */
	const char *board_id; /* 16 bytes at most */
	uint16_t fw[3];       /* firmware version: major, minor, subminor */
	bool roce;            /* for a kernel of its own: uverbs plays no RoCE */
};

/** emu_model_find - the model of a profile; NULL: no profile has this name */
const struct emu_model *emu_model_find(const char *profile);
/** emu_model - the model of a function */
const struct emu_model *emu_model(const struct emu *emu);

/** struct emu_port_config - one port */
struct emu_port_config {
	const struct emu_host_ops *ops;
	void *host;       /* first argument of ops */
	const char *wire; /* "loop", "pair", "sink", "tap:NAME"... see wire.h */
	uint8_t mac[EMU_MAC_BYTES];
	uint16_t mtu;                /* of the netdev: payload bytes; the port takes mtu + 22 */
	uint32_t first_uar;          /* number of the first UAR; 0: the core chooses */
	struct emu_traffic *traffic; /* NULL, or sums that outlive the adapter (control.h) */
};

/** struct emu_config - an adapter */
struct emu_config {
	const char *profile; /* "cx6dx" */
	unsigned n_ports;    /* 1..EMU_MAX_PORTS */
	struct emu_port_config port[EMU_MAX_PORTS];
	struct emu_mistakes *mistakes; /* where mistakes are counted; outlives the adapter */
	void (*trace)(void *arg, const char *line); /* a header, a line per command; or NULL */
	void *trace_arg;
};

/**
 * emu_adapter_create - power on
 * @cfg: copied
 * @why: receives one line on failure, naming what was wrong and what is allowed
 * @why_bytes: its size
 *
 * Return: the adapter, or NULL
 */
struct emu_adapter *emu_adapter_create(const struct emu_config *cfg, char *why, size_t why_bytes);

/** emu_adapter_destroy - power off: stops the engine, closes wires, frees every object */
void emu_adapter_destroy(struct emu_adapter *a);

/** emu_port - the function of port @i, 0..n_ports-1 */
struct emu *emu_port(struct emu_adapter *a, unsigned i);

/**
 * emu_exec - execute one firmware command
 * @emu: the function
 * @in: mailbox, big-endian; opcode and uid in its first dword. @in_bytes: its exact length
 * @out: receives status, syndrome and what the command returns
 * @out_bytes: room in @out; at least 8. Bytes past the command's output are zeroed
 *
 * Return: enum prm_status, also written to @out
 */
uint8_t emu_exec(struct emu *emu, const void *in, size_t in_bytes, void *out, size_t out_bytes);

/**
 * emu_uar_attach - let the engine watch a UAR page
 * @emu: the function
 * @uar: number that ALLOC_UAR returned
 * @page: PRM_UAR_BYTES of memory that the driver writes its doorbells to, or NULL to stop
 *
 * Doorbell words are set to EMU_DB_IDLE here; the engine exchanges what differs for
 * EMU_DB_IDLE first and then looks at every queue of that page.
 */
void emu_uar_attach(struct emu *emu, uint32_t uar, void *page);
#define EMU_DB_IDLE UINT64_MAX

/**
 * emu_doorbell - a write of 8 bytes (big-endian @value as memory has it) at @offset of UAR @uar
 *
 * It rings the queue that it names, and no other.
 */
void emu_doorbell(struct emu *emu, uint32_t uar, uint32_t offset, uint64_t value);

/**
 * emu_blueflame - a write of a whole WQEBB to a send doorbell register in one piece
 * @wqe: PRM_WQEBB_BYTES; the device executes these, not what the ring has
 */
void emu_blueflame(struct emu *emu, uint32_t uar, uint32_t offset, const void *wqe);

/** emu_invalidate - DMA addresses [addr, addr + bytes) are gone: forget their host addresses */
void emu_invalidate(struct emu *emu, uint64_t addr, uint64_t bytes);

/**
 * emu_poll - run the data path of one port
 * @emu: the function
 * @budget: packets to move at most
 *
 * Return: units of work done; 0: nothing to do now
 */
unsigned emu_poll(struct emu *emu, unsigned budget);

/** emu_engine_start - a thread that calls emu_poll for every port; yields, then sleeps when idle */
int emu_engine_start(struct emu_adapter *a, int cpu /* or -1 */);
/** emu_engine_stop - join it; nothing happens if it does not run */
void emu_engine_stop(struct emu_adapter *a);

/** emu_now_ns - free-running device clock, 1 GHz */
uint64_t emu_now_ns(void);

/** emu_set_link - what the netdev does to its port: MAC, MTU, promiscuity (kernel's side) */
struct emu_link {
	uint8_t mac[EMU_MAC_BYTES];
	uint16_t mtu;
	bool up, promisc, allmulti;
};
void emu_set_link(struct emu *emu, const struct emu_link *link);
/** emu_wire_is_cut - whether the port has a TAP wire whose netdev was deleted. Takes no lock */
bool emu_wire_is_cut(struct emu *emu);
void emu_get_link(struct emu *emu, struct emu_link *link);

/* ---- the lock ------------------------------------------------------------------------- */

/** emu_lock - hold off the engine and the callbacks of host.h; not recursive */
void emu_lock(struct emu_adapter *a);
/** emu_unlock - let CQEs written meanwhile become visible, and give the lock back */
void emu_unlock(struct emu_adapter *a);

/* ---- reset and command events, for a front that plays a PCI function -------------------- */

/** emu_power_on - the function as it was made: no objects, its port as configured */
void emu_power_on(struct emu *emu);

/**
 * emu_list_objects - what objects there are
 * @line: receives "UAR 1, EQ 2"
 * @bytes: its size
 * @n_users: receives how many belong to user contexts (uid not 0)
 *
 * Return: how many there are
 */
unsigned emu_list_objects(struct emu *emu, char *line, size_t bytes, unsigned *n_users);

/** emu_command_eq - the EQ that subscribed to completions of commands, or NULL */
const struct emu_eq *emu_command_eq(struct emu *emu);

/**
 * emu_announce_command - post a command completion event
 * @before: emu_command_eq() from before the command ran. A command that makes the command EQ
 *	is polled for, so nothing is posted when the EQ is another one now
 * @vector: bit mask of the entries of the command queue that are done
 */
void emu_announce_command(struct emu *emu, const struct emu_eq *before, uint32_t vector);

#endif
