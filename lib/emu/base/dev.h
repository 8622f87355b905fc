/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_BASE_DEV_H
#define EMU_BASE_DEV_H

#include <pthread.h>

#include "emu/base/obj.h"
#include "emu/control.h"

struct emu_frame;

enum {
	EMU_ROCE_ADDRESSES = 16,
	EMU_MTU_MIN = 68,
	EMU_MTU_MAX = 9978, /* the largest MTU of a ConnectX netdev */
};

enum {
	EMU_MAX_UARS = 256,         /* the largest limit of UARs in any profile */
	EMU_MAX_RATES = 128,        /* entries of the rate table, including entry 0 */
	EMU_MAX_DESTS = 8,          /* destinations of a flow entry */
	EMU_VXLAN_PORTS = 4,        /* UDP ports of VXLAN, including the default one */
	EMU_VXLAN_PORT = 4789,      /* the default one (IANA) */
	EMU_FRAME_MAX = 65536 + 64, /* the largest 16-bit MTU, plus headers */
	EMU_LOG_MAX_LSO = 18,       /* payload of an LSO WQE, in bytes */
	EMU_GATHER_BYTES = (1 << EMU_LOG_MAX_LSO) + 512, /* plus headers, and a padded frame */
};

enum { EMU_NODE_DESC_BYTES = 64 };

/** struct emu_boot - progress of a kernel's start sequence (firmware/boot.c) */
struct emu_boot {
	bool enabled, initialised;
	uint16_t issi;
	char node_desc[EMU_NODE_DESC_BYTES];
	uint64_t *pages; /* DMA addresses of the n_pages pages that the kernel lent to firmware */
	uint32_t n_pages;
};

/** struct emu_vxlan - UDP destination ports that the parser treats as VXLAN */
struct emu_vxlan {
	unsigned n;
	uint16_t port[EMU_VXLAN_PORTS];
};

/** struct emu_rate - an entry of the rate table (queue/pacing.h) */
struct emu_rate {
	uint16_t uid;         /* owner; 0: every uid may use the entry */
	uint32_t kbps;        /* kbit/s; 0: the entry is free */
	uint32_t burst_bytes; /* bytes that an idle SQ may send at once */
};

/** struct emu_wqe_record - buffer for copies of executed send WQEs; @to: NULL: no record */
struct emu_wqe_record {
	uint8_t *to;
	size_t room, used; /* bytes */
};

/**
 * struct emu_gate - holds commands until a test releases them (emu_hold_commands())
 * @closed: new commands wait; also read without the lock
 * @n_held: commands that wait
 * @n_granted: commands that were released but have not noticed it yet
 */
struct emu_gate {
	bool closed;
	unsigned n_held, n_granted;
};

/** struct emu - one PCI function with its port */
struct emu {
	struct emu_adapter *adapter;
	unsigned index;
	const struct emu_profile *profile;
	struct emu_caps *caps; /* current capabilities (profile.h) */
	struct emu_boot boot;
	const struct emu_host_ops *ops;
	void *host;

	struct emu_table table[EMU_N_TYPES];
	struct emu_flow_table *rx_root; /* set by SET_FLOW_TABLE_ROOT; not counted as a reference */

	struct emu_link link, first_link; /* the current state; the state after power on */
	struct emu_addresses addresses;   /* lists of the vport context */
	uint64_t n_sqs_made;              /* number of SQs ever created */
	bool lb_uc, lb_mc; /* local loopback: vport context has disable_*_local_lb 0 */
	bool roce_en;      /* field roce_en of the vport context */
	struct prm_roce_addr_layout roce[EMU_ROCE_ADDRESSES];
	struct emu_vxlan vxlan;
	struct emu_vport_counters vport;
	struct emu_pcie_counters pcie;
	struct emu_wqe_record wqes;
	struct emu_wire *wire;
	struct emu_traffic published; /* counts that *traffic includes */
	struct emu_traffic *traffic;  /* the sums, or NULL */
	bool received;                /* a frame arrived since the last update of *traffic */

	struct emu_uar *uars[EMU_MAX_UARS]; /* the n_uars UARs whose page the engine watches */
	unsigned n_uars;
	struct emu_sq *busy;   /* ring of SQs with work: the one served last, or NULL */
	struct emu_sq *parked; /* list of SQs with work that wait for their rate limit */
	struct emu_rate rate[EMU_MAX_RATES];    /* entry 0 is "no limit" */
	bool has_failed_rq;                     /* an RQ may be in ERR */
	struct emu_flush *flushes, *last_flush; /* list of flush CQEs to write later */
	struct emu_cq *due; /* list of CQs whose event waits for its moderation timer */
	uint8_t gather[EMU_GATHER_BYTES]; /* buffer to gather, pad or change a frame */

	uint32_t syndrome; /* syndrome of the current command */
	char detail[160];  /* reason of the refusal in words, for the trace */

	int64_t fail_command; /* commands before the one to fail (0: the next; < 0: none) */
	uint8_t fail_status;
	uint64_t n_commands;
	uint64_t command_ns; /* duration of a command; read and written without the lock */
	struct emu_gate gate;
};

enum { EMU_MAX_HELD = 128 }; /* CQEs held back at a time */

/** enum emu_held_kind - what emu_cq_publish() writes to the slot of a CQE */
enum emu_held_kind {
	EMU_HELD_CQE,   /* the CQE, its last 8 bytes at the end */
	EMU_HELD_MINIS, /* mini CQEs, before the title of their session (queue/cq_compress.h) */
	EMU_HELD_HOLE,  /* nothing: the session has the CQE */
};

/** struct emu_held_cqe - a CQE that the driver cannot see yet (queue/cq_ring.h) */
struct emu_held_cqe {
	struct emu_cq *cq;
	void *at; /* its entry in the ring */
	enum emu_held_kind kind;
	uint8_t cqe[EMU_CQE_BYTES] __attribute__((aligned(16)));
};

/**
 * struct emu_callbacks - functions of higher folders that lower folders call
 *
 * device/adapter.c installs them. Every caller holds the adapter lock.
 */
struct emu_callbacks {
	/**
	 * @frame_arrived: a wire delivers a frame to a port
	 * @may_wait: the wire can pause: without a receive buffer, return false and drop nothing
	 *
	 * Return: false if @may_wait is set and an RQ had no buffer. Otherwise true: the port
	 * delivered the frame, or dropped and counted it
	 */
	bool (*frame_arrived)(struct emu *emu, const struct emu_frame *f, bool may_wait);
	/** @finish_sends: executes the WQEs whose doorbell has been rung */
	void (*finish_sends)(struct emu_adapter *a);
	/** @before_unlock: called just before the adapter lock is released */
	void (*before_unlock)(struct emu_adapter *a);
	/** @is_in_frame: whether the byte at @at is in @f, which may be NULL; signal-safe */
	bool (*is_in_frame)(const struct emu_frame *f, const uint8_t *at);
	/**
	 * @owns_memory: whether a live object uses the byte at host address @at; signal-safe.
	 * @again: memory_lost() was called for the byte before; return whether it helps again
	 */
	bool (*owns_memory)(struct emu_adapter *a, const uint8_t *at, bool again);
	/** @memory_lost: an access to the byte at @at faulted: marks the queue, or blocks mkeys */
	void (*memory_lost)(struct emu_adapter *a, const uint8_t *at);
	/** @unblock_mkeys: the work that faulted is done: unblocks all mkeys */
	void (*unblock_mkeys)(struct emu_adapter *a);
	/** @cq_failed: a CQ entered error state: fails the queues that complete to it */
	void (*cq_failed)(struct emu *emu, const struct emu_cq *cq);
};

struct emu_adapter {
	const struct emu_callbacks *callbacks;
	pthread_mutex_t lock;
	unsigned n_waiting; /* threads that wait for the lock; if not 0, the engine yields */
	unsigned n_ports;
	struct emu *port[EMU_MAX_PORTS];
	struct emu_mistakes *mistakes;
	void (*trace)(void *arg, const char *line);
	void *trace_arg;
	long trace_utc_offset_s; /* offset of the local time in trace lines */

	bool has_blocked;                    /* an mkey is blocked (queue/lost.h) ... */
	const struct emu_guard *blocked_for; /* ... until the end of this guard */
	unsigned n_held, n_shown; /* the driver cannot see CQEs n_shown to n_held - 1 of held[] */
	unsigned n_compressed;    /* emu_cq_compress() has looked at CQEs before this one */
	struct emu_held_cqe held[EMU_MAX_HELD];

	struct emu_profile *profile; /* emu_set_option() changes its options */
	const struct emu_model *model;
	enum emu_clock clock;
	/* the time; with EMU_CLOCK_REAL: its offset from emu_now_ns(), mod 2^64 */
	uint64_t clock_ns;
	uint64_t now_ns; /* the time as last read, at each turn and each slice of an SQ */
	/* the registers of the clocks, big-endian, for the front; or NULL */
	uint64_t *timer, *real_time;

	pthread_t engine;
	bool engine_runs, engine_stop, paused;
};

/** emu_count_mistake - count a driver's mistake; keep the text of the first mistake of its kind */
void emu_count_mistake(struct emu *emu, enum emu_mistake m, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
