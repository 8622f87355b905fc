/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "devx_generator.h"
#include "driver_calls.h"
#include "loss_rig.h"
#include "rte_pmd_devx.h"

/* Generator rings: each call of their creation fails, and ports with several rings. */

enum { N_RINGS = 3, FRAME_BYTES = 60, K_MAX = 100 };

FIXTURE(generator_sweep)
{
	struct port_rig rig;
	uint8_t frame[FRAME_BYTES];
	struct rte_pmd_devx_ring_conf conf;
	struct rte_pmd_devx_ring *ring[N_RINGS];
};
FIXTURE_SETUP(generator_sweep)
{
	struct rte_mbuf *m;

	port_rig_up(&self->rig, &(struct port_rig_config){ 0 });
	NEEDS_EMU("to make calls fail");
	m = port_rig_make_packet(&self->rig, FRAME_BYTES, 7);
	memcpy(self->frame, rte_pktmbuf_mtod(m, void *), FRAME_BYTES);
	rte_pktmbuf_free(m);
	self->conf = (struct rte_pmd_devx_ring_conf){ .frame = self->frame,
						      .frame_bytes = FRAME_BYTES,
						      .n_packets = 28 };
	loss_rig_listen();
}
FIXTURE_TEARDOWN(generator_sweep)
{
	driver_calls_fail_alloc(-1);
	loss_rig_forget();
	port_rig_down(&self->rig);
}

static int create_ring(struct ct_fix_generator_sweep *self, int i)
{
	return rte_pmd_devx_ring_create(self->rig.port, &self->conf, &self->ring[i]);
}

/* Sends a packet with each ring that exists, and receives it. */
static void exchange_on_all(struct ct_fix_generator_sweep *self)
{
	struct rte_mbuf *m;

	for (int i = 0; i < N_RINGS; i++) {
		if (!self->ring[i])
			continue;
		ASSERT_EQ(1, rte_pmd_devx_ring_send(self->ring[i], NULL, 1));
		self->rig.n_generated++;
		self->rig.generated_bytes += FRAME_BYTES;
		ASSERT_EQ(1, port_rig_receive(&self->rig, &m, 1));
		port_rig_expect_packet(&self->rig, m, FRAME_BYTES, 7);
		rte_pktmbuf_free(m);
	}
}

static const struct fault {
	const char *name;
	enum devx_emu_fail what;
	bool allocation; /* the driver allocates in vain */
} faults[] = {
	{ "command", DEVX_EMU_FAIL_COMMAND, false },
	{ "ioctl", DEVX_EMU_FAIL_IOCTL, false },
	{ "mmap", DEVX_EMU_FAIL_MMAP, false },
	{ "allocation", 0, true },
};

static void arm_fault(const struct port_rig *rig, const struct fault *fault, int k)
{
	if (fault->allocation)
		driver_calls_fail_alloc(k);
	else
		rig->emu->fail(fault->what, k, 0);
}

/* Tells whether a fault fired, and disarms it. */
static bool end_fault(const struct port_rig *rig, const struct fault *fault)
{
	const bool fired = fault->allocation ? driver_calls_get_pending_fault() < 0
					     : rig->emu->fail_pending(fault->what) < 0;

	arm_fault(rig, fault, -1);
	return fired;
}

/* A creation that fails leaves nothing behind, and the ring of before goes on. */
TEST_F_EACH(generator_sweep, failed_creation_leaves_nothing_behind, struct fault, faults)
{
	const struct port_rig *rig = &self->rig;
	struct driver_objects objects;
	struct devx_emu_counters then;
	bool fired = true;
	int rc = -1;

	ASSERT_EQ(0, create_ring(self, 0));
	ASSERT_EQ(0, create_ring(self, 1)); /* keeps what the first second ring needs */
	rte_pmd_devx_ring_destroy(self->ring[1]);
	then = port_rig_get_counters(rig);
	for (int k = 0; fired && k < K_MAX; k++) {
		SCOPED_TRACE("%s %d fails", row->name, k);
		objects = driver_objects_count();
		self->ring[1] = NULL;
		port_rig_read_log();
		arm_fault(rig, row, k);
		rc = create_ring(self, 1);
		fired = end_fault(rig, row);
		if (rc) {
			EXPECT_TRUE(fired);
			EXPECT_EQ(NULL, self->ring[1]);
			EXPECT_SUBSTR("generator ring", port_rig_read_log());
			driver_objects_expect_all(&objects);
			ASSERT_EQ(0, create_ring(self, 1));
		}
		exchange_on_all(self);
		rte_pmd_devx_ring_destroy(self->ring[1]);
		driver_objects_expect_all(&objects);
		port_rig_expect_objects(rig, &then);
	}
	EXPECT_FALSE(fired || rc);
	rte_pmd_devx_ring_destroy(self->ring[0]);
}

/* Destroys three rings in each order; the port counts the packets of all, also of gone ones. */
TEST_F(generator_sweep, rings_end_in_any_order)
{
	static const uint8_t orders[][N_RINGS] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
						   { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
	struct rte_eth_stats stats;

	for (size_t i = 0; i < RTE_DIM(orders); i++) {
		SCOPED_TRACE("order %zu", i);
		for (int k = 0; k < N_RINGS; k++)
			ASSERT_EQ(0, create_ring(self, k));
		for (int k = 0; k < N_RINGS; k++) {
			exchange_on_all(self);
			rte_pmd_devx_ring_destroy(self->ring[orders[i][k]]);
			self->ring[orders[i][k]] = NULL;
			EXPECT_EQ(0, rte_eth_stats_get(self->rig.port, &stats));
			EXPECT_EQ(self->rig.n_generated, stats.opackets);
			EXPECT_EQ(self->rig.generated_bytes, stats.obytes);
		}
	}
}

/* The application forgot its rings. */
TEST_F(generator_sweep, close_frees_rings_that_are_left)
{
	for (int k = 0; k < N_RINGS; k++)
		ASSERT_EQ(0, create_ring(self, k));
	exchange_on_all(self);
}

/* The device returns while the k-th call of the recovery fails; one ring was stopped before. */
TEST_F(generator_sweep, only_rings_that_ran_run_after_a_recovery)
{
	const struct port_rig *rig = &self->rig;

	for (int k = 0; k < 2; k++)
		ASSERT_EQ(0, create_ring(self, k));
	exchange_on_all(self);
	ASSERT_EQ(0, rte_eth_dev_stop(rig->port)); /* stops both rings for good */
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	ASSERT_EQ(0, create_ring(self, 2));
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_FATAL);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_success, 1));
	for (int k = 0; k < 2; k++) {
		EXPECT_EQ(0, rte_pmd_devx_ring_send(self->ring[k], NULL, 1));
		EXPECT_FALSE(self->ring[k]->restart);
		rte_pmd_devx_ring_destroy(self->ring[k]);
		self->ring[k] = NULL;
	}
	exchange_on_all(self);
	EXPECT_FALSE(self->ring[2]->restart);
	rte_pmd_devx_ring_destroy(self->ring[2]);
}
