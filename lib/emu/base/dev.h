/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_BASE_DEV_H
#define EMU_BASE_DEV_H

#include <pthread.h>

#include "emu/base/obj.h"
#include "emu/control.h"

struct emu_caps;
struct emu_cq;
struct emu_flow_table;
struct emu_frame;
struct emu_profile;
struct emu_sq;
struct emu_uar;
struct emu_wire;

enum {
	EMU_MAX_UC = 16,  /* unicast addresses of a vport beyond its own */
	EMU_MAX_MC = 128, /* groups in its list */
	EMU_ROCE_ADDRESSES = 16,
	EMU_MTU_MIN = 68,
	EMU_MTU_MAX = 9978, /* of a ConnectX netdev */
};

enum {
	EMU_MAX_UARS = 256,         /* profiles allow no more */
	EMU_MAX_DESTS = 8,          /* destinations of a flow entry */
	EMU_FRAME_MAX = 65536 + 64, /* what an MTU of 16 bits can ask for, and headers */
};

enum { EMU_NODE_DESC_BYTES = 64 };

/** struct emu_boot - how far a kernel has started the function (firmware/boot.c) */
struct emu_boot {
	bool enabled, initialised;
	uint16_t issi;
	char node_desc[EMU_NODE_DESC_BYTES];
	uint64_t *pages; /* DMA addresses lent, n_pages of them, room for n_room */
	uint32_t n_pages, n_room;
};

/** struct emu - one PCI function with its port */
struct emu {
	struct emu_adapter *adapter;
	unsigned index;
	const struct emu_profile *profile;
	struct emu_caps *caps; /* current capabilities (caps.h) */
	struct emu_boot boot;
	const struct emu_host_ops *ops;
	void *host;

	struct emu_table table[EMU_N_TYPES];
	struct emu_flow_table *rx_root, *tx_root; /* SET_FLOW_TABLE_ROOT; reference */

	struct emu_link link, first_link; /* now; after power on */
	unsigned n_uc;                    /* unicast addresses beyond link.mac */
	uint8_t uc[EMU_MAX_UC][EMU_MAC_BYTES];
	bool roce_en; /* of the vport context */
	struct prm_roce_addr_layout roce[EMU_ROCE_ADDRESSES];
	struct emu_vport_counters vport;
	struct emu_wire *wire;

	struct emu_uar *uars[EMU_MAX_UARS]; /* with a watched page, dense */
	unsigned n_uars;
	struct emu_sq *busy;           /* ring of SQs rung, not finished; last served */
	struct emu_cq *due;            /* list of CQs whose event waits */
	uint64_t now_ns;               /* device clock at the start of the engine's turn */
	uint8_t gather[EMU_FRAME_MAX]; /* a frame that its WQE has in pieces */

	uint32_t syndrome; /* of the command being executed */
	char detail[160];  /* why it was refused: for the trace */

	/* control: fail the k-th command from now on (0 = next), < 0 never */
	int64_t fail_command;
	uint8_t fail_status;
	uint64_t n_commands;
};

/**
 * struct emu_callbacks - what a lower folder tells a higher one
 *
 * device/ connects the folders and installs these; the adapter is locked in each.
 */
struct emu_callbacks {
	/**
	 * @frame_arrived: a wire has a frame for a port
	 * @may_wait: the wire has pause: do not drop for want of a buffer, say so instead
	 *
	 * Return: false if @may_wait and an RQ had no buffer; else true (delivered, or dropped
	 * and counted)
	 */
	bool (*frame_arrived)(struct emu *emu, const struct emu_frame *f, bool may_wait);
	/** @before_unlock: the lock is about to be given back */
	void (*before_unlock)(struct emu_adapter *a);
	/** @cq_failed: a CQ went into error; queues that complete to it cannot go on */
	void (*cq_failed)(struct emu *emu, const struct emu_cq *cq);
};

struct emu_adapter {
	const struct emu_callbacks *callbacks;
	pthread_mutex_t lock;
	unsigned n_waiting; /* who waits for the lock: the engine yields */
	unsigned n_ports;
	struct emu *port[EMU_MAX_PORTS];
	struct emu_mistakes *mistakes;
	void (*trace)(void *arg, const char *line);
	void *trace_arg;

	struct emu_cq *held; /* CQs with CQEs that the driver does not see yet */

	pthread_t engine;
	bool engine_runs, engine_stop, paused;
};

#endif
