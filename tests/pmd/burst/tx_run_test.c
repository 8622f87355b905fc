/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "burst/devx_tx_run.h"
#include "burst/devx_tx_tally.h"
#include "burst/tx_ring.h"

/*
 * Runs of packets that share multi-packet WQEs: bursts of every size, at every offset of the ring,
 * with an odd packet at every place. Every byte on the wire is compared.
 */

#define FULL                                                                                       \
	(RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_UDP_CKSUM |                            \
	 RTE_ETH_TX_OFFLOAD_MULTI_SEGS)
#define TAGS (FULL | RTE_ETH_TX_OFFLOAD_VLAN_INSERT)
#define TSO (TAGS | RTE_ETH_TX_OFFLOAD_TCP_TSO)

enum { LARGEST = 256, SMALL_RING = 64, N_ODD = 9, LEAST = 60 };

FIXTURE(tx_run)
{
	struct port_rig rig;
};
FIXTURE_SETUP(tx_run)
{
	port_rig_probe(&self->rig);
}
FIXTURE_TEARDOWN(tx_run)
{
	port_rig_down(&self->rig);
}

static uint32_t choose_size(uint32_t i)
{
	return LEAST + i % 7 * 13;
}

static void receive_packets(const struct port_rig *rig, uint32_t first, uint16_t n)
{
	struct rte_mbuf *m[PORT_RIG_BURST];

	for (uint16_t got = 0; got < n;) {
		const uint16_t k = port_rig_receive(rig, m, RTE_MIN(PORT_RIG_BURST, n - got));

		if (!k)
			FAIL("%u packets sent, only %u received", n, got);
		for (uint16_t i = 0; i < k; i++, got++)
			port_rig_expect_packet(rig, m[i], choose_size(first + got), first + got);
		rte_pktmbuf_free_bulk(m, k);
	}
}

static void exchange_burst(const struct port_rig *rig, uint32_t first, uint16_t n)
{
	struct rte_mbuf *m[LARGEST];

	for (uint16_t i = 0; i < n; i++) {
		m[i] = port_rig_make_packet(rig, choose_size(first + i), first + i);
		ASSERT_NE(NULL, m[i]);
	}
	if (port_rig_send(rig, m, n))
		receive_packets(rig, first, n);
}

TEST_F_EACH(tx_run, bursts_of_every_size_arrive, struct tx_variant, tx_variants)
{
	const uint16_t largest = self->rig.emu ? LARGEST : PORT_RIG_BURST;
	struct devx_eth_txq *txq = tx_variant_start(&self->rig, row, PORT_RIG_RING);
	uint32_t sent = 0;

	for (uint16_t n = 1; n <= largest; n++) {
		SCOPED_TRACE("burst of %u", n);
		exchange_burst(&self->rig, sent, n);
		sent += n;
	}
	EXPECT_EQ(sent, txq->n.packets);
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "tx_errors"));
}

/* Packets that go out one by one move the ring to a block where no burst of this size began yet. */
TEST_F_EACH(tx_run, ring_wraps_at_every_offset, struct tx_variant, tx_variants)
{
	static const uint16_t sizes[] = { SMALL_RING - 6, SMALL_RING - 13, 9 };
	const uint16_t offsets = self->rig.emu ? SMALL_RING : 4;
	struct devx_eth_txq *txq = tx_variant_start(&self->rig, row, SMALL_RING);
	uint32_t sent = 0;

	for (unsigned int i = 0; i < RTE_DIM(sizes); i++) {
		uint64_t seen = 0;

		while (__builtin_popcountll(seen) < offsets) {
			const uint16_t at = txq->sq.pi & (SMALL_RING - 1);
			const uint16_t n = seen >> at & 1 ? 1 : sizes[i];

			SCOPED_TRACE("burst of %u at block %u", n, at);
			exchange_burst(&self->rig, sent, n);
			sent += n;
			seen |= 1ull << at;
		}
	}
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "tx_errors"));
}

/* ---- one packet that may not share the WQE ----------------------------------------------- */

enum odd { SHORT, LONG, NO_KEY, CHECKSUM, SEGMENTS, LAST_OF_RANGE };

static const struct change {
	const char *name;
	enum odd odd;
	bool dropped;
	uint64_t offloads;
	const char *args; /* NULL: multi-packet WQEs */
} changes[] = {
	{ "too_short", SHORT, true, 0 },
	{ "too_long", LONG, true, 0 },
	{ "too_short_with_checksums", SHORT, true, FULL },
	{ "too_short_for_a_WQE_of_its_own", SHORT, true, FULL, "tx_burst=single" },
	{ "too_long_for_a_WQE_of_its_own", LONG, true, FULL, "tx_burst=single" },
	{ "without_memory_key", NO_KEY, true, 0 },
	{ "without_memory_key_with_TSO", NO_KEY, true, TSO },
	{ "with_checksum", CHECKSUM, false, FULL },
	{ "with_checksum_and_TSO", CHECKSUM, false, TSO },
	{ "of_two_segments", SEGMENTS, false, FULL },
	{ "of_two_segments_with_VLAN", SEGMENTS, false, TAGS },
	{ "at_the_end_of_the_range", LAST_OF_RANGE, false, 0 },
};

static uint8_t unregistered[2048];

static struct rte_mbuf *split_packet(struct port_rig *rig, struct rte_mbuf *m)
{
	struct rte_mbuf *tail = rte_pktmbuf_alloc(rig->pool);
	const uint16_t n = m->data_len / 2;

	memcpy(rte_pktmbuf_append(tail, n), rte_pktmbuf_mtod_offset(m, char *, m->data_len - n), n);
	rte_pktmbuf_trim(m, n);
	EXPECT_EQ(0, rte_pktmbuf_chain(m, tail));
	return m;
}

/* Makes a packet odd. Its checksums are right already, so the device computes the same ones. */
static struct rte_mbuf *change_packet(struct port_rig *rig, struct devx_eth_txq *txq,
				      struct rte_mbuf *m, const struct change *c)
{
	switch (c->odd) {
	case SHORT:
		m->data_len = RTE_ETHER_HDR_LEN - 1;
		m->pkt_len = m->data_len;
		break;
	case LONG:
		m->data_len = (uint16_t)(txq->max_bytes + 1);
		m->pkt_len = m->data_len;
		break;
	case NO_KEY:
		m->buf_addr = unregistered;
		break;
	case CHECKSUM:
		m->ol_flags |= RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM;
		m->l2_len = RTE_ETHER_HDR_LEN;
		m->l3_len = 20;
		break;
	case SEGMENTS:
		return split_packet(rig, m);
	case LAST_OF_RANGE:
		txq->range.bytes = rte_pktmbuf_mtod(m, uint64_t) + m->data_len - txq->range.addr;
		break;
	}
	return m;
}

static void exchange_odd(struct port_rig *rig, struct devx_eth_txq *txq, const struct change *c,
			 uint16_t place, uint32_t seed)
{
	void *good = NULL;
	struct rte_mbuf *m[N_ODD], *odd, *back[N_ODD];
	uint16_t n = 0;

	for (uint16_t i = 0; i < N_ODD; i++) {
		m[i] = port_rig_make_packet(rig, choose_size(i), seed + i);
		ASSERT_NE(NULL, m[i]);
	}
	good = m[place]->buf_addr;
	odd = m[place] = change_packet(rig, txq, m[place], c);
	if (c->odd == NO_KEY)
		rte_mbuf_refcnt_update(odd, 1); /* the burst must not free it with this address */
	ASSERT_TRUE(port_rig_send(rig, m, N_ODD));
	if (c->odd == NO_KEY) {
		odd->buf_addr = good;
		rte_pktmbuf_free(odd);
	}
	while (n < N_ODD - c->dropped) {
		const uint16_t k = port_rig_receive(rig, back + n, (uint16_t)(N_ODD - n));

		ASSERT_NE(0, k);
		n += k;
	}
	for (uint16_t i = 0, k = 0; i < N_ODD; i++)
		if (i != place || !c->dropped)
			port_rig_expect_packet(rig, back[k++], choose_size(i), seed + i);
	rte_pktmbuf_free_bulk(back, n);
}

TEST_F_EACH(tx_run, others_arrive_beside_an_odd_packet, struct change, changes)
{
	const struct tx_variant v = { "", row->args ? row->args : "tx_burst=auto", row->offloads,
				      NULL };
	struct devx_eth_txq *txq = tx_variant_start(&self->rig, &v, SMALL_RING);
	const uint64_t dropped = row->dropped ? 2 * N_ODD : 0;

	for (uint32_t i = 0; i < 2 * N_ODD; i++) {
		SCOPED_TRACE("odd packet at %u", i % N_ODD);
		exchange_odd(&self->rig, txq, row, (uint16_t)(i % N_ODD), 100 * i);
	}
	EXPECT_EQ(2 * N_ODD * N_ODD - dropped, txq->n.packets);
	EXPECT_EQ(row->odd == NO_KEY ? dropped : 0, txq->n.unregistered);
	EXPECT_EQ(row->odd == SHORT || row->odd == LONG ? dropped : 0, txq->n.bad_length);
	port_rig_read_log();
}

/* The last packet that may start in a range ends with the range, if it is as long as allowed. */
TEST(tx_near, longest_packet_that_would_leave_the_range_is_not_near)
{
	enum { START = 0x10000, MOST = 1518 };
	static const struct devx_eth_txq txq = { .range = { .addr = START, .bytes = 4096 } };
	static const struct devx_eth_txq small = { .range = { .addr = START, .bytes = MOST - 1 } };
	const struct devx_eth_tx_near near = devx_eth_tx_load_near(&txq, MOST);
	const struct devx_eth_tx_near none = devx_eth_tx_load_near(&small, MOST);

	EXPECT_FALSE(devx_eth_tx_is_near(&near, START - 1));
	EXPECT_TRUE(devx_eth_tx_is_near(&near, START));
	EXPECT_TRUE(devx_eth_tx_is_near(&near, START + 4096 - MOST));
	EXPECT_FALSE(devx_eth_tx_is_near(&near, START + 4096 - MOST + 1));
	EXPECT_FALSE(devx_eth_tx_is_near(&none, START));
}

/* ---- the vector implementation equals the scalar one ------------------------------------- */

#ifdef __SSE4_1__
static uint64_t draw_number(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state ^ *state >> 29;
}

TEST(tx_tally, vectors_equal_the_scalar_reference)
{
	struct rte_mbuf m;
	uint64_t state = 1;

	for (unsigned int run = 0; run < 1000; run++) {
		struct devx_eth_tx_sum want = devx_eth_tx_scalar_start(), got;
		struct devx_eth_tx_vectors vectors = devx_eth_tx_vector_start();

		for (unsigned int i = 0; i < 1 + run % 58; i++) {
			const prm_be32 lkey = { (uint32_t)draw_number(&state) };
			const uint64_t addr = draw_number(&state);
			struct prm_data_seg segs[2] __rte_aligned(16);

			for (size_t at = 0; at < sizeof(m); at += sizeof(state)) {
				const uint64_t word = draw_number(&state);

				memcpy((char *)&m + at, &word, sizeof(word));
			}
			devx_eth_tx_scalar_add(&want, &segs[0], &m, addr, lkey);
			devx_eth_tx_vector_add(&vectors, &segs[1], &m, addr,
					       devx_eth_tx_vector_load_key(lkey));
			EXPECT_MEMEQ(&segs[0], &segs[1], sizeof(segs[0]));
		}
		got = devx_eth_tx_vector_finish(&vectors);
		EXPECT_EQ(want.any_flags, got.any_flags);
		EXPECT_EQ(want.all_flags, got.all_flags);
		EXPECT_EQ(want.any_segs, got.any_segs);
		EXPECT_EQ(want.least, got.least);
		EXPECT_EQ(want.most, got.most);
		EXPECT_EQ(want.bytes, got.bytes);
		EXPECT_LE(got.low, want.low);
		EXPECT_GE(got.high, want.high);
	}
}

static struct devx_eth_tx_sum tally_addresses(const uint64_t *addr, unsigned int n)
{
	struct devx_eth_tx_vectors vectors = devx_eth_tx_vector_start();
	struct prm_data_seg seg __rte_aligned(16);
	const struct rte_mbuf m = { .nb_segs = 1 };

	for (unsigned int i = 0; i < n; i++)
		devx_eth_tx_vector_add(&vectors, &seg, &m, addr[i],
				       devx_eth_tx_vector_load_key((prm_be32){ 0 }));
	return devx_eth_tx_vector_finish(&vectors);
}

TEST(tx_tally, bounds_of_addresses_are_off_by_less_than_64_KiB)
{
	static const uint64_t packets[] = { 0x7f1280ff0080, 0x7f1280010010, 0x7f12ffff2000 };
	const struct devx_eth_tx_sum sum = tally_addresses(packets, 3);

	EXPECT_EQ(0x7f1280010010 & ~UINT64_C(0xffff), sum.low & ~UINT64_C(0xffff));
	EXPECT_EQ(0x7f12ffff2000 & ~UINT64_C(0xffff), sum.high & ~UINT64_C(0xffff));
	EXPECT_LE(sum.low, UINT64_C(0x7f1280010010));
	EXPECT_GE(sum.high, UINT64_C(0x7f12ffff2000));
}

/* The bounds then are far outside; each packet is looked at. */
TEST(tx_near, packets_on_both_sides_of_4_GiB_are_near)
{
	enum { BYTES = 1 << 20, MOST = 1518 };
	static const struct devx_eth_txq txq = { .range = { .addr = (1ull << 32) - BYTES / 2,
							    .bytes = BYTES } };
	const struct devx_eth_tx_near near = devx_eth_tx_load_near(&txq, MOST);
	static const uint64_t addr[] = { (1ull << 32) - 0x8000, (1ull << 32) + 0x4000 };
	static struct rte_mbuf m[2];
	struct rte_mbuf *pkts[2] = { &m[0], &m[1] };
	const struct devx_eth_tx_sum sum = tally_addresses(addr, 2);

	EXPECT_FALSE(devx_eth_tx_is_near(&near, sum.low));
	for (unsigned int i = 0; i < 2; i++)
		m[i].buf_addr = (void *)(uintptr_t)addr[i];
	EXPECT_TRUE(devx_eth_tx_is_run_near(&near, &sum, pkts, 2));
	m[1].buf_addr = (void *)(uintptr_t)((1ull << 32) + BYTES / 2);
	EXPECT_FALSE(devx_eth_tx_is_run_near(&near, &sum, pkts, 2));
}
#endif
