/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include <rte_errno.h>

#include "compat.h"
#include "devx_generator.h"
#include "devx_log.h"
#include "devx_rxq.h"
#include "devx_time.h"
#include "devx_txq.h"
#include "loss/devx_device_recovery.h"
#include "loss/devx_event_handler.h"
#include "loss/devx_reopen.h"
#include "port/devx_link.h"

enum { POLL_MS = 20 }; /* how often the thread looks for the device */

unsigned int devx_eth_retry_ms = 500;

/**
 * struct devx_eth_recovery_thread - the recovery thread
 * @eth: the port; may be freed once @ended is set
 * @ended: the port is being closed; the thread ends without another callback
 * @own: a callback on this thread closed the port, so nobody joins the thread
 * @again: the device was lost again during the recovery; under eth->lock
 * @finished: the thread will handle no further loss; under eth->lock
 */
struct devx_eth_recovery_thread {
	pthread_t id;
	struct devx_eth *eth;
	bool ended, own;
	bool again, finished;
};

static bool is_ended(const struct devx_eth_recovery_thread *t)
{
	return __atomic_load_n(&t->ended, __ATOMIC_ACQUIRE);
}

/* Sleeps in small steps, so that a close does not wait long. */
static void sleep_ms(const struct devx_eth_recovery_thread *t, unsigned int ms)
{
	for (unsigned int i = 0; i < ms && !is_ended(t); i += POLL_MS)
		usleep(POLL_MS * 1000);
}

/* Calls the application, which may close the port. Returns whether the port is still open. */
static bool report_event(const struct devx_eth_recovery_thread *t, enum rte_eth_event_type event)
{
	if (is_ended(t))
		return false;
	rte_eth_dev_callback_process(&rte_eth_devices[t->eth->data->port_id], event, NULL);
	return !is_ended(t);
}

static void report_removal(const struct devx_eth_recovery_thread *t)
{
	if (!is_ended(t) && t->eth->data->dev_conf.intr_conf.rmv)
		report_event(t, RTE_ETH_EVENT_INTR_RMV);
}

/* Reads the link and reports a change. Returns whether the port is still open. */
static bool report_link(const struct devx_eth_recovery_thread *t)
{
	struct devx_eth *eth = t->eth;
	bool changed;

	pthread_mutex_lock(&eth->lock);
	changed = eth->started && eth->data->dev_conf.intr_conf.lsc &&
		  devx_eth_link_read(&rte_eth_devices[eth->data->port_id]) > 0;
	pthread_mutex_unlock(&eth->lock);
	return changed ? report_event(t, RTE_ETH_EVENT_INTR_LSC) : !is_ended(t);
}

/* ---- before the recovery ------------------------------------------------------------------ */

/*
 * Returns whether the device may come back. When Linux removes a PCI function, it unbinds the
 * driver before it reports the loss. Then either the function vanishes or Linux binds it again.
 */
static bool may_return(const struct devx_eth_recovery_thread *t, uint64_t end_ms)
{
	enum devx_slot_state state = devx_slot_read(&t->eth->recovery.slot);

	while (state == DEVX_SLOT_UNBOUND && devx_eth_get_now_ms() < end_ms && !is_ended(t)) {
		sleep_ms(t, POLL_MS);
		state = devx_slot_read(&t->eth->recovery.slot);
	}
	return state == DEVX_SLOT_BOUND;
}

/* Returns whether a burst that began before the loss may still use the queue of @owner. */
static bool may_burst(const uint32_t *owner)
{
	const uint32_t now = __atomic_load_n(owner, __ATOMIC_ACQUIRE);

	return now == DEVX_ETH_RUNNING || now == DEVX_ETH_FAILED || now == DEVX_ETH_LOST;
}

static bool has_bursts(struct devx_eth *eth)
{
	const struct rte_eth_dev_data *data = eth->data;
	bool found = false;

	pthread_mutex_lock(&eth->lock);
	for (uint16_t i = 0; eth->started && i < data->nb_rx_queues; i++)
		if (data->rx_queues[i])
			found |= may_burst(&((struct devx_eth_rxq *)data->rx_queues[i])->owner);
	for (uint16_t i = 0; eth->started && i < data->nb_tx_queues; i++)
		if (data->tx_queues[i])
			found |= may_burst(&((struct devx_eth_txq *)data->tx_queues[i])->owner);
	for (const struct rte_pmd_devx_ring *r = eth->generators; r; r = r->next)
		found |= may_burst(&r->owner);
	pthread_mutex_unlock(&eth->lock);
	return found;
}

static bool is_adapter_gone(const struct devx_eth *eth)
{
	return devx_slot_read(&eth->recovery.slot) == DEVX_SLOT_GONE;
}

/*
 * Waits until no burst and no function uses the device. The next burst on a queue proves that the
 * previous one has ended (devx_eth_queue_yield()); otherwise the wait lasts DEVX_ETH_BURST_MS.
 * Returns false at once if the adapter is removed. The objects then exist until the port stops.
 */
static bool wait_for_users(const struct devx_eth_recovery_thread *t)
{
	struct devx_eth *eth = t->eth;
	const uint64_t end_ms = devx_eth_get_now_ms() + DEVX_ETH_BURST_MS;
	bool wait = true;

	while (wait && devx_eth_get_now_ms() < end_ms && !is_ended(t)) {
		if (is_adapter_gone(eth))
			return false;
		pthread_mutex_lock(&eth->recovery.attempt);
		wait = has_bursts(eth);
		pthread_mutex_unlock(&eth->recovery.attempt);
		if (wait)
			usleep(1000);
	}
	while (!devx_eth_gate_is_empty(&eth->recovery.gate) && !is_ended(t)) {
		if (is_adapter_gone(eth))
			return false;
		usleep(1000);
	}
	return true;
}

/* ---- recovery ------------------------------------------------------------------------------ */

static void detach_device(const struct devx_eth_recovery_thread *t)
{
	pthread_mutex_lock(&t->eth->recovery.attempt);
	if (!is_ended(t))
		devx_eth_device_detach(t->eth);
	pthread_mutex_unlock(&t->eth->recovery.attempt);
}

/* Detaches the device again after a failed attempt. Returns false if the adapter is removed. */
static bool undo_attempt(struct devx_eth_recovery_thread *t)
{
	struct devx_eth *eth = t->eth;

	pthread_mutex_lock(&eth->lock);
	devx_eth_queues_lose(eth);
	pthread_mutex_unlock(&eth->lock);
	if (!wait_for_users(t))
		return false;
	detach_device(t);
	pthread_mutex_lock(&eth->lock);
	t->again = false; /* the next attempt also handles a loss during this one */
	pthread_mutex_unlock(&eth->lock);
	return true;
}

/*
 * Tries to attach the device until @end_ms. Returns 0, -EXDEV if another device came back, -ENXIO
 * if the adapter is removed, or -errno of the last attempt.
 */
static int try_until(struct devx_eth_recovery_thread *t, uint64_t end_ms)
{
	struct devx_eth *eth = t->eth;
	bool found = false;
	int rc;

	for (;;) {
		pthread_mutex_lock(&eth->recovery.attempt);
		rc = is_ended(t) ? -ECANCELED : devx_eth_device_attach(eth, &found);
		pthread_mutex_unlock(&eth->recovery.attempt);
		if (rc && found && !undo_attempt(t))
			return -ENXIO;
		if (!rc || rc == -EXDEV || rc == -ECANCELED || devx_eth_get_now_ms() >= end_ms)
			return rc;
		if (is_adapter_gone(eth))
			return -ENXIO;
		sleep_ms(t, found ? devx_eth_retry_ms : POLL_MS);
	}
}

static void finish_recovery(const struct devx_eth_recovery_thread *t, uint64_t began_ms)
{
	struct devx_eth *eth = t->eth;
	const uint64_t ms = devx_eth_get_now_ms() - began_ms;

	pthread_mutex_lock(&eth->lock);
	eth->recovery.n.successes++;
	eth->recovery.n.lost_ms = ms;
	if (!t->again) /* otherwise the gate stays closed for the next recovery */
		devx_eth_gate_open(&eth->recovery.gate);
	pthread_mutex_unlock(&eth->lock);
	devx_eth_log(eth, WARNING, "the device is back; recovered after %" PRIu64 " ms", ms);
	if (report_link(t))
		report_event(t, RTE_ETH_EVENT_RECOVERY_SUCCESS);
}

static void give_up(const struct devx_eth_recovery_thread *t, uint64_t began_ms, int rc)
{
	struct devx_eth *eth = t->eth;
	char why[DEVX_TEXT_BYTES];

	if (is_ended(t))
		return;
	pthread_mutex_lock(&eth->lock);
	eth->recovery.n.failures++;
	eth->recovery.n.lost_ms = devx_eth_get_now_ms() - began_ms;
	devx_eth_gate_fail(&eth->recovery.gate);
	pthread_mutex_unlock(&eth->lock);
	if (rc == -ENXIO)
		devx_eth_log(eth, ERR, "the adapter was removed; close the port");
	else if (rc != -EXDEV)
		devx_eth_log(eth, ERR,
			     "the device did not return within %u seconds (recovery_wait): %s; "
			     "close the port",
			     eth->args.recovery_wait,
			     devx_strerror(&eth->dev, rc, why, sizeof(why)));
	if (report_event(t, RTE_ETH_EVENT_RECOVERY_FAILED))
		report_removal(t);
}

/* Ends the recovery before it began, because the PCI function is gone. */
static void give_up_removed(const struct devx_eth_recovery_thread *t)
{
	struct devx_eth *eth = t->eth;

	if (is_ended(t))
		return;
	devx_eth_gate_open(&eth->recovery.gate);
	devx_eth_log(eth, ERR, "the adapter was removed; close the port");
	report_removal(t);
}

static void recover_device(struct devx_eth_recovery_thread *t)
{
	struct devx_eth *eth = t->eth;
	const uint64_t began_ms = devx_eth_get_now_ms();
	const uint64_t end_ms = began_ms + (uint64_t)eth->args.recovery_wait * MS_PER_S;
	int rc;

	if (!report_link(t)) /* the link of a lost device is down */
		return;
	if (!may_return(t, end_ms)) {
		give_up_removed(t);
		return;
	}
	if (!report_event(t, RTE_ETH_EVENT_ERR_RECOVERING))
		return;
	if (wait_for_users(t)) {
		detach_device(t);
		rc = try_until(t, end_ms);
	} else {
		rc = -ENXIO;
	}
	if (rc)
		give_up(t, began_ms, rc);
	else
		finish_recovery(t, began_ms);
}

/* ---- the thread ---------------------------------------------------------------------------- */

/* Returns whether the device was lost again since the recovery began. */
static bool take_next_loss(struct devx_eth_recovery_thread *t)
{
	bool again;

	if (is_ended(t))
		return false;
	pthread_mutex_lock(&t->eth->lock);
	again = t->again;
	t->again = false;
	t->finished = !again;
	pthread_mutex_unlock(&t->eth->lock);
	return again;
}

static devx_eth_thread_result run_recovery_thread(void *arg)
{
	struct devx_eth_recovery_thread *t = arg;

	do
		recover_device(t);
	while (take_next_loss(t));
	if (t->own)
		free(t);
	return 0;
}

static void join_thread(struct devx_eth_recovery_thread *t)
{
	pthread_join(t->id, NULL);
	free(t);
}

static int start_thread(struct devx_eth *eth)
{
	struct devx_eth_recovery_thread *t = calloc(1, sizeof(*t));
	int rc;

	if (!t)
		return -ENOMEM;
	t->eth = eth;
	rc = devx_eth_thread_create(&t->id, "devx-recov", run_recovery_thread, t);
	if (rc) {
		free(t);
		return rc;
	}
	eth->recovery.thread = t;
	return 0;
}

bool devx_eth_recovery_begin(struct devx_eth *eth)
{
	struct devx_eth_recovery *r = &eth->recovery;
	int rc;

	r->n.losses++;
	if (!r->ready || !eth->args.recovery_wait)
		return false;
	devx_eth_gate_close(&r->gate);
	if (r->thread && !r->thread->finished) {
		r->thread->again = true;
		return true;
	}
	if (r->thread)
		join_thread(r->thread);
	r->thread = NULL;
	rc = start_thread(eth);
	if (!rc)
		return true;
	devx_eth_log(eth, ERR, "cannot start the recovery of the device (%s)", rte_strerror(-rc));
	devx_eth_gate_open(&r->gate);
	return false;
}

void devx_eth_recovery_allow(struct devx_eth *eth)
{
	pthread_mutex_lock(&eth->lock);
	eth->recovery.ready = true;
	pthread_mutex_unlock(&eth->lock);
}

void devx_eth_recovery_end(struct devx_eth *eth)
{
	struct devx_eth_recovery_thread *t;

	pthread_mutex_lock(&eth->lock);
	eth->recovery.ready = false;
	t = eth->recovery.thread;
	eth->recovery.thread = NULL;
	pthread_mutex_unlock(&eth->lock);
	if (!t)
		return;
	t->own = pthread_equal(t->id, pthread_self());
	__atomic_store_n(&t->ended, true, __ATOMIC_RELEASE);
	if (t->own)
		pthread_detach(t->id); /* the thread frees @t */
	else
		join_thread(t);
}
