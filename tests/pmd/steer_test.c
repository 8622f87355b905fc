/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "port_rig.h"

/* Packets that the port receives in each mode. */

FIXTURE(steer)
{
	struct port_rig rig;
};
FIXTURE_SETUP(steer)
{
	port_rig_up(&self->rig, &(struct port_rig_config){ 0 });
}
FIXTURE_TEARDOWN(steer)
{
	port_rig_down(&self->rig);
}

enum { OWN, BROADCAST, MULTICAST, FOREIGN, N_KINDS };

static void set_destination(const struct port_rig *rig, struct rte_mbuf *m, int kind)
{
	static const struct rte_ether_addr other[N_KINDS] = {
		[BROADCAST] = { { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } },
		[MULTICAST] = { { 0x01, 0x00, 0x5e, 1, 2, 3 } },
		[FOREIGN] = { { 0x02, 0x00, 0x00, 0x11, 0x22, 0x33 } },
	};

	rte_pktmbuf_mtod(m, struct rte_ether_hdr *)->dst_addr =
		kind == OWN ? rig->mac : other[kind];
}

/* Sends a packet of each kind, then one to the port; returns a bit for each received kind. */
static unsigned int find_kinds_taken(struct port_rig *rig)
{
	unsigned int kinds = 0;

	for (int i = 0; i <= N_KINDS; i++) {
		struct rte_mbuf *m = port_rig_make_packet(rig, 60 + (uint32_t)i, 0);

		set_destination(rig, m, i < N_KINDS ? i : OWN);
		if (!port_rig_send(rig, &m, 1))
			return 0;
	}
	while (!(kinds & 1u << N_KINDS)) {
		struct rte_mbuf *m;

		if (!port_rig_receive(rig, &m, 1)) {
			ADD_FAILURE("the last packet, to the own MAC, was not received");
			return kinds;
		}
		EXPECT_FALSE(kinds & 1u << (m->pkt_len - 60)); /* no packet is received twice */
		kinds |= 1u << (m->pkt_len - 60);
		rte_pktmbuf_free(m);
	}
	return kinds & ~(1u << N_KINDS);
}

TEST_F(steer, port_takes_own_address_and_broadcast)
{
	EXPECT_EQ(1u << OWN | 1u << BROADCAST, find_kinds_taken(&self->rig));
}

TEST_F(steer, all_multicast_mode_adds_multicast)
{
	ASSERT_EQ(0, rte_eth_allmulticast_enable(self->rig.port));
	EXPECT_EQ(1u << OWN | 1u << BROADCAST | 1u << MULTICAST, find_kinds_taken(&self->rig));
	ASSERT_EQ(0, rte_eth_allmulticast_disable(self->rig.port));
	EXPECT_EQ(1u << OWN | 1u << BROADCAST, find_kinds_taken(&self->rig));
}

TEST_F(steer, promiscuous_mode_takes_all_packets)
{
	ASSERT_EQ(0, rte_eth_promiscuous_enable(self->rig.port));
	EXPECT_EQ((1u << N_KINDS) - 1, find_kinds_taken(&self->rig));
	ASSERT_EQ(0, rte_eth_promiscuous_disable(self->rig.port));
	EXPECT_EQ(1u << OWN | 1u << BROADCAST, find_kinds_taken(&self->rig));
}

TEST_F(steer, modes_outlive_a_restart)
{
	ASSERT_EQ(0, rte_eth_promiscuous_enable(self->rig.port));
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	EXPECT_EQ((1u << N_KINDS) - 1, find_kinds_taken(&self->rig));
}
