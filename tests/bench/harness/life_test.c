/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/life.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "ct.h"
#include "harness/burn_pmd.h"
#include "harness/test_lab.h"
#include "needs_emu.h"

/* HEAP_BYTES: EAL rounds a block up, and puts a header before it */
enum { START_US = 20000, RX_BYTES = 65536, HEAP_BYTES = 512, PER_QUEUE_LEAST = 8 };

/* In place of the clock of the machine: only the starts of net_burn take time. */
uint64_t bench_clock_ns(void)
{
	return burn.started_us * 1000ull;
}

static const struct bench_driver burner = { "net_burn", "vdev", "net_burn0", "", -1 };
static const struct bench_driver tested = { "net_devx", "vdev", "net_devx0", "pci=0000:c1:00.0",
					    0 };

FIXTURE(life)
{
	struct bench_life life;
	char why[256];
};

FIXTURE_SETUP(life)
{
	burn = (struct burn){ 0 };
	ASSERT_TRUE(test_lab_open());
	self->life = (struct bench_life){ .lab = &lab, .n_rx = 1, .n_tx = 1 };
	self->life.pool = bench_life_make_pool(BURN_MAX_QUEUES);
	ASSERT_TRUE(self->life.pool);
}
FIXTURE_TEARDOWN(life)
{
	rte_mempool_free(self->life.pool);
}

TEST_F(life, run_times_each_stage_by_itself)
{
	burn.start_us = START_US;
	self->life.driver = &burner;
	ASSERT_EQ(0, bench_life_run(&self->life, self->why, sizeof(self->why)));
	for (unsigned int i = 0; i < BENCH_N_STAGES; i++)
		EXPECT_EQ(i == BENCH_START ? START_US * 1000ull : 0, self->life.cost[i].ns);
	EXPECT_EQ(0, self->life.cost[BENCH_START].commands);
	EXPECT_STREQ("net_burn", self->life.name);
}

TEST_F(life, run_counts_the_memory_of_queues)
{
	int64_t one;

	burn.rx_bytes = RX_BYTES;
	self->life.driver = &burner;
	ASSERT_EQ(0, bench_life_run(&self->life, self->why, sizeof(self->why)));
	one = self->life.eal_bytes;
	self->life.n_rx = BURN_MAX_QUEUES;
	ASSERT_EQ(0, bench_life_run(&self->life, self->why, sizeof(self->why)));
	EXPECT_GE(self->life.eal_bytes - one, (BURN_MAX_QUEUES - 1) * RX_BYTES);
	EXPECT_LT(self->life.eal_bytes - one, (BURN_MAX_QUEUES - 1) * (RX_BYTES + HEAP_BYTES));
}

TEST_F(life, run_removes_a_port_that_does_not_start)
{
	burn.start_fails = ENOSPC;
	self->life.driver = &burner;
	EXPECT_EQ(-ENOSPC, bench_life_run(&self->life, self->why, sizeof(self->why)));
	EXPECT_SUBSTR(self->why, "rte_eth_dev_start: No space left on device");
	burn.start_fails = 0;
	EXPECT_EQ(0, bench_life_run(&self->life, self->why, sizeof(self->why)));
}

/* Commands of all stages, which emu counts too. */
static uint64_t sum_commands(const struct bench_life *life)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < BENCH_N_STAGES; i++)
		n += life->cost[i].commands;
	return n;
}

TEST_F(life, stages_have_all_commands_that_emu_counts)
{
	struct devx_emu_counters before, after;
	uint64_t one;

	NEEDS_EMU("to count commands");
	self->life.driver = &tested;
	/* the first life powers emu on */
	ASSERT_EQ(0, bench_life_run(&self->life, self->why, sizeof(self->why)));
	lab.emu->counters(0, &before, sizeof(before));
	ASSERT_EQ(0, bench_life_run(&self->life, self->why, sizeof(self->why)));
	lab.emu->counters(0, &after, sizeof(after));
	one = self->life.cost[BENCH_START].commands;
	EXPECT_EQ(after.commands - before.commands, sum_commands(&self->life));
	EXPECT_EQ(after.ioctls - before.ioctls,
		  self->life.cost[BENCH_PROBE].ioctls + self->life.cost[BENCH_CONFIGURE].ioctls +
			  self->life.cost[BENCH_START].ioctls + self->life.cost[BENCH_STOP].ioctls +
			  self->life.cost[BENCH_CLOSE].ioctls);
	EXPECT_GT(one, 0);
	ASSERT_EQ(0, bench_life_run(&self->life, self->why, sizeof(self->why)));
	EXPECT_EQ(one, self->life.cost[BENCH_START].commands);
	self->life.n_rx = self->life.n_tx = 2; /* a CQ and an RQ or SQ more in both directions */
	ASSERT_EQ(0, bench_life_run(&self->life, self->why, sizeof(self->why)));
	EXPECT_GE(self->life.cost[BENCH_START].commands, one + PER_QUEUE_LEAST);
}
