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
