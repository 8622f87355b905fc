/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "devx_generator.h"
#include "emu_frames.h"
#include "port_rig.h"
#include "rte_pmd_devx.h"

/*
 * Generator rings on a wire that loops back. The port is one account: at the end of each test,
 * port_rig_down() compares the statistics of the port with the frames that emu sent.
 */

enum { FRAME_MAX = 924, PATCH_MAX = 32, N_MAX = 64 };

FIXTURE(generator)
{
	struct port_rig rig;
	uint8_t frame[FRAME_MAX];
	struct rte_pmd_devx_ring_conf conf;
	struct rte_pmd_devx_ring *ring;
	uint32_t sent, received; /* packets; their numbers are the first bytes of the patches */
};
FIXTURE_SETUP(generator)
{
	struct rte_mbuf *m;

	port_rig_up(&self->rig, &(struct port_rig_config){ 0 });
	m = port_rig_make_packet(&self->rig, FRAME_MAX, 7);
	memcpy(self->frame, rte_pktmbuf_mtod(m, void *), FRAME_MAX);
	rte_pktmbuf_free(m);
	self->conf = (struct rte_pmd_devx_ring_conf){
		.frame = self->frame, .frame_bytes = 60, .n_packets = 28, .patch = { { 46, 14 } }
	};
}
FIXTURE_TEARDOWN(generator)
{
	port_rig_down(&self->rig);
}

static int create_ring(struct ct_fix_generator *self)
{
	self->sent = self->received = 0;
	return rte_pmd_devx_ring_create(self->rig.port, &self->conf, &self->ring);
}

/* Makes the bytes that replace those of packet @number; no two packets have the same. */
static void make_patch(uint8_t *patch, uint16_t bytes, uint32_t number)
{
	for (uint16_t i = 0; i < bytes; i++)
		patch[i] = (uint8_t)(i < 4 ? number >> 8 * i : number * 31 + i);
}

static uint16_t count_patch_bytes(const struct rte_pmd_devx_ring_conf *conf)
{
	uint16_t bytes = 0;

	for (unsigned int i = 0; i < RTE_PMD_DEVX_RING_PATCHES; i++)
		bytes += conf->patch[i].bytes;
	return bytes;
}

static uint16_t send_packets(struct ct_fix_generator *self, uint16_t n)
{
	const uint16_t bytes = count_patch_bytes(&self->conf);
	uint8_t patches[N_MAX * PATCH_MAX];
	uint16_t sent;

	for (uint16_t i = 0; i < n; i++)
		make_patch(patches + i * bytes, bytes, self->sent + i);
	sent = rte_pmd_devx_ring_send(self->ring, patches, n);
	memset(patches, 0xee, sizeof(patches)); /* not used after the call */
	self->sent += sent;
	return sent;
}

/* Expects every byte of the next packet. Returns whether it is as it should be. */
static bool expect_next(struct ct_fix_generator *self, const struct rte_mbuf *m)
{
	const struct rte_pmd_devx_ring_conf *conf = &self->conf;
	uint8_t want[FRAME_MAX], patch[PATCH_MAX];
	const uint8_t *from = patch;

	SCOPED_TRACE("packet %u", self->received);
	memcpy(want, self->frame, conf->frame_bytes);
	make_patch(patch, count_patch_bytes(conf), self->received++);
	for (unsigned int i = 0; i < RTE_PMD_DEVX_RING_PATCHES; i++) {
		memcpy(want + conf->patch[i].offset, from, conf->patch[i].bytes);
		from += conf->patch[i].bytes;
	}
	EXPECT_EQ(conf->frame_bytes, m->pkt_len);
	EXPECT_MEMEQ(want, rte_pktmbuf_mtod(m, const void *), conf->frame_bytes);
	self->rig.n_generated++;
	self->rig.generated_bytes += m->pkt_len;
	return conf->frame_bytes == m->pkt_len &&
	       !memcmp(want, rte_pktmbuf_mtod(m, const void *), conf->frame_bytes);
}

/* Returns whether every packet sent has arrived once, in order. */
static bool receive_packets(struct ct_fix_generator *self)
{
	struct rte_mbuf *m[PORT_RIG_BURST];
	bool right = true;

	while (right && self->received < self->sent) {
		const uint16_t n = port_rig_receive(&self->rig, m, PORT_RIG_BURST);

		EXPECT_NE(0, n);
		right = n > 0;
		for (uint16_t i = 0; i < n; i++) {
			right = right && expect_next(self, m[i]);
			rte_pktmbuf_free(m[i]);
		}
	}
	return right;
}

/* Sends bursts of @least, @least + 1 ... @most packets in turn until @total packets are sent. */
static void exchange_packets(struct ct_fix_generator *self, uint32_t total, uint16_t least,
			     uint16_t most)
{
	uint16_t n = least;

	while (self->sent < total) {
		uint16_t left = (uint16_t)RTE_MIN((uint32_t)n, total - self->sent);

		while (left)
			left -= send_packets(self, left);
		if (!receive_packets(self))
			return;
		n = n == most ? least : n + 1;
	}
	EXPECT_EQ(total, self->received);
}

TEST_F(generator, packets_arrive_once_and_in_order_on_every_lap)
{
	struct rte_eth_stats stats;

	self->conf.n_packets = 224;
	ASSERT_EQ(0, create_ring(self));
	EXPECT_EQ(3, self->ring->n_packets_log2);
	/* more than 2^16 blocks, so the 16-bit index wraps; bursts that fill units, and others */
	exchange_packets(self, 2000, 1, 15);
	exchange_packets(self, 70000, 64, 64);
	exchange_packets(self, 71000, 1, 15);
	rte_eth_stats_get(self->rig.port, &stats);
	EXPECT_EQ(self->sent, stats.opackets);
	EXPECT_EQ(self->sent * 60ull, stats.obytes);
	rte_pmd_devx_ring_destroy(self->ring);
	rte_eth_stats_get(self->rig.port, &stats);
	EXPECT_EQ(self->sent, stats.opackets);
}

/*
 * tests/differ compares the WQEs of a queue that copies packets with those of net_mlx5. Those of a
 * ring are the same, apart from the number of the SQ.
 */
TEST_F(generator, WQEs_are_those_of_a_queue_that_copies_packets)
{
	const struct port_rig_config config = { 0 };
	struct port_rig *rig = &self->rig;
	const struct devx_wqebb *unit;
	const struct devx_eth_txq *txq;
	struct rte_mbuf *m[8];

	port_rig_remove_port(rig);
	port_rig_add_port_with(rig, "ibdev=mlx5_0,inline=100");
	ASSERT_EQ(0, port_rig_configure(rig, &config));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	self->conf.patch[0].bytes = 0;
	self->conf.n_packets = 224; /* unit 0 requests no CQE */
	ASSERT_EQ(0, create_ring(self));
	for (unsigned int i = 0; i < RTE_DIM(m); i++) {
		m[i] = port_rig_make_packet(rig, 60, 7);
		memcpy(rte_pktmbuf_mtod(m[i], void *), self->frame, 60);
	}
	ASSERT_TRUE(port_rig_send(rig, m, RTE_DIM(m)));
	for (uint16_t n = 0, k = 1; k && n < RTE_DIM(m); n += k) {
		k = port_rig_receive(rig, m, RTE_DIM(m));
		EXPECT_NE(0, k);
		rte_pktmbuf_free_bulk(m, k);
	}
	txq = rte_eth_devices[rig->port].data->tx_queues[0];
	unit = devx_eth_generator_get_unit(self->ring, 0);
	EXPECT_EQ(txq->sq.pi, self->ring->n_blocks);
	EXPECT_EQ(prm_ctrl_ds(&txq->sq.wqebbs->ctrl), prm_ctrl_ds(&unit->ctrl));
	EXPECT_EQ(prm_ctrl_opcode(&txq->sq.wqebbs->ctrl), prm_ctrl_opcode(&unit->ctrl));
	/* all from the flags of the control segment on */
	EXPECT_MEMEQ(txq->sq.wqebbs->bytes + 8, unit->bytes + 8,
		     (size_t)prm_ctrl_ds(&unit->ctrl) * PRM_DS_BYTES - 8);
	rte_pmd_devx_ring_destroy(self->ring);
}

TEST_F(generator, frames_and_patches_of_any_length_arrive)
{
	static const uint32_t frames[] = { 60, 61, 76, 77, 124, 476, 477, 923, 924 };
	static const uint16_t patches[] = { 4, 7, 8, 14 };

	for (unsigned int i = 0; i < RTE_DIM(frames); i++) {
		for (unsigned int k = 0; k < RTE_DIM(patches); k++) {
			SCOPED_TRACE("%u bytes, patch of %u", frames[i], patches[k]);
			self->conf.frame_bytes = frames[i];
			self->conf.patch[0].bytes = patches[k];
			self->conf.patch[0].offset = (uint16_t)(frames[i] - patches[k]);
			ASSERT_EQ(0, create_ring(self));
			exchange_packets(self, 200, 1, 9);
			rte_pmd_devx_ring_destroy(self->ring);
		}
	}
}

TEST_F(generator, several_patches_of_a_packet_are_replaced)
{
	/* an address, a checksum, nothing, a sequence; the last ones overlap and win */
	static const struct rte_pmd_devx_ring_patch rows[][RTE_PMD_DEVX_RING_PATCHES] = {
		{ { 42, 18 }, { 26, 4 }, { 0, 0 }, { 24, 2 } },
		{ { 0, 0 }, { 30, 1 }, { 50, 10 }, { 14, 9 } },
		{ { 46, 4 }, { 40, 8 }, { 44, 8 }, { 43, 1 } },
	};

	for (unsigned int i = 0; i < RTE_DIM(rows); i++) {
		SCOPED_TRACE("row %u", i);
		memcpy(self->conf.patch, rows[i], sizeof(rows[i]));
		ASSERT_EQ(0, create_ring(self));
		exchange_packets(self, 300, 1, 17);
		rte_pmd_devx_ring_destroy(self->ring);
	}
}

TEST_F(generator, a_full_ring_takes_no_packet)
{
	uint32_t first, n = 0;

	NEEDS_EMU("to stop the engine");
	ASSERT_EQ(0, create_ring(self));
	self->rig.emu->pause();
	while (n < 100 && send_packets(self, 32))
		n++;
	first = self->sent;
	EXPECT_LE(28, first);
	ASSERT_GT(100, n);
	EXPECT_EQ(0, send_packets(self, 1));
	self->rig.emu->resume();
	EXPECT_TRUE(receive_packets(self));
	exchange_packets(self, first + 100, 1, 5);
	rte_pmd_devx_ring_destroy(self->ring);
}

/* Calls the send function, because the timer takes a ring only from its sender. */
static bool is_running(const struct port_rig *rig, void *ring)
{
	const struct rte_pmd_devx_ring *r = ring;

	RTE_SET_USED(rig);
	rte_pmd_devx_ring_send(ring, NULL, 0);
	return __atomic_load_n(&r->owner, __ATOMIC_ACQUIRE) == DEVX_ETH_RUNNING;
}

struct recovered {
	struct rte_pmd_devx_ring *ring;
	uint64_t n;
};

static bool has_recovered(const struct port_rig *rig, void *arg)
{
	const struct recovered *recovered = arg;

	rte_pmd_devx_ring_send(recovered->ring, NULL, 0);
	return port_rig_get_xstat(rig, "tx_recoveries") == recovered->n;
}

/* Waits until the ring has met an error and runs again. */
static bool wait_recovery(struct ct_fix_generator *self, uint64_t n)
{
	struct recovered recovered = { self->ring, n };

	return port_rig_wait_until(has_recovered, &self->rig, &recovered) &&
	       port_rig_wait_until(is_running, &self->rig, self->ring);
}

/* Lets the paused device send @n frames. */
static void step_frames(const struct port_rig *rig, uint64_t n)
{
	const struct devx_emu_counters from = port_rig_get_counters(rig);
	struct devx_emu_counters now = from;

	for (unsigned int i = 0; i < 1000 && emu_frames_sent(&from, &now) < n; i++) {
		rig->emu->step(0, 1);
		now = port_rig_get_counters(rig);
	}
	EXPECT_EQ(n, emu_frames_sent(&from, &now));
}

/*
 * Sends @n packets. After @k of them the SQ fails or, if @cq, the CQ. These @k arrive, and no
 * other. The counters may take some of them for lost, those of the failed WQE or without a CQE.
 */
static void fail_send(struct ct_fix_generator *self, uint16_t n, uint16_t k, bool cq)
{
	const struct port_rig *rig = &self->rig;
	const uint64_t lost = port_rig_get_xstat(rig, "tx_lost_packets");
	const uint64_t n_cq = port_rig_get_xstat(rig, "tx_cq_errors");
	const uint64_t n_wqe = port_rig_get_xstat(rig, "tx_wqe_errors");
	const uint32_t first = self->sent;
	struct rte_eth_stats before, after;

	rte_eth_stats_get(rig->port, &before);
	rig->emu->pause();
	EXPECT_EQ(n, send_packets(self, n));
	step_frames(rig, k);
	if (cq)
		ASSERT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_CQ_ERROR, self->ring->cq.cqn));
	else
		ASSERT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_SQ_ERROR, self->ring->sq.sqn));
	rig->emu->resume();
	ASSERT_TRUE(wait_recovery(self, n_cq + n_wqe + 1));
	EXPECT_EQ(n_cq + cq, port_rig_get_xstat(rig, "tx_cq_errors"));
	EXPECT_EQ(n_wqe + !cq, port_rig_get_xstat(rig, "tx_wqe_errors"));
	rte_eth_stats_get(rig->port, &after);
	EXPECT_EQ(n, after.opackets - before.opackets);
	EXPECT_LE(n - k, port_rig_get_xstat(rig, "tx_lost_packets") - lost);
	EXPECT_GE(n, port_rig_get_xstat(rig, "tx_lost_packets") - lost);
	self->sent = first + k;
	EXPECT_TRUE(receive_packets(self));
	self->rig.n_generated += n - k;
	self->rig.generated_bytes += 60 * (n - k);
	self->sent = self->received = first + n; /* the next packet shows that no other came */
}

TEST_F(generator, a_ring_goes_on_after_an_error_at_any_place)
{
	static const uint16_t lengths[] = { 1, 7, 8, 9, 24, 28 };

	NEEDS_EMU("to put a queue into ERR");
	ASSERT_EQ(0, create_ring(self));
	for (unsigned int at = 0; at < 2u * self->ring->n_units; at++)
		for (unsigned int i = 0; i < 2; i++) {
			const uint16_t n = lengths[at % RTE_DIM(lengths)];

			SCOPED_TRACE("unit %u, %s", at, i ? "CQ" : "SQ");
			exchange_packets(self, self->sent + 8 * at, 8, 8);
			fail_send(self, n, (uint16_t)(at * 5 % (n + 1)), i);
			EXPECT_SUBSTR(i ? "generator ring: error of its CQ (syndrome 0x02); ring "
					  "created again"
					: "generator ring: error CQE (syndrome",
				      port_rig_read_log());
			exchange_packets(self, self->sent + 60, 1, 9);
		}
	rte_pmd_devx_ring_destroy(self->ring);
}

TEST_F(generator, a_stopped_port_sends_all_packets_and_takes_no_more)
{
	struct rte_eth_stats stats;

	ASSERT_EQ(0, create_ring(self));
	EXPECT_EQ(20, send_packets(self, 20));
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	rte_eth_stats_get(self->rig.port, &stats);
	EXPECT_EQ(20, stats.opackets);
	EXPECT_EQ(0, send_packets(self, 1));
	self->rig.n_generated = 20;
	self->rig.generated_bytes = 20 * 60;
	rte_pmd_devx_ring_destroy(self->ring);
	EXPECT_EQ(-EBUSY, create_ring(self));
	EXPECT_SUBSTR("generator ring: the port is stopped; start it first", port_rig_read_log());
}

TEST_F(generator, invalid_packets_are_refused_in_one_line)
{
	static const struct {
		struct rte_pmd_devx_ring_conf conf;
		int rc;
		const char *why;
	} rows[] = {
		{ { .frame_bytes = 13, .n_packets = 1 }, -EINVAL, "valid: 14 to 1518" },
		{ { .frame_bytes = 1519, .n_packets = 1 }, -EINVAL, "valid: 14 to 1518" },
		{ { .frame_bytes = 925, .n_packets = 1 }, -EMSGSIZE, "valid: at most 924 bytes" },
		{ { .frame_bytes = 60, .n_packets = 1 << 20 }, -EINVAL, "valid: 1 to 29120" },
		{ { .frame_bytes = 60, .n_packets = 1, .patch = { { 0, 0 }, { 50, 11 } } },
		  -EINVAL,
		  "the patch of bytes 50 to 61 exceeds the frame of 60 bytes" },
	};

	for (unsigned int i = 0; i < RTE_DIM(rows); i++) {
		SCOPED_TRACE("row %u", i);
		self->conf = rows[i].conf;
		self->conf.frame = self->frame;
		EXPECT_EQ(rows[i].rc, create_ring(self));
		EXPECT_SUBSTR(rows[i].why, port_rig_read_log());
	}
	EXPECT_EQ(-ENODEV, rte_pmd_devx_ring_create(RTE_MAX_ETHPORTS, &self->conf, &self->ring));
	rte_pmd_devx_ring_destroy(NULL);
}
