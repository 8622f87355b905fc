/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <stdio.h>

#include "fault_rig.h"
#include "loss_rig.h"
#include "open_files.h"

/* A thousand faults of all kinds under traffic (fault_rig.h). */

enum {
	N_FAULTS = 1000,
	N_QUEUES = 2,
	FEW_FDS = 20, /* that EAL's interrupt thread may open later; about 200 losses leak more */
};

static const enum devx_emu_inject kinds[] = {
	DEVX_EMU_INJECT_SQ_ERROR,      DEVX_EMU_INJECT_SQ_ERROR,   DEVX_EMU_INJECT_RQ_ERROR,
	DEVX_EMU_INJECT_RQ_ERROR,      DEVX_EMU_INJECT_CQ_ERROR,   DEVX_EMU_INJECT_CQ_ERROR,
	DEVX_EMU_INJECT_LINK_DOWN,     DEVX_EMU_INJECT_EVENT_LOSS, DEVX_EMU_INJECT_DEVICE_FATAL,
	DEVX_EMU_INJECT_DEVICE_REMOVE,
};

FIXTURE(thousand_faults)
{
	struct port_rig rig;
	struct fault_rig faults;
};
FIXTURE_SETUP(thousand_faults)
{
	const struct port_rig_config config = fault_rig_config(N_QUEUES);

	port_rig_up(&self->rig, &config);
	NEEDS_EMU("to inject faults");
	fault_rig_up(&self->faults, &self->rig, N_QUEUES);
}
FIXTURE_TEARDOWN(thousand_faults)
{
	fault_rig_down(&self->faults);
	port_rig_down(&self->rig);
}

static void expect_fates(const struct ct_fix_thousand_faults *self)
{
	struct rte_eth_stats stats;

	fault_rig_expect_fates(&self->faults);
	ASSERT_EQ(0, rte_eth_stats_get(self->rig.port, &stats));
	EXPECT_EQ(self->faults.n_taken, stats.opackets);
	EXPECT_EQ(stats.oerrors, port_rig_get_xstat(&self->rig, "tx_lost_packets"));
	EXPECT_EQ(self->faults.n_received, stats.ipackets);
	printf("%" PRIu64 " packets sent, %" PRIu64 " received; lost: %" PRIu64 " in send queues, "
	       "%" PRIu64 " in receive queues\n",
	       self->faults.n_taken, self->faults.n_received, (uint64_t)stats.oerrors,
	       port_rig_get_xstat(&self->rig, "rx_lost_packets"));
}

static void print_faults(const struct ct_fix_thousand_faults *self)
{
	const unsigned int *n = self->faults.n_injected;

	printf("SQ %u, RQ %u, CQ %u, link %u, events %u, fatal %u, removal %u; "
	       "%u recoveries of the device\n",
	       n[DEVX_EMU_INJECT_SQ_ERROR], n[DEVX_EMU_INJECT_RQ_ERROR],
	       n[DEVX_EMU_INJECT_CQ_ERROR], n[DEVX_EMU_INJECT_LINK_DOWN],
	       n[DEVX_EMU_INJECT_EVENT_LOSS], n[DEVX_EMU_INJECT_DEVICE_FATAL],
	       n[DEVX_EMU_INJECT_DEVICE_REMOVE], loss_seen.n_success);
}

TEST_F(thousand_faults, every_packet_has_a_fate_and_nothing_leaks)
{
	struct port_rig *rig = &self->rig;
	struct fault_rig *f = &self->faults;
	struct devx_emu_counters before;
	uint64_t heap_bytes;
	unsigned int n_fds;

	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	before = port_rig_start_and_stop(rig);
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	/* the first loss allocates what later ones use again */
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_FATAL);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_success, 1));
	n_fds = count_open_files();
	heap_bytes = driver_objects_count_heap_bytes();
	rig->device_lost = true;

	for (unsigned int n = 0; n < N_FAULTS;) {
		n += fault_rig_inject(f, kinds, RTE_DIM(kinds));
		fault_rig_move(f, fault_rig_draw(f, 8));
		/* one in four faults is followed by another one during its recovery */
		if (fault_rig_draw(f, 4))
			ASSERT_TRUE(fault_rig_run_until_healthy(f));
		if (n % 50 == 0)
			port_rig_read_log();
	}
	ASSERT_TRUE(fault_rig_run_until_healthy(f));
	ASSERT_TRUE(fault_rig_drain(f));
	print_faults(self);
	/* the last event comes after the port works again */
	EXPECT_TRUE(loss_rig_wait(rig, &loss_seen.n_success, loss_seen.n_recovering));
	EXPECT_EQ(0, loss_seen.n_failed);
	EXPECT_EQ(0, loss_seen.n_removed);
	EXPECT_EQ(loss_seen.n_recovering, loss_seen.n_success);
	EXPECT_GT(n_fds + FEW_FDS, count_open_files());
	EXPECT_LE(driver_objects_count_heap_bytes(), heap_bytes + (1 << 20)); /* spare rings */
	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	port_rig_expect_objects(rig, &before); /* a started port may keep spare rings */
	mbuf_pool_expect_all(rig->pool);
	expect_fates(self);
}
