/* SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include <rte_cycles.h>

#include "devx_port.h"
#include "port_rig.h"
#include "prm/prm.h"
#include "waiting_command.h"

/* Statistics that firmware counts: no reader waits for it, and they are right in the end. */

enum { SENT = 700, MISSED = SENT - PORT_RIG_RING };

FIXTURE(missed)
{
	struct port_rig rig;
};
FIXTURE_SETUP(missed)
{
	port_rig_up(&self->rig, &(struct port_rig_config){ 0 });
}
FIXTURE_TEARDOWN(missed)
{
	waiting_command_release();
	waiting_command_hold_replies(false);
	port_rig_down(&self->rig);
}

static uint64_t get_missed(const struct port_rig *rig)
{
	struct rte_eth_stats stats = { 0 };

	EXPECT_EQ(0, rte_eth_stats_get(rig->port, &stats));
	return stats.imissed;
}

static uint64_t get_age_ms(const struct port_rig *rig)
{
	return port_rig_get_xstat(rig, "rx_out_of_buffer_age_ms");
}

static uint32_t read_counter(const struct port_rig *rig)
{
	const struct devx_eth *eth = devx_eth_port_get(&rte_eth_devices[rig->port]);
	uint32_t n = 0;

	EXPECT_EQ(0, devx_counter_read(&eth->counter, &n));
	return n;
}

static bool has_counted(const struct port_rig *rig, void *want)
{
	return read_counter(rig) == *(uint32_t *)want;
}

/* Sends SENT frames, of which MISSED find no buffer; then receives the others. */
static void send_too_many(const struct port_rig *rig)
{
	uint32_t want = read_counter(rig) + MISSED;
	struct rte_mbuf *m[PORT_RIG_BURST];
	uint16_t got = 0, k;

	for (uint32_t i = 0; i < SENT; i++) {
		m[0] = port_rig_make_packet(rig, 60, i);
		ASSERT_TRUE(port_rig_send(rig, m, 1));
	}
	EXPECT_TRUE(port_rig_wait_until(has_counted, rig, &want));
	while (got < PORT_RIG_RING && (k = port_rig_receive(rig, m, PORT_RIG_BURST))) {
		rte_pktmbuf_free_bulk(m, k);
		got += k;
	}
	EXPECT_EQ(PORT_RIG_RING, got);
}

TEST_F(missed, stats_get_sends_no_query_that_waits)
{
	const unsigned before = waiting_command_count();

	for (int i = 0; i < 100; i++)
		EXPECT_EQ(0, get_missed(&self->rig));
	EXPECT_EQ(before, waiting_command_count());
	EXPECT_EQ(0, rte_eth_stats_reset(self->rig.port));
	EXPECT_EQ(before + 1, waiting_command_count());
	EXPECT_EQ(0, rte_eth_dev_stop(self->rig.port));
	EXPECT_EQ(before + 2, waiting_command_count());
	get_missed(&self->rig);
	EXPECT_EQ(0, rte_eth_dev_start(self->rig.port));
	EXPECT_EQ(before + 2, waiting_command_count());
}

static bool has_missed(const struct port_rig *rig, void *want)
{
	return get_missed(rig) == *(uint64_t *)want;
}

TEST_F(missed, at_most_one_query_is_in_flight)
{
	const struct devx_emu_counters before = port_rig_get_counters(&self->rig);
	uint64_t want = MISSED;

	waiting_command_hold_replies(true);
	for (int i = 0; i < 20; i++)
		EXPECT_EQ(0, get_missed(&self->rig));
	if (self->rig.emu)
		EXPECT_EQ(before.ioctls + 1, port_rig_get_counters(&self->rig).ioctls);
	send_too_many(&self->rig);
	EXPECT_EQ(0, get_missed(&self->rig));
	waiting_command_hold_replies(false);
	EXPECT_TRUE(port_rig_wait_until(has_missed, &self->rig, &want));
}

static void *read_link(void *arg)
{
	struct rte_eth_link link;

	(void)!rte_eth_link_get_nowait(((struct port_rig *)arg)->port, &link);
	return NULL;
}

static bool is_held(const struct port_rig *rig, void *arg)
{
	RTE_SET_USED(rig);
	RTE_SET_USED(arg);
	return waiting_command_is_held();
}

TEST_F(missed, stats_get_does_not_wait_for_a_command_of_another_thread)
{
	pthread_t thread;

	waiting_command_hold();
	ASSERT_EQ(0, pthread_create(&thread, NULL, read_link, &self->rig));
	EXPECT_TRUE(port_rig_wait_until(is_held, &self->rig, NULL));
	EXPECT_EQ(0, get_missed(&self->rig));
	EXPECT_EQ(0, get_missed(&self->rig));
	EXPECT_TRUE(waiting_command_is_held());
	waiting_command_release();
	pthread_join(thread, NULL);
}

static uint64_t get_now_ms(void)
{
	return rte_get_timer_cycles() * 1000 / rte_get_timer_hz();
}

/* A reply came after the time @since_ms. The extended statistics of a real kernel may take long. */
static bool is_younger(const struct port_rig *rig, void *since_ms)
{
	uint64_t now = get_now_ms();

	return get_age_ms(rig) < now - *(uint64_t *)since_ms;
}

TEST_F(missed, age_grows_until_the_next_reply)
{
	uint64_t since, age;

	rte_delay_us_sleep(60000);
	EXPECT_LE(50, get_age_ms(&self->rig));
	since = get_now_ms();
	EXPECT_TRUE(port_rig_wait_until(is_younger, &self->rig, &since));
	rte_delay_us_sleep(60000);
	since = get_now_ms();
	EXPECT_EQ(0, rte_eth_stats_reset(self->rig.port));
	age = get_age_ms(&self->rig);
	EXPECT_LE(age, get_now_ms() - since + 1);
	EXPECT_EQ(0, rte_eth_dev_stop(self->rig.port));
	EXPECT_EQ(0, get_age_ms(&self->rig));
}

TEST_F(missed, stats_get_returns_the_last_reply)
{
	uint64_t want = MISSED;

	get_missed(&self->rig);
	rte_delay_us_sleep(20000); /* the reply to the query of this call comes */
	send_too_many(&self->rig);
	EXPECT_EQ(0, get_missed(&self->rig));
	EXPECT_TRUE(port_rig_wait_until(has_missed, &self->rig, &want));
	EXPECT_EQ(MISSED, get_missed(&self->rig));
}

TEST_F(missed, figures_are_final_after_stop)
{
	struct rte_eth_stats stats;

	send_too_many(&self->rig);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	for (int i = 0; i < 3; i++) {
		ASSERT_EQ(0, rte_eth_stats_get(self->rig.port, &stats));
		EXPECT_EQ(SENT, stats.opackets);
		EXPECT_EQ(PORT_RIG_RING, stats.ipackets);
		EXPECT_EQ(MISSED, stats.imissed);
		EXPECT_EQ(0, stats.ierrors + stats.oerrors + stats.rx_nombuf);
	}
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	send_too_many(&self->rig);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	EXPECT_EQ(2 * MISSED, get_missed(&self->rig));
}

/* The reply has the count from before the drops; it comes after the reading of the reset. */
TEST_F(missed, reply_from_before_a_reset_is_dropped)
{
	uint64_t want = MISSED;

	get_missed(&self->rig);
	send_too_many(&self->rig);
	EXPECT_EQ(0, rte_eth_stats_reset(self->rig.port));
	for (int i = 0; i < 3; i++)
		EXPECT_EQ(0, get_missed(&self->rig));
	send_too_many(&self->rig);
	EXPECT_TRUE(port_rig_wait_until(has_missed, &self->rig, &want));
	get_missed(&self->rig);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	EXPECT_EQ(MISSED, get_missed(&self->rig));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	EXPECT_EQ(MISSED, get_missed(&self->rig));
}

TEST_F(missed, count_goes_on_when_the_counter_of_32_bits_wraps)
{
	const uint32_t many = UINT32_MAX - MISSED / 2;
	uint64_t want = 0;

	NEEDS_EMU("to change a queue counter");
	for (int lap = 0; lap < 3; lap++) {
		ASSERT_EQ(0, self->rig.emu->age_counters(0, many));
		self->rig.n_aged += many;
		want += many;
		ASSERT_TRUE(port_rig_wait_until(has_missed, &self->rig, &want));
		send_too_many(&self->rig);
		want += MISSED;
		ASSERT_TRUE(port_rig_wait_until(has_missed, &self->rig, &want));
	}
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	EXPECT_EQ(want, get_missed(&self->rig));
	ASSERT_EQ(0, rte_eth_stats_reset(self->rig.port));
	EXPECT_EQ(0, get_missed(&self->rig));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
}

static unsigned count_lines(const char *text, const char *with)
{
	unsigned n = 0;

	for (const char *at = text; (at = strstr(at, with)); at++)
		n++;
	return n;
}

/* Makes @n queries fail, and calls rte_eth_stats_get() until the driver has seen all replies. */
static void fail_queries(const struct port_rig *rig, enum devx_emu_fail what, int n)
{
	for (int i = 0; i < n; i++) {
		rig->emu->fail(what, 0, what == DEVX_EMU_FAIL_COMMAND ? PRM_STATUS_BAD_RES : 0);
		EXPECT_EQ(MISSED, get_missed(rig));
		EXPECT_EQ(-1, rig->emu->fail_pending(what));
	}
	EXPECT_EQ(MISSED, get_missed(rig));
}

static const struct failure {
	const char *name;
	enum devx_emu_fail what;
	const char *says;
} failures[] = {
	{ "reply", DEVX_EMU_FAIL_COMMAND,
	  "net_devx0 (mlx5_0): queue counter: firmware refused QUERY_Q_COUNTER: BAD_RES (5)" },
	{ "query", DEVX_EMU_FAIL_IOCTL,
	  "net_devx0 (mlx5_0): queue counter: the kernel did not execute QUERY_Q_COUNTER: " },
};

TEST_F_EACH(missed, failure_is_logged_once_per_start, struct failure, failures)
{
	uint64_t want = MISSED;
	const char *log;

	NEEDS_EMU("to make queries fail");
	send_too_many(&self->rig);
	EXPECT_TRUE(port_rig_wait_until(has_missed, &self->rig, &want));
	for (int start = 0; start < 2; start++) {
		port_rig_read_log();
		fail_queries(&self->rig, row->what, 5);
		log = port_rig_read_log();
		EXPECT_SUBSTR(row->says, log);
		EXPECT_EQ(1, count_lines(log, "\n"));
		ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
		ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	}
	EXPECT_EQ(MISSED, get_missed(&self->rig));
}

/* port_rig_down() expects that neither the query nor its reply is left on the device. */
TEST_F(missed, port_closes_while_a_reply_waits)
{
	waiting_command_hold_replies(true);
	get_missed(&self->rig);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	get_missed(&self->rig);
}

struct reader {
	const struct port_rig *rig;
	atomic_bool stop;
	bool went_back;
};

static void *read_often(void *arg)
{
	struct reader *r = arg;
	uint64_t last = 0;

	while (!r->stop) {
		const uint64_t now = get_missed(r->rig);

		r->went_back |= now < last;
		last = now;
	}
	return NULL;
}

TEST_F(missed, two_threads_read_while_the_port_restarts)
{
	struct reader r = { .rig = &self->rig };
	pthread_t thread[2];

	for (unsigned i = 0; i < RTE_DIM(thread); i++)
		ASSERT_EQ(0, pthread_create(&thread[i], NULL, read_often, &r));
	for (int i = 0; i < 5; i++) {
		send_too_many(&self->rig);
		EXPECT_EQ(0, rte_eth_dev_stop(self->rig.port));
		EXPECT_EQ(0, rte_eth_dev_start(self->rig.port));
	}
	r.stop = true;
	for (unsigned i = 0; i < RTE_DIM(thread); i++)
		pthread_join(thread[i], NULL);
	EXPECT_FALSE(r.went_back);
	EXPECT_EQ(0, rte_eth_dev_stop(self->rig.port));
	EXPECT_EQ(5 * MISSED, get_missed(&self->rig));
}

/* ---- devx-emu --profile realtime: no queue counters ------------------------------------ */

FIXTURE(realtime_profile)
{
	struct port_rig rig;
};
FIXTURE_SETUP(realtime_profile)
{
	port_rig_up(&self->rig, &(struct port_rig_config){ 0 });
}
FIXTURE_TEARDOWN(realtime_profile)
{
	port_rig_down(&self->rig);
}

static bool has_dropped(const struct port_rig *rig, void *want)
{
	return port_rig_get_counters(rig).rx_out_of_buffer == *(uint64_t *)want;
}

TEST_F(realtime_profile, port_without_queue_counters_counts_no_missed_packet)
{
	struct port_rig *rig = &self->rig;
	uint64_t want = port_rig_get_counters(rig).rx_out_of_buffer + MISSED;
	struct rte_mbuf *m[PORT_RIG_BURST];
	uint16_t got = 0, k;

	if (devx_eth_port_get(&rte_eth_devices[rig->port])->counter.obj)
		SKIP("needs emu with --profile realtime");
	for (uint32_t i = 0; i < SENT; i++) {
		m[0] = port_rig_make_packet(rig, 60, i);
		ASSERT_TRUE(port_rig_send(rig, m, 1));
	}
	EXPECT_TRUE(port_rig_wait_until(has_dropped, rig, &want));
	while (got < PORT_RIG_RING && (k = port_rig_receive(rig, m, PORT_RIG_BURST))) {
		rte_pktmbuf_free_bulk(m, k);
		got += k;
	}
	EXPECT_EQ(PORT_RIG_RING, got);
	EXPECT_EQ(0, get_missed(rig));
	EXPECT_EQ(0, get_age_ms(rig));
	EXPECT_EQ(0, rte_eth_stats_reset(rig->port));
}
