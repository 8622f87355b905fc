/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "burst/tx_frames.h"
#include "dmabuf.h"
#include "rte_pmd_devx.h"

/*
 * TSO, VLAN tags and checksums of packets whose payload is in a dma-buf, which the CPU must not
 * touch. The headers are in ordinary memory. Every byte on the wire is compared.
 */

#define OFFLOADS                                                                                   \
	(RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_CKSUM |                            \
	 RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_TSO |                        \
	 RTE_ETH_TX_OFFLOAD_VXLAN_TNL_TSO | RTE_ETH_TX_OFFLOAD_VLAN_INSERT |                       \
	 RTE_ETH_TX_OFFLOAD_MULTI_SEGS)

enum {
	BYTES = 1 << 20,
	N_MBUFS = 320,
	DATA_ROOM = RTE_PKTMBUF_HEADROOM + 2048,
	TX_RING = 64,
	TCI = 0x0fed,
};

FIXTURE(dmabuf_tso)
{
	struct port_rig rig;
	struct test_dmabuf buf;
	struct rte_mempool *pool; /* in the dma-buf */
	struct tx_packet packet, head;
	uint64_t offloads; /* those of OFFLOADS that the device has */
};
FIXTURE_SETUP(dmabuf_tso)
{
	struct rte_pmd_devx_dmabuf part = { .length = BYTES };
	struct port_rig_config config = { .n_tx_desc = TX_RING };
	struct rte_eth_dev_info info;

	port_rig_probe(&self->rig);
	ASSERT_TRUE(test_dmabuf_up(&self->buf, BYTES));
	self->rig.objects.descriptors++; /* until test_dmabuf_down() */
	part.fd = self->buf.fd;
	part.address = (uintptr_t)self->buf.device;
	self->pool = rte_pmd_devx_dmabuf_pool_create("dmabuf", N_MBUFS, 32, DATA_ROOM, 0,
						     part.address, BYTES);
	ASSERT_NE(NULL, self->pool);
	ASSERT_EQ(0, rte_pmd_devx_dmabuf_register(self->rig.port, &part));
	ASSERT_EQ(0, rte_eth_dev_info_get(self->rig.port, &info));
	config.eth.txmode.offloads = self->offloads = OFFLOADS & info.tx_offload_capa;
	EXPECT_TRUE(self->offloads & RTE_ETH_TX_OFFLOAD_TCP_TSO);
	ASSERT_EQ(0, port_rig_configure(&self->rig, &config));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
}
FIXTURE_TEARDOWN(dmabuf_tso)
{
	port_rig_down(&self->rig);
	mbuf_pool_free(self->pool);
	test_dmabuf_down(&self->buf);
}

static const struct shape {
	const char *name;
	enum tx_kind kind;
	uint32_t payload;
	uint16_t mss;
	uint16_t more;  /* bytes of the payload that follow the headers in ordinary memory */
	uint16_t first; /* bytes in each of the first two mbufs; 0: all headers in one */
	uint16_t part;  /* bytes in each mbuf of the dma-buf */
	bool tag;
} shapes[] = {
	{ "one_segment", TX_IPV4, 2000, 700, 0, 0, 2048, false },
	{ "many_segments", TX_IPV4, 9000, 1400, 0, 0, 500, false },
	{ "segments_of_odd_length", TX_IPV4, 3001, 999, 0, 0, 77, false },
	{ "64_KiB", TX_IPV4, 65535 - 52, 1448, 0, 0, 2048, false },
	{ "part_of_the_payload_in_ordinary_memory", TX_IPV4, 3000, 1000, 123, 0, 1024, false },
	{ "headers_in_three_mbufs", TX_IPV4, 3000, 1000, 0, 25, 1024, false },
	{ "tag", TX_IPV4, 5000, 1448, 0, 0, 2048, true },
	{ "ipv6_tag", TX_IPV6, 5000, 1300, 0, 0, 700, true },
	{ "vxlan", TX_VXLAN_IPV4, 5000, 1300, 0, 0, 2048, false },
	{ "vxlan_tag", TX_VXLAN_IPV6, 5000, 1300, 9, 0, 600, true },
	{ "checksums_only", TX_IPV4, 1200, 0, 0, 0, 300, false },
	{ "checksums_and_tag", TX_IPV6, 1200, 0, 0, 0, 2048, true },
};

/* Copies the packet into mbufs: headers into ordinary memory, the rest into the dma-buf. */
static struct rte_mbuf *make_mbuf(struct ct_fix_dmabuf_tso *self, const struct shape *s)
{
	const struct tx_packet *p = &self->packet;
	struct rte_mbuf *m;

	self->head = *p;
	self->head.n = p->header + s->more;
	m = tx_packet_to_mbuf(&self->head, &self->rig, s->first, 2048, s->mss);
	for (uint32_t at = self->head.n, n; m && at < p->n; at += n) {
		struct rte_mbuf *part = rte_pktmbuf_alloc(self->pool);
		const uint8_t *data;

		if (!part)
			return NULL;
		n = RTE_MIN(s->part, p->n - at);
		data = (uint8_t *)rte_pktmbuf_append(part, (uint16_t)n);
		memcpy(self->buf.memory + (data - self->buf.device), p->bytes + at, n);
		rte_pktmbuf_chain(m, part);
	}
	if (m && s->tag) {
		m->ol_flags |= RTE_MBUF_F_TX_VLAN;
		m->vlan_tci = TCI;
	}
	return m;
}

TEST_F_EACH(dmabuf_tso, every_byte_of_all_segments_is_right, struct shape, shapes)
{
	/* on emu the ring wraps inside headers; a guest is slow */
	const uint32_t rounds = self->rig.emu ? 12 : 2;

	if (row->kind >= TX_VXLAN_IPV4 && !(self->offloads & RTE_ETH_TX_OFFLOAD_VXLAN_TNL_TSO))
		SKIP("the device has no offloads in tunnels");
	for (uint32_t seed = 0; seed < rounds; seed++) {
		struct rte_mbuf *m;

		tx_packet_make(&self->packet, &self->rig, row->kind, row->payload, seed);
		m = make_mbuf(self, row);
		ASSERT_NE(NULL, m);
		EXPECT_EQ(1, rte_eth_tx_prepare(self->rig.port, 0, &m, 1));
		ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
		tx_packet_expect(&self->packet, &self->rig, row->mss,
				 row->tag ? RTE_ETHER_TYPE_VLAN : 0, TCI);
	}
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "tx_errors"));
}
