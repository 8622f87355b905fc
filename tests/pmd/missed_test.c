/* SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include <rte_cycles.h>

#include "devx_missed.h"
#include "port_rig.h"
#include "prm/prm.h"
#include "waiting_command.h"

/* Statistics that firmware counts: the recovery timer reads them, and readers never wait. */

enum {
	MISSED = PORT_RIG_MISSED,
	SENT = PORT_RIG_RING + MISSED,
	PERIOD_MS = 950,
	SHORT_PERIOD_MS = 20
};

FIXTURE(missed)
{
	struct port_rig rig;
};
FIXTURE_SETUP(missed)
{
	port_rig_up(&self->rig, &(struct port_rig_config){ 0 });
	devx_eth_missed_period_ms = PERIOD_MS;
}
FIXTURE_TEARDOWN(missed)
{
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

static struct devx_eth *get_eth(const struct port_rig *rig)
{
	return devx_eth_port_get(&rte_eth_devices[rig->port]);
}

/* Lets the recovery timer start a query now, as if a period had passed. */
static void end_period(const struct port_rig *rig)
{
	struct devx_eth *eth = get_eth(rig);

	pthread_mutex_lock(&eth->lock);
	eth->stats.missed.query_ns = 0;
	devx_eth_missed_poll(eth);
	pthread_mutex_unlock(&eth->lock);
}

static bool is_in_flight(const struct port_rig *rig)
{
	struct devx_eth *eth = get_eth(rig);
	bool in_flight;

	pthread_mutex_lock(&eth->lock);
	in_flight = eth->stats.missed.in_flight;
	pthread_mutex_unlock(&eth->lock);
	return in_flight;
}

static bool has_no_query(const struct port_rig *rig, void *arg)
{
	RTE_SET_USED(arg);
	return !is_in_flight(rig);
}

static uint32_t read_counter(const struct port_rig *rig)
{
	struct devx_eth *eth = get_eth(rig);
	uint32_t n = 0;

	pthread_mutex_lock(&eth->lock);
	EXPECT_EQ(0, devx_counter_read(&eth->counter, &n));
	pthread_mutex_unlock(&eth->lock);
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

	port_rig_overflow(rig, has_counted, &want);
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

static uint64_t count_ioctls(const struct port_rig *rig)
{
	return port_rig_get_counters(rig).ioctls;
}

TEST_F(missed, readers_wait_for_no_command_and_make_no_ioctl)
{
	struct devx_eth *eth = get_eth(&self->rig);
	uint64_t before;

	NEEDS_EMU("to count ioctls");
	pthread_mutex_lock(&eth->lock); /* as a thread that waits for a command */
	before = count_ioctls(&self->rig);
	for (int i = 0; i < 100; i++)
		EXPECT_EQ(0, get_missed(&self->rig));
	EXPECT_EQ(before, count_ioctls(&self->rig));
	pthread_mutex_unlock(&eth->lock);
}

/* Ends the period of the timer each time, so that a test need not wait for it. */
static bool has_missed(const struct port_rig *rig, void *want)
{
	end_period(rig);
	return get_missed(rig) == *(uint64_t *)want;
}

static bool has_read(const struct port_rig *rig, void *want)
{
	return __atomic_load_n(&get_eth(rig)->stats.missed.total, __ATOMIC_RELAXED) ==
	       *(uint64_t *)want;
}

/* Nobody has read the statistics before, and nobody but the recovery timer sends a query. */
TEST_F(missed, the_first_reader_after_a_drop_sees_it)
{
	uint64_t want = MISSED;

	devx_eth_missed_period_ms = SHORT_PERIOD_MS;
	send_too_many(&self->rig);
	EXPECT_TRUE(port_rig_wait_until(has_read, &self->rig, &want));
	EXPECT_EQ(MISSED, get_missed(&self->rig));
}

TEST_F(missed, at_most_one_query_is_in_flight)
{
	struct devx_eth *eth = get_eth(&self->rig);
	uint64_t before, want = MISSED;

	NEEDS_EMU("to count ioctls");
	waiting_command_hold_replies(true);
	end_period(&self->rig);
	EXPECT_TRUE(is_in_flight(&self->rig));
	before = count_ioctls(&self->rig);
	for (int i = 0; i < 20; i++)
		end_period(&self->rig);
	EXPECT_EQ(before, count_ioctls(&self->rig));
	send_too_many(&self->rig);
	EXPECT_EQ(0, get_missed(&self->rig));
	waiting_command_hold_replies(false);
	EXPECT_TRUE(port_rig_wait_until(has_missed, &self->rig, &want));

	EXPECT_TRUE(port_rig_wait_until(has_no_query, &self->rig, NULL));
	pthread_mutex_lock(&eth->lock);
	eth->stats.missed.query_ns = UINT64_MAX / 2; /* the period has not passed */
	before = count_ioctls(&self->rig);
	for (int i = 0; i < 20; i++)
		devx_eth_missed_poll(eth);
	EXPECT_EQ(before, count_ioctls(&self->rig));
	pthread_mutex_unlock(&eth->lock);
}

static bool is_read_again(const struct port_rig *rig, void *before_ns)
{
	return __atomic_load_n(&get_eth(rig)->stats.missed.read_ns, __ATOMIC_RELAXED) >
	       *(uint64_t *)before_ns;
}

TEST_F(missed, age_grows_until_the_next_reply)
{
	struct devx_eth *eth = get_eth(&self->rig);
	uint64_t age = 0, before;

	EXPECT_TRUE(port_rig_wait_until(has_no_query, &self->rig, NULL));
	pthread_mutex_lock(&eth->lock); /* keeps the recovery timer away */
	EXPECT_EQ(0, devx_eth_missed_get(eth, &before));
	rte_delay_us_sleep(20000);
	EXPECT_EQ(0, devx_eth_missed_get(eth, &age));
	EXPECT_LE(before + 20, age + 1);
	eth->stats.missed.query_ns = 0;
	before = eth->stats.missed.read_ns;
	pthread_mutex_unlock(&eth->lock);
	EXPECT_TRUE(port_rig_wait_until(is_read_again, &self->rig, &before));
	before = eth->stats.missed.read_ns;
	EXPECT_EQ(0, rte_eth_stats_reset(self->rig.port));
	EXPECT_LT(before, eth->stats.missed.read_ns);
	EXPECT_EQ(0, rte_eth_dev_stop(self->rig.port));
	EXPECT_EQ(0, get_age_ms(&self->rig));
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

	EXPECT_TRUE(port_rig_wait_until(has_no_query, &self->rig, NULL));
	waiting_command_hold_replies(true);
	end_period(&self->rig);
	EXPECT_TRUE(is_in_flight(&self->rig));
	send_too_many(&self->rig);
	EXPECT_EQ(0, rte_eth_stats_reset(self->rig.port));
	waiting_command_hold_replies(false);
	EXPECT_TRUE(port_rig_wait_until(has_no_query, &self->rig, NULL));
	EXPECT_EQ(0, get_missed(&self->rig));
	send_too_many(&self->rig);
	EXPECT_TRUE(port_rig_wait_until(has_missed, &self->rig, &want));
	end_period(&self->rig);
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

/* Makes @n queries of the recovery timer fail. */
static void fail_queries(const struct port_rig *rig, enum devx_emu_fail what, int n)
{
	for (int i = 0; i < n; i++) {
		EXPECT_TRUE(port_rig_wait_until(has_no_query, rig, NULL));
		rig->emu->fail(what, 0, what == DEVX_EMU_FAIL_COMMAND ? PRM_STATUS_BAD_RES : 0);
		end_period(rig);
		EXPECT_TRUE(port_rig_wait_until(has_no_query, rig, NULL));
		EXPECT_EQ(-1, rig->emu->fail_pending(what));
		EXPECT_EQ(MISSED, get_missed(rig));
	}
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
	end_period(&self->rig);
	EXPECT_TRUE(is_in_flight(&self->rig));
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
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
