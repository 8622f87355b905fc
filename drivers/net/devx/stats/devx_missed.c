/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <time.h>

#include <rte_cycles.h>

#include "devx_log.h"
#include "stats/devx_missed.h"

static uint64_t get_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

/* Logs the first failure after a start only, because a program may read statistics often. */
static void report_failure(struct devx_eth *eth, const char *why)
{
	if (!eth->stats.missed.failed)
		devx_eth_log(eth, WARNING,
			     "queue counter: %s; imissed keeps its last value, and "
			     "rx_out_of_buffer_age_ms is its age",
			     why);
	eth->stats.missed.failed = true;
}

/* Takes over a value that firmware had at @ns or later. */
static void add_reading(struct devx_eth_missed *m, uint32_t now, uint64_t ns)
{
	m->total += (uint32_t)(now - m->seen);
	m->seen = now;
	m->read_ns = ns;
}

/*
 * Reads the counter and waits for the firmware. Drops the reply to a query that is in flight,
 * which may have an older value. The caller holds eth->lock.
 */
static void read_now(struct devx_eth *eth)
{
	struct devx_eth_missed *m = &eth->stats.missed;
	const uint64_t began = get_now_ns();
	char why[DEVX_TEXT_BYTES];
	uint32_t now;
	int rc;

	if (!eth->counter.obj || devx_eth_is_lost(eth))
		return;
	rc = devx_counter_read(&eth->counter, &now);
	pthread_mutex_lock(&m->lock);
	if (rc)
		report_failure(eth, devx_strerror(&eth->dev, rc, why, sizeof(why)));
	else
		add_reading(m, now, began);
	m->oldest_valid = m->next_query;
	pthread_mutex_unlock(&m->lock);
}

/*
 * Takes the reply to the query in flight, if it has come. The caller holds m->lock.
 *
 * A query that the kernel gives up, because the device failed, has a reply of zeros with status
 * OK (Linux mlx5_cmd_exec_cb() fills no reply then). A counter that was above 0 reads 0 only after
 * exactly 2^32 packets; the next reply brings that value too.
 */
static void take_reply(struct devx_eth *eth)
{
	struct devx_eth_missed *m = &eth->stats.missed;
	char why[DEVX_TEXT_BYTES];
	uint64_t wr_id = 0;
	uint32_t now;
	int rc;

	rc = devx_counter_take(&m->replies, &wr_id, &now);
	if (rc == -EAGAIN)
		return;
	m->in_flight = false;
	if (wr_id < m->oldest_valid)
		return;
	if (rc)
		report_failure(eth, devx_async_strerror(&m->replies, rc, why, sizeof(why)));
	else if (now || !m->seen)
		add_reading(m, now, m->query_ns);
}

/* The caller holds m->lock. */
static void start_query(struct devx_eth *eth)
{
	struct devx_eth_missed *m = &eth->stats.missed;
	char why[DEVX_TEXT_BYTES];
	int rc;

	m->query_ns = get_now_ns();
	rc = devx_counter_query(&eth->counter, &m->replies, m->next_query);
	if (rc)
		report_failure(eth, devx_async_strerror(&m->replies, rc, why, sizeof(why)));
	m->next_query++;
	m->in_flight = !rc;
}

static uint64_t get_age_ms(const struct devx_eth_missed *m)
{
	return m->running ? (get_now_ns() - m->read_ns) / (NS_PER_S / MS_PER_S) : 0;
}

uint64_t devx_eth_missed_get(struct devx_eth *eth, uint64_t *age_ms)
{
	struct devx_eth_missed *m = &eth->stats.missed;
	uint64_t n;

	if (devx_eth_is_secondary()) {
		if (age_ms)
			*age_ms = get_age_ms(m);
		return m->total - m->base;
	}
	pthread_mutex_lock(&m->lock);
	if (m->in_flight)
		take_reply(eth);
	if (m->running && !m->in_flight && !devx_eth_is_lost(eth))
		start_query(eth);
	n = m->total - m->base;
	if (age_ms)
		*age_ms = get_age_ms(m);
	pthread_mutex_unlock(&m->lock);
	return n;
}

static void set_running(struct devx_eth_missed *m, bool running)
{
	pthread_mutex_lock(&m->lock);
	m->running = running;
	pthread_mutex_unlock(&m->lock);
}

void devx_eth_missed_start(struct devx_eth *eth)
{
	struct devx_eth_missed *m = &eth->stats.missed;

	pthread_mutex_lock(&m->lock);
	m->read_ns = get_now_ns();
	m->failed = false;
	m->running = eth->counter.obj;
	pthread_mutex_unlock(&m->lock);
}

void devx_eth_missed_stop(struct devx_eth *eth)
{
	struct devx_eth_missed *m = &eth->stats.missed;

	set_running(m, false);
	read_now(eth);
	pthread_mutex_lock(&m->lock);
	m->oldest_valid = m->next_query; /* read_now() reads nothing from a lost device */
	pthread_mutex_unlock(&m->lock);
}

void devx_eth_missed_reset(struct devx_eth *eth)
{
	struct devx_eth_missed *m = &eth->stats.missed;

	read_now(eth);
	pthread_mutex_lock(&m->lock);
	m->base = m->total;
	pthread_mutex_unlock(&m->lock);
}

int devx_eth_missed_open(struct devx_eth *eth)
{
	const int rc = devx_async_create(&eth->stats.missed.replies, &eth->dev);

	if (rc)
		return devx_eth_log_failure(eth, rc, "cannot open the port");
	pthread_mutex_init(&eth->stats.missed.lock, NULL);
	return 0;
}

void devx_eth_missed_detach(struct devx_eth *eth)
{
	struct devx_eth_missed *m = &eth->stats.missed;

	pthread_mutex_lock(&m->lock);
	devx_async_destroy(&m->replies);
	m->in_flight = false;
	m->seen = 0; /* of the next counter */
	pthread_mutex_unlock(&m->lock);
}

int devx_eth_missed_attach(struct devx_eth *eth)
{
	int rc;

	pthread_mutex_lock(&eth->stats.missed.lock);
	rc = devx_async_create(&eth->stats.missed.replies, &eth->dev);
	pthread_mutex_unlock(&eth->stats.missed.lock);
	return rc;
}

void devx_eth_missed_close(struct devx_eth *eth)
{
	if (!eth->stats.missed.replies.comp)
		return;
	devx_async_destroy(&eth->stats.missed.replies);
	pthread_mutex_destroy(&eth->stats.missed.lock);
}
