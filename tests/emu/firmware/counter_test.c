/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "core_rig_refuse.h"
#include "emu/firmware/refuse.h"
#include "emu/queue/rq.h"
#include "emu/steering/flow.h"
#include "flow_commands.h"

#define BAD PRM_STATUS_BAD_PARAM

FIXTURE(counter)
{
	struct core_rig r;
	struct flow_commands good;
};

FIXTURE_SETUP(counter)
{
	core_rig_open(&self->r, &(struct core_rig_config){ 0 });
	flow_commands_fill(&self->r, &self->good);
}

FIXTURE_TEARDOWN(counter)
{
	core_rig_close(&self->r);
}

TEST_F(counter, query_reads_and_clears_a_flow_counter)
{
	struct emu_flow_counter *counter =
		emu_obj_at(&self->r.emu->table[EMU_FLOW_COUNTER], self->good.counter);
	struct prm_query_flow_counter_in in = { 0 };
	struct {
		struct prm_query_flow_counter_out head;
		struct prm_traffic_counter c;
	} out;
	const struct core_rig_refusal bulk = { "bulk", "num_of_counters", 2, BAD, EMU_SYND_SIZE };

	counter->packets = 3;
	counter->bytes = 5ull << 32;
	prm_set(&in, flow_counter_id, self->good.counter);
	prm_set(&in, clear, 1);
	EXPECT_EQ(PRM_STATUS_OK, core_rig_exec(&self->r, PRM_OP_query_flow_counter, &in, sizeof(in),
					       &out, sizeof(out)));
	EXPECT_EQ(3, prm_get(&out.c, packets));
	EXPECT_EQ(5ull << 32, prm_get(&out.c, octets));
	EXPECT_EQ(0, counter->packets);
	memset(&out, 0xee, sizeof(out));
	EXPECT_EQ(PRM_STATUS_OK, core_rig_exec(&self->r, PRM_OP_query_flow_counter, &in, sizeof(in),
					       &out, sizeof(out.head)));
	EXPECT_EQ(0xeeeeeeee, out.c.dw[0].raw);
	core_rig_expect_refusal(&self->r, &bulk, PRM_OP_query_flow_counter, &in, sizeof(in));
}

TEST_F(counter, queue_counters_wrap_at_32_bits)
{
	struct prm_alloc_q_counter_in in = { 0 };
	struct prm_alloc_q_counter_out made;
	struct prm_query_q_counter_in ask = { 0 };
	struct prm_query_q_counter_out told;
	struct emu_q_counter *counter;

	CORE_RIG_OK(&self->r, alloc_q_counter, &in, &made);
	counter = emu_obj_at(&self->r.emu->table[EMU_Q_COUNTER],
			     (uint32_t)prm_get(&made, counter_set_id));
	counter->out_of_buffer = (1ull << 32) + 7;
	prm_set(&ask, counter_set_id, prm_get(&made, counter_set_id));
	prm_set(&ask, clear, 1);
	CORE_RIG_OK(&self->r, query_q_counter, &ask, &told);
	EXPECT_EQ(7, prm_get(&told, out_of_buffer));
	EXPECT_EQ(0, counter->out_of_buffer);
}
