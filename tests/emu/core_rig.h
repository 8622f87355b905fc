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
 * core_rig_close(): a test destroys only what it is about.
 *
 *	struct core_rig r;
 *
 *	core_rig_open(&r, &(struct core_rig_config){ .wire = "loop" });
 *	struct core_rig_cq cq = core_rig_make_cq(&r, 6);
 *	struct core_rig_sq sq = core_rig_make_sq(&r, 6, cq.cqn);
 *	...
 *	core_rig_close(&r);
 */

enum {
	CORE_RIG_MAX_MEM = 256,
	CORE_RIG_PAGE = 4096,
	CORE_RIG_DBR_BYTES = 64,
	CORE_RIG_VECTORS = 8,
	CORE_RIG_TAPE_CMDS = 128,
	CORE_RIG_TAPE_BYTES = 0x500
};

struct core_rig_config {
	const char *wire;          /* "sink" */
	const char *profile;       /* "cx6dx" */
	unsigned n_ports;          /* 1 */
	uint16_t mtu;              /* 1500 */
	bool no_context;           /* power on only: no uctx, PD, TD, UAR, EQ, TIS */
};

struct core_rig {
	struct emu_adapter *adapter;
	struct emu *emu;           /* what helpers work on: port 0 until a test sets another */
	struct emu_mistakes mistakes;
	unsigned irqs[CORE_RIG_VECTORS];
	uint64_t deny;             /* an address that the host does not map, or 0 */
	bool strict;               /* the host maps what core_rig_alloc() gave, and nothing else */
	struct core_rig_tape *tape; /* keeps every command that succeeds, or NULL */

	uint16_t uid;              /* of a user context with RAW_TX; helpers use it */
	uint32_t pd, td, uar, eqn, tis;
	uint64_t *uar_page;        /* watched */

	uint8_t *pool; /* where core_rig_alloc() takes from, or NULL: from this process */
	size_t pool_left;
	void *mem[CORE_RIG_MAX_MEM]; /* freed by core_rig_close() */
	size_t mem_bytes[CORE_RIG_MAX_MEM];
	unsigned n_mem;
};

/** struct core_rig_tape - inputs of commands, as they were sent */
struct core_rig_tape {
	struct {
		size_t bytes;
		prm_be32 in[CORE_RIG_TAPE_BYTES / 4];
	} cmd[CORE_RIG_TAPE_CMDS];
	unsigned n;
};

void core_rig_open(struct core_rig *r, const struct core_rig_config *config);
void core_rig_close(struct core_rig *r);

/** core_rig_fill_context - fill in uid, pd, td, uar, eqn and tis of the port r->emu */
void core_rig_fill_context(struct core_rig *r);

/** core_rig_alloc - zeroed memory, page-aligned */
void *core_rig_alloc(struct core_rig *r, size_t bytes);

/** core_rig_exec - emu_exec() with opcode and uid written in; @in_bytes, @out_bytes as they are */
uint8_t core_rig_exec(struct core_rig *r, uint16_t opcode, void *in, size_t in_bytes, void *out,
		      size_t out_bytes);

/** CORE_RIG_EXEC - command @name on its structs; the status */
#define CORE_RIG_EXEC(r, name, in, out)                                                            \
	core_rig_exec((r), PRM_OP_##name, (in), sizeof(struct prm_##name##_in), (out),             \
		      sizeof(struct prm_##name##_out))

/** CORE_RIG_OK - the same, and a status other than OK is a failure of the test */
#define CORE_RIG_OK(r, name, in, out)                                                              \
	core_rig_expect_ok(__FILE__, __LINE__, (r), #name, CORE_RIG_EXEC(r, name, in, out))
bool core_rig_expect_ok(const char *file, int line, const struct core_rig *r, const char *what,
			uint8_t status);

/** core_rig_find_row - row of field "ctx.wq.pd" of a layout, and its first bit */
const struct prm_row *core_rig_find_row(const struct prm_layout *layout, const char *field,
					size_t *bit);

/** core_rig_set_field - write field "ctx.wq.pd" of a command's input by its dotted name */
void core_rig_set_field(void *in, uint16_t opcode, const char *field, uint64_t value);

/** struct core_rig_refusal - one wrong field, and the answer to it; for TEST_EACH */
struct core_rig_refusal {
	const char *name, *field;
	uint64_t value;
	uint8_t status;
	uint32_t syndrome;
};

/** core_rig_expect_refusal - @in with the wrong field of @bad is refused as @bad says */
void core_rig_expect_refusal(struct core_rig *r, const struct core_rig_refusal *bad,
			     uint16_t opcode, void *in, size_t in_bytes);

/** core_rig_count_mistakes - protocol mistakes of all kinds so far */
uint64_t core_rig_count_mistakes(const struct core_rig *r);

/** core_rig_get_syndrome - of the last command */
uint32_t core_rig_get_syndrome(const struct core_rig *r);

/** core_rig_make_umem - register @bytes (whole pages) at @mem, in pages of 4 KiB */
uint32_t core_rig_make_umem(struct core_rig *r, void *mem, size_t bytes, bool write);

/** core_rig_make_mkey - an lkey for [mem, mem + bytes), addresses are process addresses */
uint32_t core_rig_make_mkey(struct core_rig *r, void *mem, size_t bytes, bool write);

struct core_rig_cq {
	uint32_t cqn, umem;
	unsigned n;                /* CQEs */
	struct prm_cqe *cqe;       /* filled with PRM_CQE_INIT_OP_OWN */
	prm_be32 *dbr;             /* PRM_DBR_CQ_CI, PRM_DBR_CQ_ARM */
	uint32_t ci;
};
struct core_rig_cq core_rig_make_cq(struct core_rig *r, unsigned log_n);

/** core_rig_take_cqe - the next CQE that the device has written, or NULL; moves the record */
struct prm_cqe *core_rig_take_cqe(struct core_rig_cq *cq);

struct core_rig_sq {
	uint32_t sqn, umem;
	unsigned n;                /* WQEBBs */
	uint8_t *ring;
	prm_be32 *dbr;             /* PRM_DBR_SND */
	uint16_t pi;               /* WQEBBs posted: for the test to keep */
};
/** core_rig_make_sq - an SQ in RDY, multi-packet WQEs allowed */
struct core_rig_sq core_rig_make_sq(struct core_rig *r, unsigned log_n, uint32_t cqn);

/** core_rig_make_umr_qp - a kernel's QP for UMRs, in RTS: of it only the send queue counts */
struct core_rig_sq core_rig_make_umr_qp(struct core_rig *r, unsigned log_n, uint32_t cqn);

/** core_rig_move_umr_qp - transition @opcode of Linux' QP, which names its CQ again; the status */
uint8_t core_rig_move_umr_qp(struct core_rig *r, uint32_t qpn, uint32_t cqn, uint16_t opcode);

/** core_rig_ring_sq - move the record to sq->pi and ring with the first 8 bytes at @ctrl */
void core_rig_ring_sq(struct core_rig *r, struct core_rig_sq *sq, const void *ctrl);

struct core_rig_rq {
	uint32_t rqn, umem;
	unsigned n, stride;        /* WQEs; bytes of one */
	uint8_t *ring;
	prm_be32 *dbr;             /* PRM_DBR_RCV */
};
/**
 * core_rig_make_rq - an RQ in RDY of 1 << log_n WQEs of 1 << log_sges data segments
 *
 * VLAN tags stay.
 */
struct core_rig_rq core_rig_make_rq(struct core_rig *r, unsigned log_n, unsigned log_sges,
				    uint32_t cqn);

/** core_rig_modify_sq, core_rig_modify_rq - state transition; the status */
uint8_t core_rig_modify_sq(struct core_rig *r, uint32_t sqn, uint8_t from, uint8_t to);
uint8_t core_rig_modify_rq(struct core_rig *r, uint32_t rqn, uint8_t from, uint8_t to);

/** core_rig_make_tir - direct TIR to an RQ */
uint32_t core_rig_make_tir(struct core_rig *r, uint32_t rqn);

/** core_rig_make_rqt - table of @n RQs, n a power of two */
uint32_t core_rig_make_rqt(struct core_rig *r, const uint32_t *rqns, unsigned n);

/** core_rig_make_rss_tir - Toeplitz over rx_hash_field_select as @outer; @key of 40 bytes */
uint32_t core_rig_make_rss_tir(struct core_rig *r, uint32_t rqtn, uint32_t outer,
			       const uint8_t *key, bool symmetric);

/** core_rig_make_table - NIC_RX flow table of 1 << log_size entries, of the kernel (uid 0) */
uint32_t core_rig_make_table(struct core_rig *r, unsigned level, unsigned log_size);

/** core_rig_set_root - make a table the root of NIC_RX */
void core_rig_set_root(struct core_rig *r, uint32_t table);

/** core_rig_make_group - entries @first..@last with a mask; NULL: matches everything */
uint32_t core_rig_make_group(struct core_rig *r, uint32_t table, uint32_t first, uint32_t last,
			     const struct prm_fte_match_param *mask);

struct core_rig_rule {
	uint32_t table, group, index, tag;
	uint16_t action;           /* MLX5_FLOW_CONTEXT_ACTION_*: 1 allow, 2 drop, 4 fwd, 8 count */
	const struct prm_fte_match_param *value; /* or NULL */
	unsigned n_dests;
	struct { uint8_t type; uint32_t id; } dest[8]; /* 1 table, 2 TIR */
	uint32_t counter;          /* with action 8 */
};
/** core_rig_set_rule - SET_FTE; the status */
uint8_t core_rig_set_rule(struct core_rig *r, const struct core_rig_rule *rule);

/** core_rig_steer_all - root table with one rule: everything to this TIR */
void core_rig_steer_all(struct core_rig *r, uint32_t tir);

#endif
