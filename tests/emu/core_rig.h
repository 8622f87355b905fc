/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CORE_RIG_H
#define CORE_RIG_H

#include "ct.h"
#include "emu/base/dev.h"

/**
 * DOC: The rig of tests for the core
 *
 * The host is the test itself: a DMA address is an address of this process. No engine thread
 * runs; tests call emu_poll(). Helpers that create an object return its number or a struct. They
 * report a failed command as a test failure. core_rig_close() frees everything.
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
	const char *wire;    /* default "sink" */
	const char *profile; /* default "cx6dx" */
	unsigned n_ports;    /* default 1 */
	uint16_t mtu;        /* default 1500 */
	bool no_context;     /* create no user context, PD, TD, UAR, EQ, TIS */
};

struct core_rig {
	struct emu_adapter *adapter;
	struct emu *emu; /* the function that helpers use: port 0 unless a test changes it */
	struct emu_mistakes mistakes;
	unsigned irqs[CORE_RIG_VECTORS];
	uint64_t deny;              /* the host maps no range with this address; 0: none */
	bool strict;                /* the host maps only memory of core_rig_alloc() */
	struct core_rig_tape *tape; /* records commands with status OK; or NULL */

	uint16_t uid; /* a user context with RAW_TX, which helpers use */
	uint32_t pd, td, uar, eqn, tis;
	uint64_t *uar_page; /* the page of uar, which the engine watches */
	unsigned ts_format; /* format of the SQs and RQs that helpers make; 0: free running */

	uint8_t *pool; /* memory that core_rig_alloc() hands out; NULL: it allocates */
	size_t pool_left;
	void *mem[CORE_RIG_MAX_MEM]; /* core_rig_close() frees these */
	size_t mem_bytes[CORE_RIG_MAX_MEM];
	unsigned n_mem;
};

/** struct core_rig_tape - inputs of the first CORE_RIG_TAPE_CMDS commands with status OK */
struct core_rig_tape {
	struct {
		size_t bytes;
		prm_be32 in[CORE_RIG_TAPE_BYTES / 4];
	} cmd[CORE_RIG_TAPE_CMDS];
	unsigned n;
};

void core_rig_open(struct core_rig *r, const struct core_rig_config *config);
void core_rig_close(struct core_rig *r);

/** core_rig_fill_context - create uid, pd, td, uar, eqn and tis on the function r->emu */
void core_rig_fill_context(struct core_rig *r);

/** core_rig_alloc - allocate zeroed, page-aligned memory; aborts the program if it cannot */
void *core_rig_alloc(struct core_rig *r, size_t bytes);

/** core_rig_exec - write @opcode into @in and call emu_exec(). Return: the status */
uint8_t core_rig_exec(struct core_rig *r, uint16_t opcode, void *in, size_t in_bytes, void *out,
		      size_t out_bytes);

/** CORE_RIG_EXEC - core_rig_exec() for the structs of command @name */
#define CORE_RIG_EXEC(r, name, in, out)                                                            \
	core_rig_exec((r), PRM_OP_##name, (in), sizeof(struct prm_##name##_in), (out),             \
		      sizeof(struct prm_##name##_out))

/** CORE_RIG_OK - CORE_RIG_EXEC(), and fail the test if the status is not OK */
#define CORE_RIG_OK(r, name, in, out)                                                              \
	core_rig_expect_ok(__FILE__, __LINE__, (r), #name, CORE_RIG_EXEC(r, name, in, out))
bool core_rig_expect_ok(const char *file, int line, const struct core_rig *r, const char *what,
			uint8_t status);

/** core_rig_find_row - find a field by its dotted name, such as "ctx.wq.pd"; @bit: its first bit */
const struct prm_row *core_rig_find_row(const struct prm_layout *layout, const char *field,
					size_t *bit);

/** core_rig_set_field - write a field of a command's input by its dotted name */
void core_rig_set_field(void *in, uint16_t opcode, const char *field, uint64_t value);

/** core_rig_count_mistakes - number of mistakes of all kinds since core_rig_open() */
uint64_t core_rig_count_mistakes(const struct core_rig *r);

/** core_rig_get_syndrome - syndrome of the last command on r->emu; 0 if its status was OK */
uint32_t core_rig_get_syndrome(const struct core_rig *r);

/** core_rig_make_umem - create a umem of the 4 KiB pages that hold @bytes from @mem on */
uint32_t core_rig_make_umem(struct core_rig *r, void *mem, size_t bytes, bool write);

/** core_rig_make_mkey - create an mkey for @bytes at address @mem. Return: its lkey */
uint32_t core_rig_make_mkey(struct core_rig *r, void *mem, size_t bytes, bool write);

#endif
