/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include <rte_cycles.h>

#include "devx_log.h"
#include "devx_missed.h"
#include "devx_time.h"

unsigned int devx_eth_missed_period_ms = 950;

/* Logs only the first failure after a start, because the recovery timer reads often. */
static void report_failure(struct devx_eth *eth, const char *why)
{
	if (!eth->stats.missed.failed)
		devx_eth_log(eth, WARNING,
			     "queue counter: %s; imissed keeps its last value, and "
			     "rx_out_of_buffer_age_ms is its age",
			     why);
	eth->stats.missed.failed = true;
}

/* Adds a value that the firmware read at @ns or later. */
static void add_reading(struct devx_eth_missed *m, uint32_t now, uint64_t ns)
{
	const uint64_t total = m->total + (uint32_t)(now - m->seen);

	__atomic_store_n(&m->total, total, __ATOMIC_RELEASE);
	__atomic_store_n(&m->read_ns, ns, __ATOMIC_RELAXED);
	m->seen = now;
}

/*
 * Reads the counter and waits for the firmware. Invalidates a query in flight, whose reply may have
 * an older value. The caller holds eth->lock.
 */
static void read_now(struct devx_eth *eth)
{
	struct devx_eth_missed *m = &eth->stats.missed;
	const uint64_t began = devx_eth_get_now_ns();
	char why[DEVX_TEXT_BYTES];
	uint32_t now;
	int rc;

	m->oldest_valid = m->next_query; /* also if the device is lost */
	if (!eth->counter.obj || devx_eth_is_lost(eth))
		return;
	rc = devx_counter_read(&eth->counter, &now);
	if (rc)
		report_failure(eth, devx_strerror(&eth->dev, rc, why, sizeof(why)));
	else
		add_reading(m, now, began);
}

/*
 * Handles the reply to the query in flight, if it has arrived.
 *
 * If the device fails, the kernel abandons the query, and its reply is all zeros with status OK
 * (Linux mlx5_cmd_exec_cb() does not fill it). So a 0 after a larger value is ignored. It is real
 * only after exactly 2^32 packets, and then the next reply makes up for it.
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

static void start_query(struct devx_eth *eth, uint64_t now_ns)
{
	struct devx_eth_missed *m = &eth->stats.missed;
	char why[DEVX_TEXT_BYTES];
	int rc;

	m->query_ns = now_ns;
	rc = devx_counter_query(&eth->counter, &m->replies, m->next_query);
	if (rc)
		report_failure(eth, devx_async_strerror(&m->replies, rc, why, sizeof(why)));
	m->next_query++;
	m->in_flight = !rc;
}

void devx_eth_missed_poll(struct devx_eth *eth)
{
	struct devx_eth_missed *m = &eth->stats.missed;
	const uint64_t period_ns = (uint64_t)devx_eth_missed_period_ms * (NS_PER_S / MS_PER_S);
	const uint64_t now_ns = devx_eth_get_now_ns();

	if (m->in_flight)
		take_reply(eth);
	if (m->running && !m->in_flight && now_ns >= m->query_ns + period_ns)
		start_query(eth, now_ns);
}

/* Reads @base first, so that a reset that runs meanwhile cannot make the count negative. */
uint64_t devx_eth_missed_get(const struct devx_eth *eth, uint64_t *age_ms)
{
	const struct devx_eth_missed *m = &eth->stats.missed;
	const uint64_t base = __atomic_load_n(&m->base, __ATOMIC_ACQUIRE);
	const uint64_t total = __atomic_load_n(&m->total, __ATOMIC_ACQUIRE);

	*age_ms = 0;
	if (__atomic_load_n(&m->running, __ATOMIC_RELAXED)) {
		const uint64_t read_ns = __atomic_load_n(&m->read_ns, __ATOMIC_ACQUIRE);

		*age_ms = (devx_eth_get_now_ns() - read_ns) / (NS_PER_S / MS_PER_S);
	}
	return total - base;
}

void devx_eth_missed_start(struct devx_eth *eth)
{
	struct devx_eth_missed *m = &eth->stats.missed;

	m->query_ns = devx_eth_get_now_ns();
	__atomic_store_n(&m->read_ns, m->query_ns, __ATOMIC_RELAXED);
	m->failed = false;
	__atomic_store_n(&m->running, eth->counter.obj != NULL, __ATOMIC_RELAXED);
}

void devx_eth_missed_stop(struct devx_eth *eth)
{
	__atomic_store_n(&eth->stats.missed.running, false, __ATOMIC_RELAXED);
	read_now(eth);
}

void devx_eth_missed_reset(struct devx_eth *eth)
{
	struct devx_eth_missed *m = &eth->stats.missed;

	read_now(eth);
	__atomic_store_n(&m->base, m->total, __ATOMIC_RELEASE);
}

int devx_eth_missed_open(struct devx_eth *eth)
{
	const int rc = devx_async_create(&eth->stats.missed.replies, &eth->dev);

	return rc ? devx_eth_log_failure(eth, rc, "cannot open the port") : 0;
}

void devx_eth_missed_detach(struct devx_eth *eth)
{
	struct devx_eth_missed *m = &eth->stats.missed;

	devx_async_destroy(&m->replies);
	m->in_flight = false;
	m->seen = 0; /* the next counter begins at 0 */
}

int devx_eth_missed_attach(struct devx_eth *eth)
{
	return devx_async_create(&eth->stats.missed.replies, &eth->dev);
}

void devx_eth_missed_close(struct devx_eth *eth)
{
	if (eth->stats.missed.replies.comp)
		devx_async_destroy(&eth->stats.missed.replies);
}
