/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/window.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ct.h"
#include "harness/burn_pmd.h"
#include "harness/content.h"
#include "harness/core.h"
#include "harness/stepper.h"
#include "harness/test_lab.h"
#include "needs_emu.h"

enum { BURST = 32 };

static const struct bench_driver burner = { "net_burn", "vdev", "net_burn0", "", -1 };
static const struct bench_driver tested = { "net_devx", "vdev", "net_devx0", "pci=0000:c1:00.0",
					    0 };
static const struct bench_setup plain = { .devargs = "" };
static const struct bench_frame small = { .bytes = 60 };

FIXTURE(window)
{
	struct bench_port port;
	struct bench_window w;
};

static void open_port(struct bench_port *port, const struct bench_driver *driver)
{
	char why[256] = "";

	burn = (struct burn){ 0 };
	ASSERT_TRUE(test_lab_open());
	if (bench_port_open(port, &lab, driver, &plain, why, sizeof(why)))
		FAIL("%s: %s", driver->name, why);
	bench_port_set_frame(port, &small);
}

FIXTURE_SETUP(window)
{
	open_port(&self->port, &burner);
}
FIXTURE_TEARDOWN(window)
{
	bench_port_close(&self->port);
}

TEST_F(window, reports_the_cycles_that_a_driver_burns)
{
	static const uint64_t cost[] = { 100, 150, 180 }; /* less than what marks a window */
	struct bench_window *w = &self->w;

	EXPECT_EQ(BURN_MARK_CYCLES, bench_core_measure_marks());
	for (size_t i = 0; i < RTE_DIM(cost); i++)
		for (int direction = BENCH_RX; direction <= BENCH_TX; direction++) {
			burn.cycles = cost[i];
			ASSERT_EQ(0, bench_window_run(&self->port, (enum bench_direction)direction,
						      BURST, BENCH_HOT, BENCH_TSC, w));
			EXPECT_EQ(cost[i] * w->n_packets + w->n_calls * BURN_MARK_CYCLES,
				  w->cycles);
			EXPECT_FALSE(w->interrupted);
		}
}

TEST_F(window, counts_calls_of_short_bursts)
{
	ASSERT_EQ(0,
		  bench_window_run(&self->port, BENCH_RX, BURST, BENCH_HOT, BENCH_TSC, &self->w));
	EXPECT_EQ(BENCH_WINDOW / BURST, self->w.n_calls);
	burn.at_most = 5;
	for (int direction = BENCH_RX; direction <= BENCH_TX; direction++) {
		ASSERT_EQ(0, bench_window_run(&self->port, (enum bench_direction)direction, BURST,
					      BENCH_HOT, BENCH_TSC, &self->w));
		EXPECT_GE(self->w.n_packets, BENCH_WINDOW);
		EXPECT_EQ(self->w.n_packets, 5 * self->w.n_calls);
	}
}

TEST(port, refuses_an_offload_that_the_driver_lacks)
{
	static const struct bench_setup sums = { .devargs = "",
						 .rx_offloads = RTE_ETH_RX_OFFLOAD_UDP_CKSUM };
	struct bench_port port;
	char why[160] = "";

	ASSERT_TRUE(test_lab_open());
	EXPECT_EQ(-ENOTSUP, bench_port_open(&port, &lab, &burner, &sums, why, sizeof(why)));
	EXPECT_STREQ("the driver lacks the Rx offload UDP_CKSUM", why);
}

TEST(port, names_the_library_of_an_unknown_driver)
{
	static const struct bench_driver none = { "net_none", "vdev", "net_none0", "", -1 };
	struct bench_port port;
	char why[160] = "";

	ASSERT_TRUE(test_lab_open());
	EXPECT_EQ(-ENODEV, bench_port_open(&port, &lab, &none, &plain, why, sizeof(why)));
	EXPECT_STREQ("net_none0: no driver has this name; install its PMD, librte_net_none.so",
		     why);
}

TEST_F(window, ends_when_a_driver_moves_no_packets)
{
	burn.empty = 1;
	EXPECT_EQ(-EIO, bench_window_run(&self->port, BENCH_RX, 1, BENCH_HOT, BENCH_TSC, &self->w));
	EXPECT_EQ(-EIO, bench_window_run(&self->port, BENCH_TX, 1, BENCH_HOT, BENCH_TSC, &self->w));
	EXPECT_EQ(0, bench_window_run(&self->port, BENCH_POLL, 1, BENCH_HOT, BENCH_TSC, &self->w));
	EXPECT_EQ(2047, rte_mempool_avail_count(self->port.tx_pool)); /* no mbuf is lost */
}

TEST_F(window, marks_a_window_with_a_long_call)
{
	burn.sleep_at = 3;
	ASSERT_EQ(0,
		  bench_window_run(&self->port, BENCH_RX, BURST, BENCH_HOT, BENCH_TSC, &self->w));
	EXPECT_TRUE(self->w.interrupted);
}

static uint64_t count_steps(const struct bench_port *port, uint16_t burst, struct bench_window *w)
{
	bench_stepper_take();
	EXPECT_EQ(0, bench_window_run(port, BENCH_TX, burst, BENCH_HOT, BENCH_STEP, w));
	return bench_stepper_take();
}

/* Fills the cache of the pool: a window takes as many instructions as the next. */
static void fill_cache(const struct bench_port *port)
{
	struct bench_window w;

	EXPECT_EQ(0, bench_window_run(port, BENCH_TX, BURST, BENCH_HOT, BENCH_TSC, &w));
}

TEST_F(window, counts_instructions_exactly)
{
	uint64_t base, more;

	if (!steps)
		SKIP("needs a processor that traps each instruction");
	burn.loops = burn.call_loops = 1;
	fill_cache(&self->port);
	base = count_steps(&self->port, BURST, &self->w);
	EXPECT_EQ(base, count_steps(&self->port, BURST, &self->w));
	burn.loops = 3;
	more = count_steps(&self->port, BURST, &self->w);
	EXPECT_EQ(base + 2 * BURN_LOOP_INSTRUCTIONS * self->w.n_packets, more);
	burn.loops = 1;
	burn.call_loops = 11;
	more = count_steps(&self->port, BURST, &self->w);
	EXPECT_EQ(base + 10 * BURN_LOOP_INSTRUCTIONS * self->w.n_calls, more);
}

/* The signal of each step saves and restores masks and registers of 512 bits. */
TEST_F(window, counts_instructions_of_avx512_exactly)
{
	uint64_t base, more;

	if (!steps || !burn_knows_wide_loops())
		SKIP("needs a processor that traps each instruction, and has AVX-512");
	fill_cache(&self->port);
	burn.wide_loops = 1;
	base = count_steps(&self->port, BURST, &self->w);
	burn.wide_loops = 4;
	more = count_steps(&self->port, BURST, &self->w);
	EXPECT_EQ(base + 3 * BURN_WIDE_INSTRUCTIONS * self->w.n_packets, more);
	EXPECT_EQ(0, burn.wrong_sums);
}

/* The loop has 64 * 128 additions of one cycle each. The counter moves by one mark meanwhile. */
TEST(core, counts_the_additions_of_its_loop)
{
	EXPECT_EQ(64 * 128.0 / BURN_MARK_CYCLES, bench_core_per_tsc());
}

TEST(core, detects_another_thread_on_the_core)
{
	struct bench_core_mark mark;
	int n_taken = 0;

	ASSERT_TRUE(test_lab_open());
	bench_core_begin(&mark, lab.cpu);
	for (int i = 0; i < 1000 && !n_taken; i++) {
		const pid_t child = fork();

		if (!child)
			_exit(0);
		for (int k = 0; k < 1000000; k++)
			rte_pause();
		n_taken += bench_core_was_taken(&mark);
		waitpid(child, NULL, 0);
	}
	EXPECT_GT(n_taken, 0);
}

/* ---- net_devx on emu, which is stepped by hand ------------------------------------------- */

FIXTURE(device)
{
	struct bench_port port;
	struct bench_window w;
};

FIXTURE_SETUP(device)
{
	open_port(&self->port, &tested);
	lab.emu->pause();
}
FIXTURE_TEARDOWN(device)
{
	lab.emu->wire_faults(0, "");
	lab.emu->resume();
	bench_port_close(&self->port);
	bench_engine_stop_helper();
}

TEST_F(device, passes_the_check_of_contents)
{
	static const struct bench_frame frames[] = { { .bytes = 60 }, { .bytes = 1514 } };
	char why[160] = "";

	for (size_t i = 0; i < RTE_DIM(frames); i++) {
		bench_port_set_frame(&self->port, &frames[i]);
		EXPECT_EQ(0, bench_content_check(&self->port, why, sizeof(why)));
		EXPECT_STREQ("", why);
	}
}

TEST_F(device, fails_the_check_if_the_wire_changes_a_frame)
{
	char why[160];

	lab.emu->wire_faults(0, "corrupt=1/50,seed=3");
	EXPECT_EQ(-EIO, bench_content_check(&self->port, why, sizeof(why)));
	EXPECT_SUBSTR("received", why);
	lab.emu->wire_faults(0, "drop=1/50,seed=3");
	EXPECT_EQ(-EIO, bench_content_check(&self->port, why, sizeof(why)));
}

TEST_F(device, moves_all_packets_of_a_window)
{
	static const uint16_t bursts[] = { 1, 4, 64, 256 };

	for (int cache = 0; cache < BENCH_N_CACHES; cache++) {
		if (bench_engine_lacks(&lab, (enum bench_cache)cache))
			continue;
		for (size_t i = 0; i < RTE_DIM(bursts); i++)
			for (int direction = BENCH_RX; direction <= BENCH_TX; direction++) {
				EXPECT_EQ(0, bench_window_run(&self->port,
							      (enum bench_direction)direction,
							      bursts[i], (enum bench_cache)cache,
							      BENCH_TSC, &self->w));
				EXPECT_EQ(BENCH_WINDOW, self->w.n_packets);
				EXPECT_EQ(BENCH_WINDOW / bursts[i], self->w.n_calls);
			}
	}
}

static const struct devx_emu_ctl *real_emu;
static unsigned int n_steps;

static unsigned int count_step(unsigned int port, unsigned int most)
{
	const unsigned int n = real_emu->step(port, most);

	n_steps += n > 0;
	return n;
}

/* Each packet of a window crosses the wire, so a window of 512 has at least one step. */
TEST_F(device, lets_emu_work_after_several_bursts_if_caches_are_kept)
{
	static const enum bench_direction directions[] = { BENCH_RX, BENCH_TX };
	const struct devx_emu_ctl *emu = lab.emu;
	struct devx_emu_ctl counting = *emu;
	unsigned int n_hot;

	real_emu = emu;
	counting.step = count_step;
	lab.emu = &counting;
	for (size_t i = 0; i < RTE_DIM(directions); i++) {
		n_steps = 0;
		EXPECT_EQ(0, bench_window_run(&self->port, directions[i], BENCH_PREPARED, BENCH_HOT,
					      BENCH_TSC, &self->w));
		n_hot = n_steps;
		n_steps = 0;
		EXPECT_EQ(0, bench_window_run(&self->port, directions[i], BENCH_PREPARED,
					      BENCH_KEPT, BENCH_TSC, &self->w));
		EXPECT_EQ(n_hot, n_steps * BENCH_KEPT_PACKETS / BENCH_PREPARED);
		EXPECT_EQ(BENCH_WINDOW, self->w.n_packets);
	}
	lab.emu = emu;
}

static unsigned int n_evictions;

static int64_t count_eviction(unsigned port)
{
	EXPECT_EQ(0, port);
	n_evictions++;
	return 0;
}

/* Only a real clock shows that a burst then takes longer: devx-bench cycles. */
TEST_F(device, evicts_the_completions_before_each_burst)
{
	static const enum bench_cache caches[] = { BENCH_HOT, BENCH_FLUSHED };
	const struct devx_emu_ctl *emu = lab.emu;
	struct devx_emu_ctl counting = *emu;

	/* CQs of both queues have an entry of 64 bytes per descriptor, or more */
	EXPECT_GE(emu->evict_cqes(0), 2 * 64);
	EXPECT_EQ(-EINVAL, emu->evict_cqes(8));
	counting.evict_cqes = count_eviction;
	lab.emu = &counting;
	for (size_t i = 0; i < RTE_DIM(caches); i++) {
		n_evictions = 0;
		EXPECT_EQ(0, bench_window_run(&self->port, BENCH_RX, BENCH_PREPARED, caches[i],
					      BENCH_TSC, &self->w));
		EXPECT_EQ(caches[i] == BENCH_FLUSHED ? self->w.n_calls : 0, n_evictions);
	}
	lab.emu = emu;
}
