/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Valid commands with up to three changed dwords or another length. Firmware must answer each,
 * stay inside its memory, and free everything at the end. A sanitized build finds breaches. The
 * answers are not compared, but 5 % must be OK.
 */
#include <string.h>

#include "core_rig_queue.h"
#include "core_rig_steer.h"
#include "emu/steering/rss.h"
#include "prm/wqe.h"

enum { ROUNDS = 100, CMDS_A_ROUND = 3000, MAX_BYTES = 0x1010 + 64 /* the longest input */ };

/* Returns the next number of an xorshift generator: the same numbers in every run. */
static uint32_t draw_number(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (uint32_t)(*seed >> 16);
}

/* Creates one object of most types, so that the tape records a valid example of most commands. */
static void make_everything(struct core_rig *r)
{
	static const uint8_t key[EMU_RSS_KEY_BYTES] = { 1, 2, 3 };
	struct prm_alloc_flow_counter_in counter_in = { 0 };
	struct prm_alloc_flow_counter_out counter;
	struct prm_alloc_q_counter_in q_in = { 0 };
	struct prm_alloc_q_counter_out q;
	struct prm_fte_match_param mask = { 0 };
	struct core_rig_rq rq;
	uint32_t tir, table, group;

	core_rig_fill_context(r);
	rq = core_rig_make_rq(r, 4, 1, core_rig_make_cq(r, 5).cqn);
	core_rig_make_sq(r, 4, core_rig_make_cq(r, 5).cqn);
	core_rig_make_mkey(r, core_rig_alloc(r, 3 * CORE_RIG_PAGE), 3 * CORE_RIG_PAGE, true);
	tir = core_rig_make_tir(r, rq.rqn);
	core_rig_make_rss_tir(r, core_rig_make_rqt(r, (uint32_t[]){ rq.rqn, rq.rqn }, 2), 3, key,
			      false, false);
	CORE_RIG_OK(r, alloc_flow_counter, &counter_in, &counter);
	CORE_RIG_OK(r, alloc_q_counter, &q_in, &q);
	prm_set(prm_sub(&mask, outer_headers), ip_version, 0xf);
	table = core_rig_make_table(r, 3, 4);
	group = core_rig_make_group(r, table, 2, 9, &mask);
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_set_rule(
			  r, &(struct core_rig_rule){
				     .table = table,
				     .group = group,
				     .index = 3,
				     .action = 4 | 8,
				     .n_dests = 2,
				     .dest = { { 2, tir }, { 1, core_rig_make_table(r, 9, 0) } },
				     .counter = (uint32_t)prm_get(&counter, flow_counter_id) }));
	core_rig_set_root(r, table);
}

/* Makes a command with a random opcode; dwords 2 and 5 have the number of a random object. */
static void make_query(struct core_rig *r, uint64_t *seed, prm_be32 *in, size_t *bytes)
{
	static const uint16_t opcodes[] = {
#define CMD(op, name) (op),
#include "prm/commands.def"
	};
	const uint16_t opcode = opcodes[draw_number(seed) % (sizeof(opcodes) / sizeof(opcodes[0]))];
	const struct emu_table *t = &r->emu->table[draw_number(seed) % EMU_N_TYPES];

	*bytes = prm_command_of(opcode)->in->bytes;
	memset(in, 0, *bytes);
	prm_set((struct prm_nop_in *)in, opcode, opcode);
	in[2] = prm_be32_of(t->first_id + draw_number(seed) % (t->n_slots + 1));
	if (*bytes > 0x18)
		in[5] = in[2]; /* flow commands have table_id here */
}

static void change_command(uint64_t *seed, prm_be32 *in, size_t *bytes)
{
	const unsigned n = draw_number(seed) % 4;

	for (unsigned i = 0; i < n; i++) {
		const size_t dw = 1 + draw_number(seed) % (*bytes / 4 - 1);
		const uint32_t old = prm_be32_get(in[dw]);

		switch (draw_number(seed) % 4) {
		case 0:
			in[dw] = prm_be32_of(old ^ 1u << draw_number(seed) % 32);
			break;
		case 1:
			in[dw] = prm_be32_of(draw_number(seed));
			break;
		case 2:
			in[dw] = prm_be32_of(old + draw_number(seed) % 3 - 1);
			break;
		case 3:
			in[dw] = in[1 + draw_number(seed) % (*bytes / 4 - 1)];
			break;
		}
	}
	if (draw_number(seed) % 16 == 0)
		*bytes = 8 + draw_number(seed) % (MAX_BYTES / 4 - 2) * 4;
}

/* Writes a random dword to memory of the rig, rings a random SQ number, and steps the engine. */
static void disturb_queues(struct core_rig *r, uint64_t *seed)
{
	const unsigned i = draw_number(seed) % r->n_mem;
	const struct emu_table *sqs = &r->emu->table[EMU_SQ];
	prm_be32 word[2];
	uint64_t doorbell;

	((prm_be32 *)r->mem[i])[draw_number(seed) % (r->mem_bytes[i] / 4)] =
		prm_be32_of(draw_number(seed));
	word[0] = prm_be32_of(draw_number(seed));
	word[1] = prm_be32_of((sqs->first_id + draw_number(seed) % (sqs->n_slots + 1)) << 8);
	memcpy(&doorbell, word, sizeof(doorbell));
	emu_doorbell(r->emu, r->uar, PRM_UAR_BF, doorbell);
	emu_poll(r->emu, 8);
}

TEST(fuzz, changed_commands_are_answered_without_a_leak)
{
	static struct core_rig_tape tape;
	static prm_be32 in[MAX_BYTES / 4], out[0x1010 / 4];
	uint64_t seed = 0x6e65742d64657678;
	unsigned n_ok = 0;

	for (unsigned round = 0; round < ROUNDS; round++) {
		struct core_rig r;

		tape.n = 0;
		core_rig_open(&r,
			      &(struct core_rig_config){ .profile = round % 2 ? "small" : "roce",
							 .no_context = true,
							 .wire = "loop" });
		r.strict = true;
		r.tape = &tape;
		make_everything(&r);
		r.tape = NULL;
		for (unsigned i = 0; i < CMDS_A_ROUND; i++) {
			const unsigned pick = draw_number(&seed) % (tape.n + 8);
			size_t bytes;

			memset(in, 0, sizeof(in));
			if (pick < tape.n) {
				bytes = tape.cmd[pick].bytes;
				memcpy(in, tape.cmd[pick].in, bytes);
			} else {
				make_query(&r, &seed, in, &bytes);
			}
			change_command(&seed, in, &bytes);
			if (i % 16 == 0)
				disturb_queues(&r, &seed);
			n_ok += emu_exec(r.emu, in, bytes, out, draw_number(&seed) % sizeof(out)) ==
				PRM_STATUS_OK;
		}
		core_rig_close(&r);
	}
	EXPECT_GT(n_ok, ROUNDS * CMDS_A_ROUND / 20);
}
