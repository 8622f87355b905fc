/* SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <string.h>

#include "devx_port.h"
#include "port_rig.h"
#include "queue/devx_generator_lifecycle.h"
#include "rte_pmd_devx.h"

/* The counters of generator rings: those that secondary processes read, and those of ethdev. */

enum { FRAME_BYTES = 60, N_PACKETS = 20, N_RINGS = 20 };

FIXTURE(generator_counts)
{
	struct port_rig rig;
	struct devx_eth *eth;
	uint8_t frame[FRAME_BYTES];
	struct rte_pmd_devx_ring *ring;
	uint64_t n_backward; /* how often the reader saw a counter go down */
	uint64_t most;       /* the most packets that the reader saw */
	bool done;
};

FIXTURE_SETUP(generator_counts)
{
	struct rte_mbuf *m;

	port_rig_up(&self->rig, &(struct port_rig_config){ 0 });
	self->eth = devx_eth_port_get(&rte_eth_devices[self->rig.port]);
	m = port_rig_make_packet(&self->rig, FRAME_BYTES, 7);
	memcpy(self->frame, rte_pktmbuf_mtod(m, void *), FRAME_BYTES);
	rte_pktmbuf_free(m);
}

FIXTURE_TEARDOWN(generator_counts)
{
	port_rig_down(&self->rig);
}

static void send_packets(struct ct_fix_generator_counts *self)
{
	const struct rte_pmd_devx_ring_conf conf = { .frame = self->frame,
						     .frame_bytes = FRAME_BYTES,
						     .n_packets = N_PACKETS };

	ASSERT_EQ(0, rte_pmd_devx_ring_create(self->rig.port, &conf, &self->ring));
	ASSERT_EQ(N_PACKETS, rte_pmd_devx_ring_send(self->ring, NULL, N_PACKETS));
	self->rig.n_generated += N_PACKETS;
	self->rig.generated_bytes += N_PACKETS * FRAME_BYTES;
}

static uint64_t read_published(const struct ct_fix_generator_counts *self)
{
	return __atomic_load_n(&self->eth->stats.published.packets, __ATOMIC_RELAXED);
}

TEST_F(generator_counts, secondary_sees_all_packets_of_a_stopped_port)
{
	send_packets(self);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	EXPECT_EQ(N_PACKETS, read_published(self));
	rte_pmd_devx_ring_destroy(self->ring);
	EXPECT_EQ(N_PACKETS, read_published(self));
}

static void *watch_published(void *arg)
{
	struct ct_fix_generator_counts *self = arg;

	while (!__atomic_load_n(&self->done, __ATOMIC_ACQUIRE)) {
		const uint64_t now = read_published(self);

		if (now < self->most)
			self->n_backward++;
		else
			self->most = now;
	}
	return NULL;
}

TEST_F(generator_counts, destroyed_ring_counts_once_at_any_time)
{
	pthread_t reader;

	ASSERT_EQ(0, pthread_create(&reader, NULL, watch_published, self));
	for (int i = 0; i < N_RINGS; i++) {
		send_packets(self);
		rte_pmd_devx_ring_destroy(self->ring);
		EXPECT_EQ((i + 1) * N_PACKETS, read_published(self));
	}
	__atomic_store_n(&self->done, true, __ATOMIC_RELEASE);
	pthread_join(reader, NULL);
	EXPECT_EQ(0, self->n_backward);
	EXPECT_LE(self->most, N_RINGS * N_PACKETS);
}

static void *read_stats(void *arg)
{
	struct ct_fix_generator_counts *self = arg;
	struct rte_eth_stats stats;

	EXPECT_EQ(0, rte_eth_stats_get(self->rig.port, &stats));
	self->most = stats.opackets;
	__atomic_store_n(&self->done, true, __ATOMIC_RELEASE);
	return NULL;
}

/* A thread that destroys a ring holds this lock: a reader must not use the ring meanwhile. */
TEST_F(generator_counts, stats_wait_while_rings_come_and_go)
{
	pthread_t reader;

	send_packets(self);
	devx_eth_generator_lock_all();
	EXPECT_EQ(0, pthread_create(&reader, NULL, read_stats, self));
	rte_delay_us_sleep(50000);
	EXPECT_FALSE(__atomic_load_n(&self->done, __ATOMIC_ACQUIRE));
	devx_eth_generator_unlock_all();
	pthread_join(reader, NULL);
	EXPECT_EQ(N_PACKETS, self->most);
	rte_pmd_devx_ring_destroy(self->ring);
}

struct repair {
	struct rte_pmd_devx_ring *ring;
	uint64_t n; /* the repairs that must be counted */
};

/* Sends no command: statistics would take the failure of a command of the repair. */
static bool has_ring_recovered(const struct port_rig *rig, void *arg)
{
	const struct repair *want = arg;

	RTE_SET_USED(rig);
	rte_pmd_devx_ring_send(want->ring, NULL, 0);
	return __atomic_load_n(&want->ring->n.recoveries, __ATOMIC_RELAXED) >= want->n;
}

static const struct broken {
	const char *name;
	enum devx_emu_inject error;
	int n_commands; /* least number of commands that a repair sends */
	bool is_cq;
} broken[] = {
	{ "SQ", DEVX_EMU_INJECT_SQ_ERROR, 2, false },
	{ "CQ", DEVX_EMU_INJECT_CQ_ERROR, 5, true },
};

/* The k-th command of the repair fails, for each k: the recovery timer tries again. */
TEST_F_EACH(generator_counts, repaired_ring_counts_its_error_once, struct broken, broken)
{
	struct port_rig *rig = &self->rig;
	struct repair want = { 0 };
	struct rte_eth_stats stats;
	uint8_t log2_blocks;

	NEEDS_EMU("to put a queue into ERR");
	send_packets(self);
	want.ring = self->ring;
	rig->stuck = row->is_cq; /* some of the failed commands are those of a destroy */
	log2_blocks = self->ring->sq.log2_n;
	for (int k = 0; k < row->n_commands; k++) {
		SCOPED_TRACE("command %d of the repair fails", k);
		want.n++;
		rig->emu->fail(DEVX_EMU_FAIL_COMMAND, k, 0);
		ASSERT_EQ(0,
			  rig->emu->inject(0, row->error,
					   row->is_cq ? self->ring->cq.cqn : self->ring->sq.sqn));
		rte_pmd_devx_ring_send(self->ring, NULL, 1); /* the device flushes it */
		ASSERT_TRUE(port_rig_wait_until(has_ring_recovered, rig, &want));
		EXPECT_GT(0, rig->emu->fail_pending(DEVX_EMU_FAIL_COMMAND));
		EXPECT_EQ(want.n, port_rig_get_xstat(rig, "tx_recoveries"));
		EXPECT_EQ(row->is_cq ? 0 : want.n, port_rig_get_xstat(rig, "tx_wqe_errors"));
		EXPECT_EQ(row->is_cq ? want.n : 0, port_rig_get_xstat(rig, "tx_cq_errors"));
		EXPECT_EQ(log2_blocks, self->ring->sq.log2_n);
		ASSERT_EQ(N_PACKETS, rte_pmd_devx_ring_send(self->ring, NULL, N_PACKETS));
	}
	/* the driver takes packets without a CQE for lost, although the device sent them */
	ASSERT_EQ(0, rte_eth_stats_get(rig->port, &stats));
	rig->n_generated = stats.opackets;
	rig->generated_bytes = stats.obytes;
	rte_pmd_devx_ring_destroy(self->ring);
}
