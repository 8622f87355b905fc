/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_malloc.h>

#include "burst/devx_burst_mode.h"
#include "burst/rx_ring.h"
#include "write_trap.h"

/*
 * Every receive function, with CQEs that the test writes (rx_ring.h): bursts of every size, from
 * every slot, with every number of CQEs, with errors at every place, without mbufs.
 */

#define HASH RTE_ETH_RX_OFFLOAD_RSS_HASH
#define ALL                                                                                        \
	(HASH | RTE_ETH_RX_OFFLOAD_CHECKSUM | RTE_ETH_RX_OFFLOAD_VLAN_STRIP |                      \
	 RTE_ETH_RX_OFFLOAD_TIMESTAMP)

enum { SMALL = 16 };

FIXTURE(rx_ring)
{
	struct port_rig rig;
};
FIXTURE_SETUP(rx_ring)
{
	port_rig_probe(&self->rig);
}
FIXTURE_TEARDOWN(rx_ring)
{
	port_rig_down(&self->rig);
}

/** struct variant - a receive function; @simd: value of the argument rx_burst */
struct variant {
	const char *name, *simd;
	uint64_t offloads;
};

#define VARIANTS(simd)                                                                             \
	{ simd, simd, 0 }, { simd "_all", simd, ALL }, { simd "_hash", simd, HASH },               \
		{ simd "_checksum", simd, RTE_ETH_RX_OFFLOAD_CHECKSUM },                           \
		{ simd "_CRC", simd, RTE_ETH_RX_OFFLOAD_KEEP_CRC },                                \
	{                                                                                          \
		simd "_VLAN", simd, RTE_ETH_RX_OFFLOAD_VLAN_STRIP                                  \
	}
static const struct variant all_fields[] = { VARIANTS("scalar"), VARIANTS("avx2"),
					     VARIANTS("avx512") };

/* the fewest and the most fields, for tests of other things */
#define FEW_VARIANTS(simd)                                                                         \
	{ simd, simd, 0 },                                                                         \
	{                                                                                          \
		simd "_all", simd, ALL                                                             \
	}
static const struct variant variants[] = { FEW_VARIANTS("scalar"), FEW_VARIANTS("avx2"),
					   FEW_VARIANTS("avx512") };

static struct rx_ring ring;

/* Starts the port with the function. Returns false if the processor cannot run it. */
static bool start_variant(struct port_rig *rig, const struct variant *v)
{
	struct port_rig_config config = { .eth.rxmode.offloads = v->offloads };
	struct rte_eth_burst_mode mode = { 0 };
	enum devx_eth_simd simd;
	char args[64];

	if (devx_eth_rx_simd_find(v->simd, &simd) == -ENOTSUP)
		return false;
	snprintf(args, sizeof(args), "ibdev=mlx5_0,rx_burst=%s", v->simd);
	if (v->offloads & HASH) {
		config.eth.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS;
		config.eth.rx_adv_conf.rss_conf.rss_hf = RTE_ETH_RSS_IP;
	}
	port_rig_remove_port(rig);
	port_rig_add_port_with(rig, args);
	EXPECT_EQ(0, port_rig_configure(rig, &config));
	EXPECT_EQ(0, rte_eth_dev_start(rig->port));
	EXPECT_EQ(0, rte_eth_rx_burst_mode_get(rig->port, 0, &mode));
	EXPECT_EQ(0, strncmp(v->simd, mode.info, strlen(v->simd)));
	return true;
}

#define START(rig, v)                                                                              \
	do {                                                                                       \
		if (!start_variant(rig, v))                                                        \
			SKIP("the processor lacks %s", (v)->simd);                                 \
	} while (0)

/* The rings have 512 slots, so the bursts also begin at many slots, and cross the end. */
TEST_F_EACH(rx_ring, burst_of_every_size_returns_what_it_asks_for, struct variant, all_fields)
{
	START(&self->rig, row);
	ASSERT_TRUE(rx_ring_open(&ring, &self->rig, RX_RING_MAX));
	for (uint16_t n = 1; n <= 256; n++) {
		rx_ring_write(&ring, n + (n & 7));
		ASSERT_TRUE(rx_ring_take(&ring, n, n));
		if (n & 7)
			ASSERT_TRUE(rx_ring_take(&ring, 8, n & 7));
	}
	rx_ring_close(&ring);
}

static bool take_waiting(uint16_t waiting, uint16_t n)
{
	const uint16_t now = RTE_MIN(n, waiting);

	rx_ring_write(&ring, waiting);
	return rx_ring_take(&ring, n, now) && rx_ring_take(&ring, SMALL, waiting - now) &&
	       rx_ring_take(&ring, SMALL, 0);
}

/* The slots hold CQEs of the pass before. */
TEST_F_EACH(rx_ring, burst_from_every_slot_returns_what_is_there, struct variant, variants)
{
	static const uint16_t sizes[] = { 1, 2, 3, 4, 5, 8, 9, SMALL - 1, SMALL, 2 * SMALL };

	START(&self->rig, row);
	for (uint16_t from = 0; from < SMALL; from++) {
		ASSERT_TRUE(rx_ring_open(&ring, &self->rig, SMALL));
		ASSERT_TRUE(!from || take_waiting(from, from));
		for (uint16_t waiting = 1; waiting <= SMALL - SMALL / 4; waiting++)
			for (unsigned int i = 0; i < RTE_DIM(sizes); i++)
				ASSERT_TRUE(take_waiting(waiting, sizes[i]));
		rx_ring_close(&ring);
	}
}

/* One CQE is missing, the ones behind it are there: the CPU sees stores of the device late. */
TEST_F_EACH(rx_ring, burst_ends_at_a_CQE_that_is_missing, struct variant, variants)
{
	START(&self->rig, row);
	for (uint16_t from = 0; from < SMALL; from++)
		for (uint16_t at = 0; at < SMALL / 2; at++) {
			uint8_t *op_own;

			ASSERT_TRUE(rx_ring_open(&ring, &self->rig, SMALL));
			ASSERT_TRUE(!from || take_waiting(from, from));
			op_own = &ring.cqes[(ring.written + at) % SMALL].op_own;
			rx_ring_write(&ring, SMALL / 2);
			*op_own ^= PRM_CQE_OWNER;
			ASSERT_TRUE(rx_ring_take(&ring, SMALL, at));
			*op_own ^= PRM_CQE_OWNER;
			ASSERT_TRUE(rx_ring_take(&ring, SMALL, SMALL / 2 - at));
			rx_ring_close(&ring);
		}
}

/* A frame that is longer than its buffer, or has another error: the device drops it and goes on. */
TEST_F_EACH(rx_ring, burst_passes_the_CQE_of_a_dropped_frame, struct variant, variants)
{
	static const uint8_t syndromes[] = { PRM_SYND_LOCAL_LENGTH, PRM_SYND_MW_BIND,
					     PRM_SYND_LOCAL_ACCESS };

	START(&self->rig, row);
	for (uint16_t from = 0; from < SMALL; from++)
		for (uint16_t at = 0; at < SMALL / 2; at++) {
			const uint8_t syndrome = syndromes[(from + at) % RTE_DIM(syndromes)];
			const bool is_long = syndrome == PRM_SYND_LOCAL_LENGTH;
			uint32_t error;

			ASSERT_TRUE(rx_ring_open(&ring, &self->rig, SMALL));
			ASSERT_TRUE(!from || take_waiting(from, from));
			rx_ring_write(&ring, at);
			error = ring.written;
			rx_ring_write_error(&ring, syndrome);
			rx_ring_write(&ring, SMALL / 2 - at);
			ASSERT_TRUE(rx_ring_take_around(&ring, SMALL, SMALL / 2, error));
			EXPECT_EQ(is_long, ring.rxq.n.too_long);
			EXPECT_EQ(!is_long, ring.rxq.n.failed);
			EXPECT_EQ(0, ring.rxq.n.error_cqes);
			EXPECT_EQ(from + SMALL / 2, ring.rxq.n.packets);
			rx_ring_close(&ring);
		}
}

/* The queue is in ERR: the burst returns the packets before it, and the recovery gets the queue. */
TEST_F_EACH(rx_ring, burst_ends_at_an_error_CQE, struct variant, variants)
{
	static const uint8_t syndromes[] = { PRM_SYND_LOCAL_QP_OP, PRM_SYND_LOCAL_PROT,
					     PRM_SYND_WR_FLUSH };

	START(&self->rig, row);
	for (uint16_t from = 0; from < SMALL; from++)
		for (uint16_t at = 0; at < SMALL / 2; at++) {
			const uint8_t syndrome = syndromes[(from + at) % RTE_DIM(syndromes)];

			ASSERT_TRUE(rx_ring_open(&ring, &self->rig, SMALL));
			ASSERT_TRUE(!from || take_waiting(from, from));
			rx_ring_write(&ring, at);
			rx_ring_write_error(&ring, syndrome);
			rx_ring_write(&ring, SMALL / 2 - at);
			ASSERT_TRUE(rx_ring_take(&ring, SMALL, at));
			EXPECT_EQ(DEVX_ETH_BROKEN, ring.rxq.owner);
			EXPECT_EQ(1, ring.rxq.n.error_cqes);
			EXPECT_EQ(syndrome, ring.rxq.error_syndrome);
			EXPECT_EQ(from + at, ring.rxq.n.packets);
			rx_ring_close(&ring);
		}
}

/* Every second burst has the CQE of a long frame, whose fields the driver also reads. */
TEST_F_EACH(rx_ring, device_may_act_at_each_store_to_a_record, struct variant, all_fields)
{
	if (!write_trap_is_possible())
		SKIP("the trap flag is needed, which only x86-64 has");
	START(&self->rig, row);
	ASSERT_TRUE(rx_ring_open(&ring, &self->rig, SMALL));
	ring.is_hasty = true;
	for (uint16_t n = 1; n <= 12 * SMALL; n++) {
		const uint16_t waiting = n % (SMALL - SMALL / 4 - 1) + 1;
		const uint32_t error = n & 1 ? ring.written : UINT32_MAX;

		if (n & 1)
			rx_ring_write_error(&ring, PRM_SYND_LOCAL_LENGTH);
		rx_ring_write(&ring, waiting);
		ASSERT_TRUE(rx_ring_take_around(&ring, n % SMALL + 1,
						RTE_MIN(n % SMALL + 1, waiting), error));
		ASSERT_TRUE(rx_ring_take(&ring, SMALL, RTE_MAX(waiting - n % SMALL - 1, 0)));
	}
	EXPECT_EQ(6 * SMALL, ring.rxq.n.too_long);
	rx_ring_close(&ring);
}

/* Takes every packet that has a buffer, while the pool is empty. */
static void take_all_without_refill(uint16_t posted)
{
	struct rte_mbuf *pkts[SMALL + 1];
	uint16_t k = 0;

	rx_ring_write(&ring, posted);
	while (k < posted && ring.burst(&ring.rxq, &pkts[k], 1))
		k++;
	EXPECT_EQ(posted, k);
	EXPECT_EQ(0, ring.burst(&ring.rxq, &pkts[k], 1));
	EXPECT_EQ(ring.rxq.ci, ring.rxq.rq.pi);
	rte_pktmbuf_free_bulk(pkts, k);
	ring.taken = ring.rxq.cq.ci;
}

TEST_F_EACH(rx_ring, queue_goes_on_when_the_pool_has_mbufs_again, struct variant, variants)
{
	static struct rte_mbuf *hoard[PORT_RIG_POOL];

	START(&self->rig, row);
	ASSERT_TRUE(rx_ring_open(&ring, &self->rig, SMALL));
	for (uint16_t round = 0; round < 3; round++) {
		unsigned int n = 0;

		while (n < PORT_RIG_POOL && (hoard[n] = rte_pktmbuf_alloc(self->rig.pool)))
			n++;
		take_all_without_refill((uint16_t)(ring.rxq.rq.pi - ring.rxq.ci));
		EXPECT_EQ((round + 1) * ring.rxq.refill, ring.rxq.n.no_mbuf);
		rte_pktmbuf_free_bulk(hoard, n);
		ASSERT_TRUE(rx_ring_take(&ring, 1, 0)); /* fills the slots */
		EXPECT_EQ(SMALL, ring.rxq.rq.pi - ring.rxq.ci);
		ASSERT_TRUE(take_waiting(5 + round, SMALL));
		ASSERT_TRUE(take_waiting(SMALL / 4, SMALL));
	}
	rx_ring_close(&ring);
}

/* Buffers lie apart from their mbufs, in another distance: no burst may compute addresses. */
TEST_F_EACH(rx_ring, buffers_may_lie_apart_from_their_mbufs, struct variant, variants)
{
	enum { N = 1023, BYTES = RTE_PKTMBUF_HEADROOM + 2048 };
	struct rte_pktmbuf_extmem mem = { .buf_len = (size_t)N * BYTES, .elt_size = BYTES };
	struct rte_mempool *const pool = self->rig.pool;

	mem.buf_ptr = rte_malloc(NULL, mem.buf_len, RTE_CACHE_LINE_SIZE);
	ASSERT_NE(NULL, mem.buf_ptr);
	self->rig.pool = rte_pktmbuf_pool_create_extbuf("apart", N, 0, 0, BYTES, 0, &mem, 1);
	ASSERT_NE(NULL, self->rig.pool);
	if (start_variant(&self->rig, row)) {
		ASSERT_TRUE(rx_ring_open(&ring, &self->rig, SMALL));
		EXPECT_EQ(RTE_MBUF_F_EXTERNAL, ring.rxq.ol_flags);
		for (uint16_t n = 1; n < 3 * SMALL; n++)
			ASSERT_TRUE(take_waiting(n % (SMALL - 4), SMALL));
		rx_ring_close(&ring);
		ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	}
	mbuf_pool_free(self->rig.pool);
	self->rig.pool = pool;
	rte_free(mem.buf_ptr);
}

/* The same functions with CQEs of the device: all bytes of numbered frames. */
TEST_F_EACH(rx_ring, frames_of_the_device_arrive_whole, struct variant, variants)
{
	struct rte_mbuf *m[PORT_RIG_BURST];

	START(&self->rig, row);
	for (uint32_t seed = 0; seed < (self->rig.emu ? 20 : 2) * PORT_RIG_BURST;) {
		const uint16_t n = (uint16_t)(1 + seed % PORT_RIG_BURST);
		uint16_t got = 0;

		for (uint16_t i = 0; i < n; i++)
			m[i] = port_rig_make_packet(&self->rig, 60 + (seed + i) % 1400, seed + i);
		ASSERT_TRUE(port_rig_send(&self->rig, m, n));
		while (got < n) {
			const uint16_t k = port_rig_receive(&self->rig, m + got, n - got);

			ASSERT_LT(0, k);
			got += k;
		}
		for (uint16_t i = 0; i < n; i++, seed++)
			port_rig_expect_packet(&self->rig, m[i], 60 + seed % 1400, seed);
		rte_pktmbuf_free_bulk(m, n);
	}
}
