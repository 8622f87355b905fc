/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include <rte_cycles.h>

#include "burst/inline_rig.h"

/*
 * Packets that a send queue copies into WQEs (argument inline). Every byte on the wire is compared.
 * Other tests with these bursts: tx_run_test.c, tx_variant_test.c (checksums, segments, tags, TSO,
 * BlueFlame), tx_random_test.c, mistake_test.c (a WQE that fails).
 */

#define FAST RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE
#define FULL (RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_MULTI_SEGS)

enum { TIMEOUT_S = 30 };

FIXTURE(tx_inline)
{
	struct inline_rig rig;
};
FIXTURE_SETUP(tx_inline)
{
	port_rig_probe(&self->rig.rig);
	self->rig.state = 1;
}
FIXTURE_TEARDOWN(tx_inline)
{
	port_rig_down(&self->rig.rig);
}

static void expect_mode(const struct inline_rig *self, const char *says)
{
	struct rte_eth_burst_mode mode;

	ASSERT_EQ(0, rte_eth_tx_burst_mode_get(self->rig.port, 0, &mode));
	EXPECT_SUBSTR(says, mode.info);
}

/* ---- lengths ------------------------------------------------------------------------------ */

static const struct limit {
	const char *name, *args, *mode;
	uint16_t max;
	uint64_t offloads;
} limits[] = {
	{ "14", "ibdev=mlx5_0,inline=14", "inline up to 14 bytes", 14, 0 },
	{ "60", "ibdev=mlx5_0,inline=60", "inline up to 60 bytes, fast free", 60, FAST },
	{ "61_and_checksums", "ibdev=mlx5_0,inline=61", "checksums, segments, inline up to 61", 61,
	  FULL },
	{ "268", "ibdev=mlx5_0,inline=268", "inline up to 268 bytes", 268, 0 },
	{ "924", "ibdev=mlx5_0,inline=924", "inline up to 924 bytes", 924, 0 },
};

TEST_F_EACH(tx_inline, every_length_arrives, struct limit, limits)
{
	const uint16_t last = row->max + 20, step = self->rig.rig.emu ? 1 : 31;
	uint16_t bytes[8];

	inline_rig_start(&self->rig, row->args, INLINE_RING, row->offloads);
	expect_mode(&self->rig, row->mode);
	for (uint16_t n = INLINE_LEAST; n <= last; n += step) {
		inline_rig_exchange_equal(&self->rig, n, 1);
		inline_rig_exchange_equal(&self->rig, n, self->rig.rig.emu && n <= 80 ? 40 : 5);
		for (uint16_t i = 0; i < RTE_DIM(bytes); i++)
			bytes[i] = (uint16_t)(INLINE_LEAST + (n + i * 13u) % last);
		inline_rig_exchange(&self->rig, bytes, RTE_DIM(bytes));
	}
	EXPECT_EQ(self->rig.seed, self->rig.txq->n.packets);
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig.rig, "tx_errors"));
}

/* The device counts the bytes that it reads besides WQEs: only those of long packets. */
TEST_F(tx_inline, device_reads_no_data_of_short_packets)
{
	struct devx_emu_counters a, b, c;

	NEEDS_EMU("for its count of reads");
	inline_rig_start(&self->rig, "ibdev=mlx5_0,inline=100", INLINE_RING, 0);
	a = port_rig_get_counters(&self->rig.rig);
	inline_rig_exchange_equal(&self->rig, INLINE_ALIKE, 20);
	inline_rig_exchange_equal(&self->rig, 100, 20);
	b = port_rig_get_counters(&self->rig.rig);
	inline_rig_exchange_equal(&self->rig, 101, 20);
	c = port_rig_get_counters(&self->rig.rig);
	EXPECT_EQ(0, b.data_read_bytes - a.data_read_bytes);
	EXPECT_EQ(20 * 101, c.data_read_bytes - b.data_read_bytes);
}

/* ---- the ring ----------------------------------------------------------------------------- */

static const struct mixture {
	const char *name;
	uint16_t least, most;
	uint64_t offloads;
} mixtures[] = {
	{ "equal_packets", INLINE_ALIKE, INLINE_ALIKE, FAST },
	{ "equal_packets_with_checksums", INLINE_ALIKE - 15, INLINE_ALIKE - 15, FULL },
	{ "short_packets", INLINE_LEAST, 130, 0 },
	{ "copied_packets", INLINE_LEAST, 300, FULL },
	{ "copied_and_long_packets", INLINE_LEAST, 1000, 0 },
};

/* WQEs begin at each of the blocks, and end behind each of them. */
TEST_F_EACH(tx_inline, ring_wraps_at_every_block, struct mixture, mixtures)
{
	const uint64_t end = rte_get_timer_cycles() + TIMEOUT_S * rte_get_timer_hz();
	bool seen[INLINE_BLOCKS] = { false };
	uint16_t bytes[INLINE_LARGEST], n_seen = 0, largest = 1;

	NEEDS_EMU("which is fast enough");
	inline_rig_start(&self->rig, "ibdev=mlx5_0,inline=300", INLINE_RING, row->offloads);
	ASSERT_EQ(INLINE_BLOCKS - 1, self->rig.txq->elts_mask);
	while (n_seen < INLINE_BLOCKS || largest <= INLINE_LARGEST) {
		const uint16_t at = self->rig.txq->sq.pi % INLINE_BLOCKS;
		/* a burst of each size; then of sizes up to 30 */
		const uint16_t n = largest <= INLINE_LARGEST
					   ? largest++
					   : (uint16_t)(1 + inline_rig_draw(&self->rig, 30));

		n_seen += !seen[at];
		seen[at] = true;
		for (uint16_t i = 0; i < n; i++)
			bytes[i] = (uint16_t)(row->least +
					      inline_rig_draw(&self->rig,
							      row->most - row->least + 1u));
		SCOPED_TRACE("burst of %u at block %u", n, at);
		inline_rig_exchange(&self->rig, bytes, n);
		ASSERT_GT(end, rte_get_timer_cycles()); /* lost frames take 5 s each */
	}
	EXPECT_EQ(self->rig.seed, self->rig.txq->n.packets);
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig.rig, "tx_errors"));
}

static uint16_t post_packets(struct inline_rig *self, uint32_t bytes, uint16_t n)
{
	struct rte_mbuf *m[INLINE_LARGEST];
	uint16_t sent;

	for (uint16_t i = 0; i < n; i++)
		m[i] = inline_rig_make_packet(self, bytes, self->seed + i);
	sent = rte_eth_tx_burst(self->rig.port, 0, m, n);
	rte_pktmbuf_free_bulk(m + sent, n - sent);
	self->seed += sent;
	return sent;
}

static const struct filling {
	const char *name;
	uint16_t bytes, burst, fits;
} fillings[] = {
	{ "60_bytes_one_by_one", 60, 1, INLINE_RING },
	{ "92_bytes_one_by_one", 92, 1, INLINE_RING },
	{ "60_bytes", 60, INLINE_LARGEST, INLINE_RING },
	{ "93_bytes_one_by_one", 93, 1, INLINE_BLOCKS / 3 },
	{ "252_bytes", 252, INLINE_LARGEST, 3 * (INLINE_BLOCKS / 13) },
	{ "long_packets", 700, INLINE_LARGEST, INLINE_RING },
};

/* As many packets fit as the page net_devx.md says. They arrive, and the ring takes more. */
TEST_F_EACH(tx_inline, full_ring_takes_packets_again, struct filling, fillings)
{
	NEEDS_EMU("to pause the device");
	inline_rig_start(&self->rig, "ibdev=mlx5_0,inline=268", INLINE_RING, 0);
	for (unsigned int round = 0; round < 20; round++) {
		uint32_t first = self->rig.seed, n = 0, k;

		self->rig.rig.emu->pause();
		do {
			k = post_packets(&self->rig, row->bytes, row->burst);
			n += k;
		} while (k);
		self->rig.rig.emu->resume();
		/* later some WQEs have no CQE yet: their room comes with the next packets */
		EXPECT_LE(round ? 1 : row->fits, n);
		EXPECT_GE(INLINE_RING, n);
		for (uint32_t i = 0; i < n; i++)
			inline_rig_expect(&self->rig, row->bytes, first + i);
		inline_rig_exchange_equal(&self->rig, 61, (uint16_t)(1 + round));
	}
	EXPECT_EQ(self->rig.seed, self->rig.txq->n.packets);
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig.rig, "tx_errors"));
}
