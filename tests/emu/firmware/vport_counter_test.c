/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_rig.h"

FIXTURE(vport_counter)
{
	struct core_rig r;
};
FIXTURE_SETUP(vport_counter)
{
	core_rig_open(&self->r, &(struct core_rig_config){ .no_context = true });
}
FIXTURE_TEARDOWN(vport_counter)
{
	core_rig_close(&self->r);
}

#define TRAFFIC(field)                                                                             \
	{                                                                                          \
#field, #field ".packets", #field ".octets"                                        \
	}

/* The fields in the order of struct emu_vport_counters. */
static const struct traffic {
	const char *name, *packets, *octets;
} traffics[] = {
	TRAFFIC(received_eth_unicast),      TRAFFIC(received_eth_multicast),
	TRAFFIC(received_eth_broadcast),    TRAFFIC(transmitted_eth_unicast),
	TRAFFIC(transmitted_eth_multicast), TRAFFIC(transmitted_eth_broadcast),
};

static uint64_t get_count(const struct prm_query_vport_counter_out *out, const char *field)
{
	size_t bit;
	const struct prm_row *row =
		core_rig_find_row(&prm_layout_query_vport_counter_out, field, &bit);

	return prm_get_(out->dw, bit, row->width);
}

TEST_F(vport_counter, query_returns_each_counter_and_clears_all_if_asked)
{
	struct prm_query_vport_counter_in in = { 0 };
	struct prm_query_vport_counter_out out;
	uint64_t *counters = (uint64_t *)(void *)&self->r.emu->vport;

	for (unsigned i = 0; i < sizeof(self->r.emu->vport) / sizeof(uint64_t); i++)
		counters[i] = 1000 + i;
	for (int clear = 0; clear < 2; clear++) {
		prm_set(&in, clear, clear);
		CORE_RIG_OK(&self->r, query_vport_counter, &in, &out);
		for (unsigned i = 0; i < sizeof(traffics) / sizeof(traffics[0]); i++) {
			SCOPED_TRACE("%s", traffics[i].name);
			EXPECT_EQ(1000 + 2 * i, get_count(&out, traffics[i].packets));
			EXPECT_EQ(1001 + 2 * i, get_count(&out, traffics[i].octets));
		}
	}
	EXPECT_EQ(0, self->r.emu->vport.rx_uc_packets);
	EXPECT_EQ(0, self->r.emu->vport.rx_error);
}

TEST_F(vport_counter, query_adds_up_errors_and_drops)
{
	struct prm_query_vport_counter_in in = { 0 };
	struct prm_query_vport_counter_out out;
	struct prm_query_vnic_env_in env_in = { 0 };
	struct prm_query_vnic_env_out env;

	self->r.emu->vport = (struct emu_vport_counters){
		.rx_error = 4,
		.rx_oversize = 70,
		.tx_oversize = 800,
		.rx_steering_miss = 5,
		.rx_dropped = 60,
	};
	CORE_RIG_OK(&self->r, query_vport_counter, &in, &out);
	EXPECT_EQ(74, get_count(&out, "received_errors.packets"));
	EXPECT_EQ(800, get_count(&out, "transmit_errors.packets"));
	CORE_RIG_OK(&self->r, query_vnic_env, &env_in, &env);
	EXPECT_EQ(65, prm_get(prm_sub(&env, vport_env), nic_receive_steering_discard));
}
