/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The segments that packet_expect() makes are those of librte_gso, which segments in software.
 */
#include <string.h>

#include <rte_gso.h>

#include "ct.h"
#include "frame_words.h"
#include "lab.h"
#include "mbuf_pool.h"
#include "packet.h"

enum { N_MBUFS = 255, MOST_SEGMENTS = 32, MSS = 1000 };

/* librte_gso does not know IPv6. */
static const struct packet rows[] = {
	{ "ip4 tcp pay:3000", "ip l4 tso:1000", "" },
	{ "ip4+opt tcp+opt+fin pay:5001", "ip l4 tso:1000", "" },
	{ "vlan:100 ip4 tcp pay:4999", "ip l4 tso:1000", "" },
	{ "ip4 tcp pay:8000", "ip l4 tso:1000", "54,3*2000" },
	{ "ip4 udp+nosum vxlan eth ip4 tcp+fin pay:5000", "outer ip l4 tso:1000", "" },
	{ "ip4 gre ip4 tcp pay:5000", "outer ip l4 tso:1000", "104,1000" },
};

/* librte_gso computes no checksums. */
static void clear_sums(const struct frame *f, uint8_t *data)
{
	for (unsigned int i = 0; i < f->n_layers; i++) {
		const struct frame_layer *l = &f->layer[i];

		if (l->kind == FRAME_IP4)
			write_be16(data + l->off + 10, 0);
		else if (l->kind == FRAME_TCP)
			write_be16(data + l->off + 16, 0);
	}
}

static void compare_segments(const struct packet *p, struct rte_mempool *pool)
{
	static struct frame f;
	static uint8_t want[FRAME_MAX], got[FRAME_MAX];
	struct rte_mbuf *m, *out[MOST_SEGMENTS];
	struct rte_gso_ctx ctx = { .direct_pool = pool,
				   .indirect_pool = pool,
				   .gso_types = RTE_ETH_TX_OFFLOAD_TCP_TSO |
						RTE_ETH_TX_OFFLOAD_VXLAN_TNL_TSO |
						RTE_ETH_TX_OFFLOAD_GRE_TNL_TSO };
	int n;

	SCOPED_TRACE("%s", p->frame);
	ASSERT_TRUE(frame_make(&f, p->frame, 0, &(struct rte_ether_addr){ { 2 } }));
	m = packet_make(p, &f, pool);
	ASSERT_NE(NULL, m);
	ctx.gso_size = (uint16_t)(f.layer[f.n_layers - 1].off + MSS);
	n = rte_gso_segment(m, &ctx, out, MOST_SEGMENTS);
	ASSERT_LT(1, n);
	for (int i = 0; i < n; i++) {
		const uint32_t bytes = packet_expect(p, &f, (unsigned int)i, want);
		const uint8_t *data = rte_pktmbuf_read(out[i], 0, out[i]->pkt_len, got);

		ASSERT_EQ(bytes, out[i]->pkt_len);
		if (data != got)
			memcpy(got, data, bytes);
		clear_sums(&f, want);
		clear_sums(&f, got);
		EXPECT_MEMEQ(want, got, bytes);
	}
	EXPECT_EQ(0, packet_expect(p, &f, (unsigned int)n, want));
	rte_pktmbuf_free_bulk(out, (unsigned int)n);
	rte_pktmbuf_free(m);
}

TEST(differ, expected_segments_are_those_of_librte_gso)
{
	struct rte_mempool *pool;

	if (!lab_open())
		return;
	pool = rte_pktmbuf_pool_create("gso", N_MBUFS, 0, 0, FRAME_MAX, 0);
	ASSERT_NE(NULL, pool);
	for (unsigned int i = 0; i < RTE_DIM(rows); i++)
		compare_segments(&rows[i], pool);
	mbuf_pool_free(pool);
}
