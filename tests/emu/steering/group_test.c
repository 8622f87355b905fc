/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "emu/steering/flow.h"
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

static bool holds_entry(const struct emu_fte *list, uint32_t index, unsigned *longest)
{
	bool holds = false;
	unsigned n = 0;

	for (; list; list = list->next_in_bucket, n++)
		holds |= list->index == index;
	*longest = n > *longest ? n : *longest;
	return holds;
}

/* All lists but the bucket of the frame's entry are invalid pointers: a lookup there faults. */
TEST_F(group, frame_reads_one_short_bucket_of_4096_entries)
{
	const struct emu_frame f = { self->frame, FRAME };
	struct emu_flow_group *g = self->r.emu->rx_root->groups;
	struct emu_flow_group copy;
	struct emu_verdict v;
	struct emu_parsed p;
	unsigned longest = 0;

	for (uint32_t i = 0; i < ENTRIES; i++)
		set_rule(self, i, 0, (uint16_t)(i + 1));
	EXPECT_EQ(ENTRIES, steer_ports(self, 16, (uint16_t)ENTRIES));
	emu_parse_frame(&f, NULL, &p);
	copy = *g;
	g->ftes = (struct emu_fte *)1;
	g->bucket = calloc(1u << g->log_buckets, sizeof(struct emu_fte *));
	for (uint32_t i = 0; i < 1u << g->log_buckets; i++)
		g->bucket[i] = holds_entry(copy.bucket[i], ENTRIES - 1, &longest)
				       ? copy.bucket[i]
				       : (struct emu_fte *)1;
	emu_steer_frame(self->r.emu, &f, &p, &v);
	free(g->bucket);
	*g = copy;
	EXPECT_EQ(1, v.n_tirs);
	EXPECT_EQ(ENTRIES, v.to[0].flow_tag);
	EXPECT_GT(10, longest);
}
