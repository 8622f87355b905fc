/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_interrupts.h>

#include "devx/verbs_event.h"
#include "devx_cq_failure.h"
#include "devx_log.h"
#include "loss/devx_event_handler.h"
#include "port/devx_link.h"

/**
 * DOC: Handlers of events
 *
 * EAL calls a handler on its interrupt thread as long as the descriptor is readable. A handler must
 * not wait for eth->lock, because the holder may be waiting for this thread. It returns instead,
 * and EAL calls it again. Callbacks of the application run without the lock, because functions of
 * ethdev take it.
 */

enum { RETRY_US = 1000 };

/* Events that a handler must report to the application. */
struct news {
	bool link, lost;
};

/* ---- under eth->lock -------------------------------------------------------------------- */

/* Reads the link if the application has asked for link interrupts. */
static void check_link(struct devx_eth *eth, struct news *news)
{
	struct rte_eth_dev *ethdev = &rte_eth_devices[eth->data->port_id];

	if (eth->started && eth->data->dev_conf.intr_conf.lsc && devx_eth_link_read(ethdev) > 0)
		news->link = true;
}

/* Keeps all later bursts from the queues. Only a stop of the port ends DEVX_ETH_LOST. */
void devx_eth_queues_lose(struct devx_eth *eth)
{
	struct rte_eth_dev_data *data = eth->data;

	__atomic_store_n(&eth->events.lost, true, __ATOMIC_RELEASE);
	if (eth->started) {
		for (uint16_t i = 0; i < data->nb_rx_queues; i++) {
			struct devx_eth_rxq *rxq = data->rx_queues[i];

			if (!rxq)
				continue;
			devx_eth_owner_take(&rxq->owner, DEVX_ETH_LOST);
			devx_eth_rx_wakeup_raise(&rxq->wakeup);
		}
		for (uint16_t i = 0; i < data->nb_tx_queues; i++) {
			struct devx_eth_txq *txq = data->tx_queues[i];

			if (txq)
				devx_eth_owner_take(&txq->owner, DEVX_ETH_LOST);
		}
	}
	for (struct rte_pmd_devx_ring *r = eth->generators; r; r = r->next)
		devx_eth_owner_take(&r->owner, DEVX_ETH_LOST);
}

/*
 * Leaves the callbacks to the recovery thread, if there is one: a callback on the interrupt thread
 * would keep the recovery thread from unregistering the handlers.
 */
static void lose_device(struct devx_eth *eth, struct news *news)
{
	if (devx_eth_is_lost(eth))
		return;
	devx_eth_queues_lose(eth);
	news->lost = !eth->events.recover(eth);
	devx_eth_log(eth, ERR,
		     "the kernel reports that the device failed or was removed; the port moves no "
		     "packets %s",
		     news->lost ? "any more: stop and close it" : "until the device is back");
	if (news->lost) /* the link is down now; a recovery thread would report that itself */
		check_link(eth, news);
}

/* Ignores an error of a CQ that its queue no longer uses. */
static void handle_cq_error(struct devx_eth *eth, const struct devx_event *event)
{
	const uint16_t queue = DEVX_ETH_COOKIE_QUEUE(event->cookie);
	struct rte_eth_dev_data *data = eth->data;

	if (!eth->started)
		return;
	if (DEVX_ETH_COOKIE_SIDE(event->cookie) == DEVX_ETH_CQ_RX) {
		struct devx_eth_rxq *rxq =
			queue < data->nb_rx_queues ? data->rx_queues[queue] : NULL;

		if (rxq && rxq->cq_cookie == event->cookie)
			devx_eth_rxq_fail_cq(rxq, event->syndrome);
	} else if (DEVX_ETH_COOKIE_SIDE(event->cookie) == DEVX_ETH_CQ_GENERATOR) {
		for (struct rte_pmd_devx_ring *r = eth->generators; r; r = r->next)
			if (r->cq_cookie == event->cookie)
				devx_eth_generator_fail_cq(r, event->syndrome);
	} else {
		struct devx_eth_txq *txq =
			queue < data->nb_tx_queues ? data->tx_queues[queue] : NULL;

		if (txq && txq->cq_cookie == event->cookie)
			devx_eth_txq_fail_cq(txq, event->syndrome);
	}
}

/* Reads the states of all CQs, after the kernel dropped events. */
static void check_cqs(struct devx_eth *eth)
{
	struct rte_eth_dev_data *data = eth->data;
	bool failed;

	for (uint16_t i = 0; eth->started && i < data->nb_rx_queues; i++) {
		struct devx_eth_rxq *rxq = data->rx_queues[i];

		if (rxq && rxq->cq.obj && !devx_cq_query_failed(&rxq->cq, &failed) && failed)
			devx_eth_rxq_fail_cq(rxq, 0);
	}
	for (uint16_t i = 0; eth->started && i < data->nb_tx_queues; i++) {
		struct devx_eth_txq *txq = data->tx_queues[i];

		if (txq && txq->cq.obj && !devx_cq_query_failed(&txq->cq, &failed) && failed)
			devx_eth_txq_fail_cq(txq, 0);
	}
	for (struct rte_pmd_devx_ring *r = eth->generators; eth->started && r; r = r->next)
		if (r->cq.obj && !devx_cq_query_failed(&r->cq, &failed) && failed)
			devx_eth_generator_fail_cq(r, 0);
}

/* Returns false if the channel will stay readable for good. */
static bool read_channel(struct devx_eth *eth, struct news *news)
{
	struct devx_event event;
	bool link = false;
	int rc;

	while ((rc = devx_event_read(&eth->events.channel, &event)) != -EAGAIN) {
		if (rc == -EOVERFLOW) {
			devx_eth_log(
				eth, WARNING,
				"the kernel had no memory for events and lost some; the driver "
				"reads the link and all completion queues instead (nothing "
				"to do)");
			check_cqs(eth);
			link = true;
		} else if (rc) {
			lose_device(eth, news);
			return false;
		} else if (event.type == PRM_EVENT_CQ_ERROR) {
			handle_cq_error(eth, &event);
		} else if (event.type == PRM_EVENT_PORT_CHANGE) {
			link = true;
		}
	}
	/*
	 * If the device is lost, the recovery thread reports the link. A callback here may wait for
	 * the recovery, which waits for this thread.
	 */
	if (link && !devx_eth_is_lost(eth))
		check_link(eth, news);
	return true;
}

/* Returns false if the descriptor will stay readable for good. */
static bool read_verbs(struct devx_eth *eth, struct news *news)
{
	enum devx_verbs_event event;
	bool link = false;
	int rc;

	while (!(rc = devx_verbs_event_read(&eth->dev, &event))) {
		if (event == DEVX_VERBS_DEVICE_FATAL)
			lose_device(eth, news);
		link |= event == DEVX_VERBS_PORT_UP || event == DEVX_VERBS_PORT_DOWN;
	}
	if (link && !devx_eth_is_lost(eth))
		check_link(eth, news);
	if (rc == -EAGAIN)
		return true;
	lose_device(eth, news);
	return false;
}

/* ---- on EAL's interrupt thread ------------------------------------------------------------ */

static void handle_source(struct devx_eth *eth, bool (*read)(struct devx_eth *, struct news *),
			  struct rte_intr_handle *source, rte_intr_callback_fn handler)
{
	const uint16_t port = eth->data->port_id;
	struct rte_eth_dev *ethdev = &rte_eth_devices[port];
	const struct rte_eth_intr_conf *intr = &eth->data->dev_conf.intr_conf;
	struct news news = { 0 };

	if (pthread_mutex_trylock(&eth->lock)) {
		rte_delay_us_sleep(RETRY_US);
		return;
	}
	if (!read(eth, &news)) /* EAL would call the handler again at once */
		rte_intr_callback_unregister_pending(source, handler, eth, NULL);
	pthread_mutex_unlock(&eth->lock);

	/* the application may close the port in each callback, which frees @eth */
	const bool report_loss = news.lost && intr->rmv;

	if (news.link)
		rte_eth_dev_callback_process(ethdev, RTE_ETH_EVENT_INTR_LSC, NULL);
	if (report_loss && rte_eth_dev_is_valid_port(port))
		rte_eth_dev_callback_process(ethdev, RTE_ETH_EVENT_INTR_RMV, NULL);
}

static void handle_channel(void *arg)
{
	struct devx_eth *eth = arg;

	handle_source(eth, read_channel, eth->events.channel_source, handle_channel);
}

static void handle_verbs(void *arg)
{
	struct devx_eth *eth = arg;

	handle_source(eth, read_verbs, eth->events.verbs_source, handle_verbs);
}

/* ---- probe and close ---------------------------------------------------------------------- */

static int register_source(struct rte_intr_handle **source, int fd, rte_intr_callback_fn handler,
			   struct devx_eth *eth)
{
	struct rte_intr_handle *h = rte_intr_instance_alloc(RTE_INTR_INSTANCE_F_PRIVATE);
	int rc = h ? 0 : -ENOMEM;

	if (!rc && (rte_intr_fd_set(h, fd) || rte_intr_type_set(h, RTE_INTR_HANDLE_EXT)))
		rc = -rte_errno;
	*source = h; /* the handler may run before rte_intr_callback_register() returns */
	if (!rc)
		rc = rte_intr_callback_register(h, handler, eth);
	if (!rc)
		return 0;
	*source = NULL;
	rte_intr_instance_free(h);
	devx_eth_log(eth, ERR, "cannot register an interrupt handler (%s)", rte_strerror(-rc));
	return rc;
}

static void unregister_source(struct rte_intr_handle **source, rte_intr_callback_fn handler,
			      struct devx_eth *eth)
{
	int rc;

	if (!*source)
		return;
	/* -EAGAIN: the handler is running; -ENOENT: it unregistered itself after a loss */
	while ((rc = rte_intr_callback_unregister(*source, handler, eth)) == -EAGAIN) {
		if (rte_thread_is_intr()) {
			rte_intr_callback_unregister_pending(*source, handler, eth, NULL);
			break;
		}
		rte_delay_us_sleep(RETRY_US);
	}
	rte_intr_instance_free(*source);
	*source = NULL;
}

int devx_eth_events_open(struct devx_eth *eth)
{
	struct devx_eth_events *ev = &eth->events;
	uint64_t cookie = 0;
	int fd, rc = devx_event_channel_create(&ev->channel, &eth->dev, false);

	ev->withheld = 0;
	if (!rc)
		rc = devx_eth_event_subscribe(eth, NULL, PRM_EVENT_PORT_CHANGE, &cookie);
	if (!rc)
		rc = devx_verbs_event_open(&eth->dev, &fd);
	if (rc)
		return devx_eth_log_failure(eth, rc, "cannot receive events of the device");
	rc = register_source(&ev->channel_source, ev->channel.fd, handle_channel, eth);
	return rc ? rc : register_source(&ev->verbs_source, fd, handle_verbs, eth);
}

void devx_eth_events_close(struct devx_eth *eth)
{
	unregister_source(&eth->events.verbs_source, handle_verbs, eth);
	unregister_source(&eth->events.channel_source, handle_channel, eth);
	devx_event_channel_destroy(&eth->events.channel);
}

int devx_eth_is_removed(struct rte_eth_dev *ethdev)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);

	/* A recovery may still succeed, but ethdev would never forget the removal. */
	return devx_eth_is_lost(eth) && !devx_eth_gate_is_closed(&eth->recovery.gate);
}
