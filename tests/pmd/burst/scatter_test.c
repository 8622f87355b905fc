/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "devx_rxq.h"
#include "devx_txq.h"
#include "port_rig.h"

/*
 * Packets of several receive buffers. Buffers are small, so that a frame of the largest MTU fills
 * 20 of the 32 buffers of a WQE: one of FIRST bytes, then ones of MORE bytes.
 */

enum {
	MORE = 512,
	FIRST = MORE - RTE_PKTMBUF_HEADROOM,
	MTU = 9978,
	FRAME_MAX = MTU + DEVX_ETH_OVERHEAD,
	N_SEGS = 32, /* 20 rounded up */
	RING = 512,
	N_WQES = RING / N_SEGS,
	N_MBUFS = 1023,
};

FIXTURE(scatter)
{
	struct port_rig rig;
	struct rte_mempool *small; /* for receiving */
	struct rte_mempool *big;   /* for sending: a frame in one mbuf */
};

static int configure_mtu(struct ct_fix_scatter *self, uint16_t mtu, uint64_t offloads)
{
	const struct rte_eth_conf conf = { .rxmode = { .mtu = mtu, .offloads = offloads } };
	int rc = rte_eth_dev_configure(self->rig.port, 1, 1, &conf);

	if (!rc)
		rc = rte_eth_rx_queue_setup(self->rig.port, 0, RING, 0, NULL, self->small);
	if (!rc)
		rc = rte_eth_tx_queue_setup(self->rig.port, 0, RING, 0, NULL);
	return rc;
}

static void start_with_mtu(struct ct_fix_scatter *self, uint16_t mtu)
{
	ASSERT_EQ(0, configure_mtu(self, mtu, RTE_ETH_RX_OFFLOAD_SCATTER));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
}

FIXTURE_SETUP(scatter)
{
	struct rte_eth_dev_info info;

	port_rig_probe(&self->rig);
	ASSERT_EQ(0, rte_eth_dev_info_get(self->rig.port, &info));
	if (info.max_mtu < MTU)
		SKIP("the MTU of the port is %u; run devx-emu with --mtu %d", info.max_mtu, MTU);
	self->small = rte_pktmbuf_pool_create("small", N_MBUFS, 0, 0, MORE, 0);
	self->big = rte_pktmbuf_pool_create("big", 127, 0, 0, RTE_PKTMBUF_HEADROOM + 16384, 0);
	ASSERT_NE(NULL, self->small);
	ASSERT_NE(NULL, self->big);
	start_with_mtu(self, MTU);
}
FIXTURE_TEARDOWN(scatter)
{
	port_rig_down(&self->rig);
	mbuf_pool_free(self->small);
	mbuf_pool_free(self->big);
}

/* Returns byte @i of frame @seed; the frame has a MAC header of the port to itself. */
static uint8_t make_byte(uint32_t seed, uint32_t i)
{
	const uint32_t x = (seed + 1) * 2654435761u ^ i * 40503u;

	return (uint8_t)(x >> 13 ^ x >> 3);
}

static void fill_frame(const struct port_rig *rig, uint8_t *frame, uint32_t bytes, uint32_t seed)
{
	struct rte_ether_hdr *eth = (struct rte_ether_hdr *)frame;

	eth->dst_addr = rig->mac;
	eth->src_addr = rig->mac;
	eth->ether_type = rte_cpu_to_be_16(0x88b5); /* for local experiments */
	for (uint32_t i = sizeof(*eth); i < bytes; i++)
		frame[i] = make_byte(seed, i);
}

static bool send_frame(struct ct_fix_scatter *self, uint32_t bytes, uint32_t seed)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(self->big);

	if (!m)
		return false;
	fill_frame(&self->rig, (uint8_t *)rte_pktmbuf_append(m, (uint16_t)bytes), bytes, seed);
	return port_rig_send(&self->rig, &m, 1);
}

/* Compares every segment and every byte of a received packet with frame @seed. */
static void expect_frame(const struct port_rig *rig, const struct rte_mbuf *m, uint32_t bytes,
			 uint32_t seed)
{
	static uint8_t want[FRAME_MAX];
	uint32_t at = 0, left = bytes;
	uint16_t n = 0;

	SCOPED_TRACE("frame %u of %u bytes", seed, bytes);
	fill_frame(rig, want, bytes, seed);
	EXPECT_EQ(bytes, m->pkt_len);
	EXPECT_EQ(bytes <= FIRST ? 1 : 1 + (bytes - FIRST + MORE - 1) / MORE, m->nb_segs);
	for (const struct rte_mbuf *s = m; s; s = s->next, n++) {
		const uint32_t room = n ? MORE : FIRST;

		EXPECT_EQ(n ? 0 : RTE_PKTMBUF_HEADROOM, s->data_off);
		EXPECT_EQ(1, rte_mbuf_refcnt_read(s));
		EXPECT_EQ(rig->port, s->port);
		EXPECT_EQ(0, s->ol_flags);
		ASSERT_EQ(RTE_MIN(left, room), s->data_len);
		EXPECT_MEMEQ(want + at, rte_pktmbuf_mtod(s, uint8_t *), s->data_len);
		at += s->data_len;
		left -= s->data_len;
	}
	EXPECT_EQ(m->nb_segs, n);
	EXPECT_EQ(bytes, at);
}

static void exchange_frame(struct ct_fix_scatter *self, uint32_t bytes, uint32_t seed)
{
	struct rte_mbuf *m;

	ASSERT_TRUE(send_frame(self, bytes, seed));
	ASSERT_EQ(1, port_rig_receive(&self->rig, &m, 1));
	expect_frame(&self->rig, m, bytes, seed);
	rte_pktmbuf_free(m);
}

/* Takes all free mbufs of the pool. Returns how many. */
static unsigned int take_all(struct rte_mempool *pool, struct rte_mbuf **hoard)
{
	unsigned int n = 0;

	while ((hoard[n] = rte_pktmbuf_alloc(pool)))
		n++;
	return n;
}

/* Writes values that the driver has to replace into all free mbufs of the pool. */
static void soil_mbufs(struct rte_mempool *pool)
{
	static struct rte_mbuf *hoard[N_MBUFS + 1];
	const unsigned int n = take_all(pool, hoard);

	for (unsigned int i = 0; i < n; i++) {
		hoard[i]->ol_flags = RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_EXTERNAL;
		hoard[i]->data_off = 7;
		hoard[i]->data_len = 3;
		hoard[i]->port = 99;
	}
	rte_mempool_put_bulk(pool, (void **)hoard, n);
}

TEST_F(scatter, sizes_around_each_end_of_a_buffer_arrive)
{
	uint32_t n = 0;

	soil_mbufs(self->small);
	for (uint32_t end = FIRST; end < FRAME_MAX; end += MORE)
		for (uint32_t bytes = end - 1; bytes <= end + 1; bytes++)
			exchange_frame(self, bytes, n++);
	exchange_frame(self, 60, n++);
	exchange_frame(self, FRAME_MAX - 1, n++);
	exchange_frame(self, FRAME_MAX, n++);
	EXPECT_EQ(3 * 19 + 3, n);
}

/* Returns the length of frame @i: half of them are short, the others fill up to 20 buffers. */
static uint32_t choose_size(uint32_t i)
{
	return i % 2 ? 60 + i % 300 : 60 + i * 7919 % (FRAME_MAX - 60 + 1);
}

/* The ring has 16 WQEs: it wraps 125 times, and up to 12 frames are in flight. */
TEST_F(scatter, frames_arrive_in_order_while_the_ring_wraps)
{
	struct rte_mbuf *m[PORT_RIG_BURST];
	uint32_t sent = 0, got = 0;

	while (got < 2000) {
		uint16_t k;

		for (; sent < got + 1 + got % 12 && sent < 2000; sent++)
			ASSERT_TRUE(send_frame(self, choose_size(sent), sent));
		k = port_rig_receive(&self->rig, m, PORT_RIG_BURST);
		if (!k)
			FAIL("%u frames sent, only %u received", sent, got);
		for (uint16_t i = 0; i < k; i++, got++)
			expect_frame(&self->rig, m[i], choose_size(got), got);
		rte_pktmbuf_free_bulk(m, k);
	}
}

/* Frames of one buffer leave 31 buffers in their WQE: 16 WQEs need only 16 mbufs again. */
TEST_F(scatter, unused_buffers_of_a_short_frame_stay_in_the_ring)
{
	static struct rte_mbuf *hoard[N_MBUFS + 1];
	const unsigned int n = take_all(self->small, hoard);
	struct rte_mbuf *m[N_WQES];

	EXPECT_EQ(N_MBUFS - RING, n);
	for (uint32_t round = 0; round < 3; round++) {
		for (uint32_t i = 0; i < N_WQES; i++) {
			ASSERT_TRUE(send_frame(self, 60, i));
			ASSERT_EQ(1, port_rig_receive(&self->rig, &m[i], 1));
			expect_frame(&self->rig, m[i], 60, i);
		}
		EXPECT_EQ(0, rte_mempool_avail_count(self->small));
		rte_pktmbuf_free_bulk(m, N_WQES);
		EXPECT_EQ(0, rte_eth_rx_burst(self->rig.port, 0, m, 1)); /* fills the ring */
	}
	rte_pktmbuf_free_bulk(hoard, n);
	exchange_frame(self, FRAME_MAX, 9);
}

/*
 * The pool has 30 mbufs left, and each frame takes 20: a refill fills one WQE and a half, and a
 * later one the rest.
 */
TEST_F(scatter, refill_continues_in_a_WQE_that_got_only_some_of_its_buffers)
{
	static struct rte_mbuf *hoard[N_MBUFS + 1];
	const unsigned int n = take_all(self->small, hoard) - 30;
	struct rte_mbuf *m[N_WQES];

	rte_pktmbuf_free_bulk(&hoard[n], 30);
	for (uint32_t i = 0; i < N_WQES; i++) {
		ASSERT_TRUE(send_frame(self, FRAME_MAX, i));
		ASSERT_EQ(1, port_rig_receive(&self->rig, &m[i], 1));
	}
	EXPECT_EQ(0, rte_mempool_avail_count(self->small));
	EXPECT_LT(0, port_rig_get_xstat(&self->rig, "rx_mbuf_allocation_errors"));
	for (uint32_t i = 0; i < N_WQES; i++)
		expect_frame(&self->rig, m[i], FRAME_MAX, i);
	rte_pktmbuf_free_bulk(m, N_WQES / 2);                    /* returns some mbufs, then all */
	EXPECT_EQ(0, rte_eth_rx_burst(self->rig.port, 0, m, 1)); /* fills WQEs */
	for (uint32_t i = 0; i < N_WQES / 2; i++)
		exchange_frame(self, choose_size(i), i);
	rte_pktmbuf_free_bulk(&m[N_WQES / 2], N_WQES / 2);
	rte_pktmbuf_free_bulk(hoard, n);
	for (uint32_t i = 0; i < 3 * N_WQES; i++)
		exchange_frame(self, choose_size(i), i);
}

/* A stop while WQEs are half filled returns every mbuf: the teardown counts them. */
TEST_F(scatter, stop_frees_the_buffers_of_half_filled_WQEs)
{
	static struct rte_mbuf *hoard[N_MBUFS + 1];
	const unsigned int n = take_all(self->small, hoard) - 7;
	struct rte_mbuf *m;

	rte_pktmbuf_free_bulk(&hoard[n], 7);
	for (uint32_t i = 0; i < N_WQES / 2; i++) {
		ASSERT_TRUE(send_frame(self, 1000 + 700 * i, i));
		ASSERT_EQ(1, port_rig_receive(&self->rig, &m, 1));
		hoard[n + i] = m;
	}
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	rte_pktmbuf_free_bulk(hoard, n + N_WQES / 2);
	mbuf_pool_expect_all(self->small);
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	exchange_frame(self, FRAME_MAX, 1);
}

/* Frames of MTU 1500 need four buffers, which hold 1920 bytes. */
TEST_F(scatter, frame_longer_than_all_buffers_is_counted_and_its_buffers_stay)
{
	const uint32_t room = FIRST + 3 * MORE;
	struct devx_eth_txq *txq;
	struct rte_eth_stats stats;

	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	start_with_mtu(self, 1500);
	txq = rte_eth_devices[self->rig.port].data->tx_queues[0];
	txq->max_bytes = FRAME_MAX; /* another port of the network has a larger MTU */
	for (uint32_t i = 0; i < 200; i++) {
		ASSERT_TRUE(send_frame(self, room + 1 + i, i));
		exchange_frame(self, room - i, i);
	}
	EXPECT_EQ(200, port_rig_get_xstat(&self->rig, "rx_too_long_packets"));
	ASSERT_EQ(0, rte_eth_stats_get(self->rig.port, &stats));
	EXPECT_EQ(200, stats.ierrors);
	EXPECT_EQ(200, stats.ipackets);
	EXPECT_EQ(N_MBUFS - RING, rte_mempool_avail_count(self->small));
}

static bool has_recovered(const struct port_rig *rig, void *arg)
{
	struct rte_mbuf *m;

	RTE_SET_USED(arg);
	if (rte_eth_rx_burst(rig->port, 0, &m, 1))
		rte_pktmbuf_free(m);
	return port_rig_get_xstat(rig, "rx_recoveries") > 0;
}

static const struct fault {
	const char *name;
	enum devx_emu_inject what;
} faults[] = {
	{ "rq", DEVX_EMU_INJECT_RQ_ERROR },
	{ "cq", DEVX_EMU_INJECT_CQ_ERROR },
};

TEST_F_EACH(scatter, queue_receives_again_after_an_error_of, struct fault, faults)
{
	const struct devx_eth_rxq *rxq = rte_eth_devices[self->rig.port].data->rx_queues[0];

	NEEDS_EMU("to make a queue fail");
	for (uint32_t i = 0; i < 2; i++) {
		exchange_frame(self, choose_size(i), i);
		ASSERT_EQ(0, rte_eth_xstats_reset(self->rig.port));
		ASSERT_EQ(0, self->rig.emu->inject(0, row->what,
						   row->what == DEVX_EMU_INJECT_CQ_ERROR
							   ? rxq->cq.cqn
							   : rxq->rq.rqn));
		ASSERT_TRUE(port_rig_wait_until(has_recovered, &self->rig, NULL));
		EXPECT_EQ(N_MBUFS - RING, rte_mempool_avail_count(self->small));
	}
	for (uint32_t i = 0; i < 2 * N_WQES; i++)
		exchange_frame(self, choose_size(i), i);
}

/* ---- the MTU and the pool --------------------------------------------------------- */

TEST_F(scatter, without_the_offload_an_MTU_beyond_one_buffer_is_refused)
{
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	EXPECT_EQ(-EINVAL, configure_mtu(self, 1500, 0));
	EXPECT_SUBSTR("a frame of MTU 1500 needs 4 buffers of pool small (valid: at most 1, "
		      "MTU up to 366); request the offload SCATTER, or use a pool with a data room "
		      "of at least 1646 bytes",
		      port_rig_read_log());
	EXPECT_EQ(0, configure_mtu(self, FIRST - DEVX_ETH_OVERHEAD, 0));
	EXPECT_EQ(-EINVAL, rte_eth_dev_set_mtu(self->rig.port, FIRST - DEVX_ETH_OVERHEAD + 1));
	start_with_mtu(self, MTU);
}

TEST_F(scatter, more_than_32_buffers_per_frame_are_refused)
{
	struct rte_mempool *tiny =
		rte_pktmbuf_pool_create("tiny", 1023, 0, 0, RTE_PKTMBUF_HEADROOM + 160, 0);

	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	EXPECT_EQ(-EINVAL, rte_eth_rx_queue_setup(self->rig.port, 0, RING, 0, NULL, tiny));
	EXPECT_SUBSTR("needs 36 buffers of pool tiny (valid: at most 32, MTU up to 9070); "
		      "use a pool with a data room of at least 317 bytes",
		      port_rig_read_log());
	mbuf_pool_free(tiny);
	start_with_mtu(self, MTU);
}

TEST_F(scatter, a_started_port_gets_no_MTU_beyond_the_buffers_of_its_WQEs)
{
	struct rte_eth_rxq_info info;

	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	start_with_mtu(self, 1500);
	EXPECT_EQ(0, rte_eth_dev_set_mtu(self->rig.port, FIRST + 3 * MORE - DEVX_ETH_OVERHEAD));
	EXPECT_EQ(-EINVAL,
		  rte_eth_dev_set_mtu(self->rig.port, FIRST + 3 * MORE - DEVX_ETH_OVERHEAD + 1));
	EXPECT_SUBSTR("stop the port first", port_rig_read_log());
	ASSERT_EQ(0, rte_eth_rx_queue_info_get(self->rig.port, 0, &info));
	EXPECT_EQ(1, info.scattered_rx);
	EXPECT_EQ(RING, info.nb_desc);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	ASSERT_EQ(0, rte_eth_dev_set_mtu(self->rig.port, MTU));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	exchange_frame(self, FRAME_MAX, 1);
}

TEST_F(scatter, burst_mode_names_the_variant)
{
	struct rte_eth_burst_mode mode;

	ASSERT_EQ(0, rte_eth_rx_burst_mode_get(self->rig.port, 0, &mode));
	EXPECT_SUBSTR("scattered", mode.info);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	start_with_mtu(self, 300); /* fits one buffer */
	ASSERT_EQ(0, rte_eth_rx_burst_mode_get(self->rig.port, 0, &mode));
	EXPECT_STREQ(", one memory key", mode.info + strcspn(mode.info, ","));
	exchange_frame(self, 318, 1);
}
