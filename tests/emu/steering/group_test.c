/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "emu/steering/group.h"
#include "emu/steering/steer.h"
#include "core_rig_queue.h"
#include "core_rig_steer.h"
#include "udp_frame.h"

/* Two groups of ENTRIES each, with different masks. Tag of an entry: its flow index + 1. */
enum { ENTRIES = 4096, GROUPS = 2, FRAME = 60, PORTS = 64 };

static const struct {
	uint16_t sport, dport;
} masks[GROUPS] = { { 0x000f, 0xffff }, { 0xffff, 0x0007 } };

struct rule {
	bool set;
	uint16_t sport, dport;
};

FIXTURE(group)
{
	struct core_rig r;
	uint32_t tir, table, group[GROUPS];
	uint64_t random;
	struct rule rules[GROUPS * ENTRIES];
	uint8_t frame[FRAME];
};

static void fill_ports(struct prm_fte_match_param *p, uint16_t sport, uint16_t dport)
{
	struct prm_fte_match_set_lyr_2_4 *outer = prm_sub(p, outer_headers);

	prm_set(outer, udp_sport, sport);
	prm_set(outer, udp_dport, dport);
}

FIXTURE_SETUP(group)
{
	struct core_rig_cq cq;

	core_rig_open(&self->r, &(struct core_rig_config){ .wire = "sink" });
	cq = core_rig_make_cq(&self->r, 6);
	self->tir = core_rig_make_tir(&self->r, core_rig_make_rq(&self->r, 3, 0, cq.cqn).rqn);
	self->table = core_rig_make_table(&self->r, 0, 13);
	self->random = 1;
	core_rig_set_root(&self->r, self->table);
	for (unsigned i = 0; i < GROUPS; i++) {
		struct prm_fte_match_param mask = { 0 };

		fill_ports(&mask, masks[i].sport, masks[i].dport);
		self->group[i] = core_rig_make_group(&self->r, self->table, i * ENTRIES,
						     (i + 1) * ENTRIES - 1, &mask);
	}
}

FIXTURE_TEARDOWN(group)
{
	core_rig_close(&self->r);
}

static uint32_t draw_number(struct ct_fix_group *self, uint32_t below)
{
	self->random = self->random * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(self->random >> 33) % below;
}

static void set_rule(struct ct_fix_group *self, uint32_t index, uint16_t sport, uint16_t dport)
{
	const unsigned g = index / ENTRIES;
	struct prm_fte_match_param value = { 0 };
	struct core_rig_rule rule = { .table = self->table,
				      .group = self->group[g],
				      .index = index,
				      .tag = index + 1,
				      .action = PRM_FLOW_CONTEXT_ACTION_FWD_DEST,
				      .value = &value,
				      .n_dests = 1,
				      .dest = { { PRM_FLOW_DESTINATION_TYPE_TIR, self->tir } } };

	self->rules[index] = (struct rule){ true, sport & masks[g].sport, dport & masks[g].dport };
	fill_ports(&value, self->rules[index].sport, self->rules[index].dport);
	ASSERT_EQ(PRM_STATUS_OK, core_rig_set_rule(&self->r, &rule));
}

static void delete_rule(struct ct_fix_group *self, uint32_t index)
{
	struct prm_delete_fte_in in = { 0 };
	struct prm_delete_fte_out out;

	prm_set(&in, table_id, self->table);
	prm_set(&in, flow_index, index);
	CORE_RIG_OK(&self->r, delete_fte, &in, &out);
	self->rules[index].set = false;
}

/* Return: the tag of the entry that takes a frame with these ports; 0: none */
static uint32_t steer_ports(struct ct_fix_group *self, uint16_t sport, uint16_t dport)
{
	const struct emu_frame f = { self->frame, FRAME };
	struct emu_verdict v;
	struct emu_parsed p;

	udp_frame_write(self->frame, FRAME, &(struct udp_frame){ .sport = sport, .dport = dport });
	emu_parse_frame(&f, NULL, &p);
	emu_steer_frame(self->r.emu, &f, &p, &v);
	return v.n_tirs ? v.to[0].flow_tag : 0;
}

/* The definition: tries all entries in the order of their index. */
static uint32_t find_linearly(const struct ct_fix_group *self, uint16_t sport, uint16_t dport)
{
	for (uint32_t i = 0; i < GROUPS * ENTRIES; i++) {
		const struct rule *rule = &self->rules[i];
		const unsigned g = i / ENTRIES;

		if (rule->set && (sport & masks[g].sport) == rule->sport &&
		    (dport & masks[g].dport) == rule->dport)
			return i + 1;
	}
	return 0;
}

static void compare_frames(struct ct_fix_group *self, unsigned n)
{
	unsigned hits[GROUPS + 1] = { 0 };

	for (unsigned i = 0; i < n; i++) {
		const uint16_t sport = (uint16_t)(1 + draw_number(self, PORTS));
		const uint16_t dport = (uint16_t)(1 + draw_number(self, PORTS));
		const uint32_t want = find_linearly(self, sport, dport);

		ASSERT_EQ(want, steer_ports(self, sport, dport));
		hits[want ? 1 + (want - 1) / ENTRIES : 0]++;
	}
	for (unsigned i = 0; i <= GROUPS; i++)
		EXPECT_LT(0, hits[i]); /* frames without an entry, and frames of each group */
}

/* Entries come and go in any order; many have the same match, and the lowest index must win. */
TEST_F(group, hash_finds_the_entry_that_a_linear_search_finds)
{
	for (unsigned round = 0; round < 4; round++) {
		for (unsigned i = 0; i < 600; i++) {
			const uint32_t index =
				draw_number(self, GROUPS) * ENTRIES + draw_number(self, 500);

			if (self->rules[index].set)
				delete_rule(self, index);
			else
				set_rule(self, index, (uint16_t)draw_number(self, PORTS),
					 (uint16_t)draw_number(self, PORTS));
		}
		compare_frames(self, 400);
	}
	for (uint32_t i = 0; i < GROUPS * ENTRIES; i++)
		if (self->rules[i].set)
			delete_rule(self, i);
	EXPECT_EQ(0, steer_ports(self, 1, 1));
}

/* Return: the least time of 1000 frames that match the last of @n entries, in ns */
static uint64_t time_last_of(struct ct_fix_group *self, uint32_t n)
{
	const struct emu_frame f = { self->frame, FRAME };
	uint64_t best = UINT64_MAX;
	struct emu_verdict v;
	struct emu_parsed p;

	EXPECT_EQ(n, steer_ports(self, 16, (uint16_t)n));
	emu_parse_frame(&f, NULL, &p);
	for (unsigned i = 0; i < 50; i++) {
		const uint64_t start = emu_now_ns();

		for (unsigned k = 0; k < 1000; k++)
			emu_steer_frame(self->r.emu, &f, &p, &v);
		best = emu_now_ns() - start < best ? emu_now_ns() - start : best;
	}
	return best;
}

/* A walk over 4096 entries takes 100 times as long as one over 16 and more. */
TEST_F(group, frame_costs_as_much_with_4096_entries_as_with_16)
{
	const struct emu_flow_table *t = self->r.emu->rx_root;
	uint64_t few, many;
	unsigned longest = 0;

	for (uint32_t i = 0; i < 16; i++)
		set_rule(self, i, 0, (uint16_t)(i + 1));
	few = time_last_of(self, 16);
	for (uint32_t i = 16; i < ENTRIES; i++)
		set_rule(self, i, 0, (uint16_t)(i + 1));
	many = time_last_of(self, ENTRIES);
	for (uint32_t i = 0; i < 1u << t->groups->log_buckets; i++) {
		unsigned n = 0;

		for (const struct emu_fte *e = t->groups->bucket[i]; e; e = e->next_in_bucket)
			n++;
		longest = n > longest ? n : longest;
	}
	printf("    %llu ns with 16 entries, %llu ns with %u; longest bucket %u\n",
	       (unsigned long long)few / 1000, (unsigned long long)many / 1000, ENTRIES, longest);
	EXPECT_GT(10, longest);
	EXPECT_GT(8 * few, many);
}
