/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CORE_RIG_H
#define CORE_RIG_H

#include "ct.h"
#include "emu/base/dev.h"

/**
 * DOC: A rig of an adapter for tests
 *
 * The host is the test itself: a DMA address is an address of this process. No engine thread
 * runs; tests call emu_poll(). Helpers answer with numbers and structs, and report a failed
 * command as a test failure, with the reason that emu gave. Everything made goes with
 * rig_close(): a test destroys only what it is about.
 *
 *	struct rig r;
 *
 *	rig_open(&r, &(struct rig_config){ .wire = "loop" });
 *	struct rig_cq cq = rig_cq(&r, 6);
 *	struct rig_sq sq = rig_sq(&r, 6, cq.cqn);
 *	...
 *	rig_close(&r);
 */

enum { RIG_MAX_MEM = 256, RIG_PAGE = 4096, RIG_DBR_BYTES = 64, RIG_VECTORS = 8,
       RIG_TAPE_CMDS = 128, RIG_TAPE_BYTES = 0x500 };

struct rig_config {
	const char *wire;          /* "sink" */
	const char *profile;       /* "cx6dx" */
	unsigned n_ports;          /* 1 */
	uint16_t mtu;              /* 1500 */
	bool no_context;           /* power on only: no uctx, PD, TD, UAR, EQ, TIS */
};

struct rig {
	struct emu_adapter *adapter;
	struct emu *emu;           /* what helpers work on: port 0 until a test sets another */
	struct emu_mistakes mistakes;
	unsigned irqs[RIG_VECTORS];
	uint64_t deny;             /* an address that the host does not map, or 0 */
	bool strict;               /* the host maps what rig_mem() gave, and nothing else */
	struct rig_tape *tape;     /* keeps every command that succeeds, or NULL */

	uint16_t uid;              /* of a user context with RAW_TX; helpers use it */
	uint32_t pd, td, uar, eqn, tis;
	uint64_t *uar_page;        /* watched */

	uint8_t *pool;             /* where rig_mem() takes from, or NULL: from this process */
	size_t pool_left;
	void *mem[RIG_MAX_MEM];    /* freed by rig_close() */
	size_t mem_bytes[RIG_MAX_MEM];
	unsigned n_mem;
};

/** struct rig_tape - inputs of commands, as they were sent */
struct rig_tape {
	struct { size_t bytes; prm_be32 in[RIG_TAPE_BYTES / 4]; } cmd[RIG_TAPE_CMDS];
	unsigned n;
};

void rig_open(struct rig *r, const struct rig_config *config);
void rig_close(struct rig *r);

/** rig_context - fill in uid, pd, td, uar, eqn and tis of the port r->emu */
void rig_context(struct rig *r);

/** rig_mem - zeroed memory, page-aligned */
void *rig_mem(struct rig *r, size_t bytes);

/** rig_exec - emu_exec() with opcode and uid written in; @in_bytes, @out_bytes as they are */
uint8_t rig_exec(struct rig *r, uint16_t opcode, void *in, size_t in_bytes, void *out,
		 size_t out_bytes);

/** RIG_EXEC - command @name on its structs; the status */
#define RIG_EXEC(r, name, in, out) \
	rig_exec((r), PRM_OP_##name, (in), sizeof(struct prm_##name##_in), (out), \
		 sizeof(struct prm_##name##_out))

/** RIG_OK - the same, and a status other than OK is a failure of the test */
#define RIG_OK(r, name, in, out) \
	rig_ok(__FILE__, __LINE__, (r), #name, RIG_EXEC(r, name, in, out))
bool rig_ok(const char *file, int line, const struct rig *r, const char *what, uint8_t status);

/** rig_row - row of field "ctx.wq.pd" of a layout, and its first bit */
const struct prm_row *rig_row(const struct prm_layout *layout, const char *field, size_t *bit);

/** rig_set - write field "ctx.wq.pd" of a command's input by its dotted name */
void rig_set(void *in, uint16_t opcode, const char *field, uint64_t value);

/** struct rig_bad - one wrong field, and the answer to it; for TEST_EACH */
struct rig_bad {
	const char *name, *field;
	uint64_t value;
	uint8_t status;
	uint32_t syndrome;
};

/** rig_refused - @in with the wrong field of @bad is refused as @bad says */
void rig_refused(struct rig *r, const struct rig_bad *bad, uint16_t opcode, void *in,
		 size_t in_bytes);

/** rig_mistakes - protocol mistakes of all kinds so far */
uint64_t rig_mistakes(const struct rig *r);

/** rig_syndrome - of the last command */
uint32_t rig_syndrome(const struct rig *r);

/** rig_umem - register @bytes (whole pages) at @mem, in pages of 4 KiB */
uint32_t rig_umem(struct rig *r, void *mem, size_t bytes, bool write);

/** rig_mkey - an lkey for [mem, mem + bytes), addresses are process addresses */
uint32_t rig_mkey(struct rig *r, void *mem, size_t bytes, bool write);

struct rig_cq {
	uint32_t cqn, umem;
	unsigned n;                /* CQEs */
	struct prm_cqe *cqe;       /* filled with PRM_CQE_INIT_OP_OWN */
	prm_be32 *dbr;             /* PRM_DBR_CQ_CI, PRM_DBR_CQ_ARM */
	uint32_t ci;
};
struct rig_cq rig_cq(struct rig *r, unsigned log_n);

/** rig_cqe - the next CQE that the device has written, or NULL; takes it and moves the record */
struct prm_cqe *rig_cqe(struct rig_cq *cq);

struct rig_sq {
	uint32_t sqn, umem;
	unsigned n;                /* WQEBBs */
	uint8_t *ring;
	prm_be32 *dbr;             /* PRM_DBR_SND */
	uint16_t pi;               /* WQEBBs posted: for the test to keep */
};
/** rig_sq - an SQ in RDY, multi-packet WQEs allowed */
struct rig_sq rig_sq(struct rig *r, unsigned log_n, uint32_t cqn);

/** rig_qp - a kernel's QP for UMRs, in RTS: of it only the send queue counts */
struct rig_sq rig_qp(struct rig *r, unsigned log_n, uint32_t cqn);

/** rig_qp_step - transition @opcode of Linux' QP, which names its CQ again; the status */
uint8_t rig_qp_step(struct rig *r, uint32_t qpn, uint32_t cqn, uint16_t opcode);

/** rig_ring - move the doorbell record to sq->pi and ring with the first 8 bytes at @ctrl */
void rig_ring(struct rig *r, struct rig_sq *sq, const void *ctrl);

struct rig_rq {
	uint32_t rqn, umem;
	unsigned n, stride;        /* WQEs; bytes of one */
	uint8_t *ring;
	prm_be32 *dbr;             /* PRM_DBR_RCV */
};
/** rig_rq - an RQ in RDY of 1 << log_n WQEs of 1 << log_sges data segments; VLAN tags stay */
struct rig_rq rig_rq(struct rig *r, unsigned log_n, unsigned log_sges, uint32_t cqn);

/** rig_modify_sq, rig_modify_rq - state transition; the status */
uint8_t rig_modify_sq(struct rig *r, uint32_t sqn, uint8_t from, uint8_t to);
uint8_t rig_modify_rq(struct rig *r, uint32_t rqn, uint8_t from, uint8_t to);

/** rig_tir - direct TIR to an RQ */
uint32_t rig_tir(struct rig *r, uint32_t rqn);

/** rig_rqt - table of @n RQs, n a power of two */
uint32_t rig_rqt(struct rig *r, const uint32_t *rqns, unsigned n);

/** rig_rss_tir - Toeplitz over rx_hash_field_select as @outer; @key of 40 bytes */
uint32_t rig_rss_tir(struct rig *r, uint32_t rqtn, uint32_t outer, const uint8_t *key,
		     bool symmetric);

/** rig_table - NIC_RX flow table of 1 << log_size entries, of the kernel (uid 0) */
uint32_t rig_table(struct rig *r, unsigned level, unsigned log_size);

/** rig_root - make a table the root of NIC_RX */
void rig_root(struct rig *r, uint32_t table);

/** rig_group - entries @first..@last with a mask; NULL: matches everything */
uint32_t rig_group(struct rig *r, uint32_t table, uint32_t first, uint32_t last,
		   const struct prm_fte_match_param *mask);

struct rig_rule {
	uint32_t table, group, index, tag;
	uint16_t action;           /* MLX5_FLOW_CONTEXT_ACTION_*: 1 allow, 2 drop, 4 fwd, 8 count */
	const struct prm_fte_match_param *value; /* or NULL */
	unsigned n_dests;
	struct { uint8_t type; uint32_t id; } dest[8]; /* 1 table, 2 TIR */
	uint32_t counter;          /* with action 8 */
};
/** rig_rule - SET_FTE; the status */
uint8_t rig_rule(struct rig *r, const struct rig_rule *rule);

/** rig_all_to - root table with one rule: everything to this TIR */
void rig_all_to(struct rig *r, uint32_t tir);

#endif
