/* SPDX-License-Identifier: BSD-3-Clause */
#include <rte_errno.h>

#include "port_rig.h"

/* rte_eth_tx_prepare(): packets that a burst would send otherwise than requested. */

FIXTURE(prepare)
{
	struct port_rig rig;
	struct rte_mbuf *m[3];
};
FIXTURE_SETUP(prepare)
{
	port_rig_up(&self->rig, &(struct port_rig_config){ .eth.txmode.offloads =
								   RTE_ETH_TX_OFFLOAD_IPV4_CKSUM |
								   RTE_ETH_TX_OFFLOAD_UDP_CKSUM });
	for (int i = 0; i < 3; i++)
		self->m[i] = port_rig_make_packet(&self->rig, 200, 0);
}
FIXTURE_TEARDOWN(prepare)
{
	rte_pktmbuf_free_bulk(self->m, 3);
	port_rig_down(&self->rig);
}

static const struct request {
	const char *name;
	uint64_t ol_flags;
	int err; /* 0: accepted */
} requests[] = {
	{ "nothing", 0, 0 },
	{ "ip_and_udp_checksums",
	  RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_UDP_CKSUM, 0 },
	{ "checksum_that_the_queue_lacks", RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_TCP_CKSUM, ENOTSUP },
	{ "sctp_checksum", RTE_MBUF_F_TX_SCTP_CKSUM, ENOTSUP },
	{ "tso", RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_TCP_SEG, ENOTSUP },
	{ "vlan_insertion", RTE_MBUF_F_TX_VLAN, ENOTSUP },
	{ "qinq_insertion", RTE_MBUF_F_TX_QINQ, ENOTSUP },
	{ "outer_checksum", RTE_MBUF_F_TX_OUTER_IP_CKSUM, ENOTSUP },
};

TEST_F_EACH(prepare, accepts_only_offloads_of_the_queue, struct request, requests)
{
	self->m[1]->ol_flags |= row->ol_flags;
	rte_errno = 0;
	EXPECT_EQ(row->err ? 1 : 3, rte_eth_tx_prepare(self->rig.port, 0, self->m, 3));
	EXPECT_EQ(row->err, rte_errno);
}

TEST_F(prepare, refuses_a_length_and_a_chain_that_a_burst_drops)
{
	struct rte_mbuf *chain = port_rig_make_packet(&self->rig, 200, 0);

	self->m[0]->pkt_len = self->m[0]->data_len = 13;
	EXPECT_EQ(0, rte_eth_tx_prepare(self->rig.port, 0, self->m, 3));
	EXPECT_EQ(EINVAL, rte_errno);
	self->m[0]->pkt_len = self->m[0]->data_len = 14;
	EXPECT_EQ(3, rte_eth_tx_prepare(self->rig.port, 0, self->m, 3));
	ASSERT_EQ(0, rte_pktmbuf_chain(self->m[2], chain)); /* without offload MULTI_SEGS */
	rte_errno = 0;
	EXPECT_EQ(2, rte_eth_tx_prepare(self->rig.port, 0, self->m, 3));
	EXPECT_EQ(EINVAL, rte_errno);
}
