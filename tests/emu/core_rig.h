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
	const char *wire;    /* "sink" */
	const char *profile; /* "cx6dx" */
	unsigned n_ports;    /* 1 */
	uint16_t mtu;        /* 1500 */
	bool no_context;     /* power on only: no uctx, PD, TD, UAR, EQ, TIS */
};

struct core_rig {
	struct emu_adapter *adapter;
	struct emu *emu; /* what helpers work on: port 0 until a test sets another */
	struct emu_mistakes mistakes;
	unsigned irqs[CORE_RIG_VECTORS];
	uint64_t deny;              /* an address that the host does not map, or 0 */
	bool strict;                /* the host maps what core_rig_alloc() gave, and nothing else */
	struct core_rig_tape *tape; /* keeps every command that succeeds, or NULL */

	uint16_t uid; /* of a user context with RAW_TX; helpers use it */
	uint32_t pd, td, uar, eqn, tis;
	uint64_t *uar_page; /* watched */

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

/** core_rig_count_mistakes - protocol mistakes of all kinds so far */
uint64_t core_rig_count_mistakes(const struct core_rig *r);

/** core_rig_get_syndrome - of the last command */
uint32_t core_rig_get_syndrome(const struct core_rig *r);

/** core_rig_make_umem - register @bytes (whole pages) at @mem, in pages of 4 KiB */
uint32_t core_rig_make_umem(struct core_rig *r, void *mem, size_t bytes, bool write);

/** core_rig_make_mkey - an lkey for [mem, mem + bytes), addresses are process addresses */
uint32_t core_rig_make_mkey(struct core_rig *r, void *mem, size_t bytes, bool write);

#endif
