/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_rig_refuse.h"
#include "emu/firmware/refuse.h"

#define GONE PRM_STATUS_BAD_RES, EMU_SYND_NO_OBJECT

FIXTURE(tis)
{
	struct core_rig r;
};
FIXTURE_SETUP(tis)
{
	core_rig_open(&self->r, &(struct core_rig_config){ 0 });
}
FIXTURE_TEARDOWN(tis)
{
	core_rig_close(&self->r);
}

TEST_F(tis, query_returns_the_modified_priority)
{
	struct prm_modify_tis_in in = { 0 };
	struct prm_modify_tis_out out;
	struct prm_query_tis_in ask = { 0 };
	struct prm_query_tis_out told;
	struct prm_create_tis_in bad_in = { 0 };
	const struct core_rig_refusal bad = { "no_td", "ctx.transport_domain", 1, GONE };

	prm_set(&in, tisn, self->r.tis);
	prm_set(prm_sub(&in, bitmask), prio, 1);
	prm_set(prm_sub(&in, ctx), prio, 6);
	CORE_RIG_OK(&self->r, modify_tis, &in, &out);
	prm_set(&ask, tisn, self->r.tis);
	CORE_RIG_OK(&self->r, query_tis, &ask, &told);
	EXPECT_EQ(6, prm_get(prm_sub(&told, tis_context), prio));
	EXPECT_EQ(self->r.td, prm_get(prm_sub(&told, tis_context), transport_domain));
	core_rig_expect_refusal(&self->r, &bad, PRM_OP_create_tis, &bad_in, sizeof(bad_in));
}

TEST_F(tis, affinity_names_a_port_of_the_bond)
{
	static const struct core_rig_refusal no_bond = { "no_bond", "ctx.lag_tx_port_affinity", 1,
							 PRM_STATUS_BAD_PARAM, EMU_SYND_LIMIT };
	static const struct core_rig_refusal third = { "third", "ctx.lag_tx_port_affinity", 3,
						       PRM_STATUS_BAD_PARAM, EMU_SYND_LIMIT };
	struct prm_create_tis_in in = { 0 };
	struct prm_create_tis_out out;
	struct prm_query_tis_in ask = { 0 };
	struct prm_query_tis_out told;

	prm_set(&in, uid, self->r.uid);
	prm_set(prm_sub(&in, ctx), transport_domain, self->r.td);
	core_rig_expect_refusal(&self->r, &no_bond, PRM_OP_create_tis, &in, sizeof(in));
	EXPECT_EQ(0, emu_set_option(self->r.adapter, "lag", 2));
	core_rig_expect_refusal(&self->r, &third, PRM_OP_create_tis, &in, sizeof(in));
	prm_set(prm_sub(&in, ctx), lag_tx_port_affinity, 2);
	CORE_RIG_OK(&self->r, create_tis, &in, &out);
	prm_set(&ask, tisn, prm_get(&out, tisn));
	CORE_RIG_OK(&self->r, query_tis, &ask, &told);
	EXPECT_EQ(2, prm_get(prm_sub(&told, tis_context), lag_tx_port_affinity));
}
