/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_alarm.h>
#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_lcore.h>

#include "attach/devx_functions.h"
#include "attach/devx_secondary.h"
#include "burst/devx_burst_mode.h"
#include "burst/devx_user_burst.h"
#include "devx_log.h"
#include "devx_rxq.h"
#include "devx_txq.h"
#include "devx_uar_pages.h"
#include "process/devx_message.h"

enum { PERIOD_US = 10000, ATTACH_S = 5 };

/** struct attached - process_private of a port: the mapped @pages; @lost: the primary ended */
struct attached {
	struct devx_eth_uar_page *pages;
	bool lost;
};

/* @lock is held by a thread that attaches, follows a message or leaves. */
static struct {
	pthread_mutex_t lock;
	int primary; /* pipe of the primary process */
	bool watching;
	const struct eth_dev_ops *ops; /* the first probe sets it, before a message arrives */
} process = { .lock = PTHREAD_MUTEX_INITIALIZER, .primary = -1 };

static struct rte_eth_dev *find_port(const char *name)
{
	for (uint16_t i = 0; i < RTE_MAX_ETHPORTS; i++) {
		struct rte_eth_dev *ethdev = &rte_eth_devices[i];

		if (ethdev->dev_ops == process.ops && ethdev->process_private &&
		    !strcmp(ethdev->data->name, name))
			return ethdev;
	}
	return NULL;
}

/* ---- bursts --------------------------------------------------------------------------------- */

/* Sets the burst functions, also those that ethdev copied when the port was attached. */
static void set_bursts(struct rte_eth_dev *ethdev, eth_rx_burst_t rx, eth_tx_burst_t tx)
{
	struct rte_eth_fp_ops *ops = &rte_eth_fp_ops[ethdev->data->port_id];

	ethdev->rx_pkt_burst = rx;
	ethdev->tx_pkt_burst = tx;
	if (ethdev->state != RTE_ETH_DEV_ATTACHED)
		return; /* the end of probe sets the rest */
	ops->rxq.data = ethdev->data->rx_queues;
	ops->txq.data = ethdev->data->tx_queues;
	__atomic_store_n(&ops->rx_pkt_burst, rx, __ATOMIC_RELEASE);
	__atomic_store_n(&ops->tx_pkt_burst, tx, __ATOMIC_RELEASE);
}

static void stop_bursts(struct rte_eth_dev *ethdev)
{
	set_bursts(ethdev, rte_eth_pkt_burst_dummy, rte_eth_pkt_burst_dummy);
}

static int map_pages(struct rte_eth_dev *ethdev, int fd)
{
	const struct devx_eth *eth = devx_eth_port_get(ethdev);
	struct attached *attached = ethdev->process_private;
	struct devx_dev closed = { 0 };
	char why[DEVX_TEXT_BYTES + 64];

	for (uint16_t i = 0; i < eth->data->nb_tx_queues; i++) {
		const struct devx_eth_txq *txq = eth->data->tx_queues[i];
		int rc;

		if (!txq)
			continue;
		rc = devx_eth_uar_pages_map(&attached->pages, txq->uar.base, &closed, fd,
					    &txq->uar_share);
		if (!rc)
			continue;
		devx_eth_log(eth, ERR,
			     "Tx queue %u: cannot map the doorbell register at its address in the "
			     "primary process; start this process again: %s",
			     i, devx_strerror(&closed, rc, why, sizeof(why)));
		return rc;
	}
	return 0;
}

static int start_bursts(struct rte_eth_dev *ethdev, int fd)
{
	const struct devx_eth *eth = devx_eth_port_get(ethdev);
	const int rc = map_pages(ethdev, fd);

	if (rc) {
		stop_bursts(ethdev); /* the port may have been started before */
		return rc;
	}
	devx_eth_user_select(eth->data->port_id, devx_eth_rx_burst_select(eth),
			     devx_eth_tx_burst_select(eth, eth->data->dev_conf.txmode.offloads));
	set_bursts(ethdev, devx_eth_user_rx_burst, devx_eth_user_tx_burst);
	return 0;
}

/* ---- end of the primary process, or of the port --------------------------------------------- */

static void lose_port(struct rte_eth_dev *ethdev)
{
	struct attached *attached = ethdev->process_private;

	attached->lost = true;
	stop_bursts(ethdev);
	devx_eth_log(devx_eth_port_get(ethdev), ERR,
		     "the primary process ended; the port moves no packets, end this process");
}

/* The callbacks run without the lock: the application may close the port. */
static void watch_primary(void *arg)
{
	bool lost[RTE_MAX_ETHPORTS] = { false };

	pthread_mutex_lock(&process.lock);
	process.watching = false;
	if (!devx_eth_message_has_ended(process.primary))
		process.watching = !rte_eal_alarm_set(PERIOD_US, watch_primary, arg);
	else
		for (uint16_t i = 0; i < RTE_MAX_ETHPORTS; i++) {
			lost[i] = rte_eth_devices[i].dev_ops == process.ops &&
				  rte_eth_devices[i].process_private;
			if (lost[i])
				lose_port(&rte_eth_devices[i]);
		}
	pthread_mutex_unlock(&process.lock);
	for (uint16_t i = 0; i < RTE_MAX_ETHPORTS; i++)
		if (lost[i] && rte_eth_dev_is_valid_port(i))
			rte_eth_dev_callback_process(&rte_eth_devices[i], RTE_ETH_EVENT_INTR_RMV,
						     NULL);
}

/* Gives back the queues of this process, whose bursts have ended. */
static void release_queues(const struct rte_eth_dev_data *data)
{
	const uint32_t number = devx_eth_user_get_process();

	for (uint16_t i = 0; i < data->nb_rx_queues; i++) {
		struct devx_eth_rxq *rxq = data->rx_queues[i];
		uint32_t own = number;

		if (rxq)
			__atomic_compare_exchange_n(&rxq->user.process, &own, 0, false,
						    __ATOMIC_RELEASE, __ATOMIC_RELAXED);
	}
	for (uint16_t i = 0; i < data->nb_tx_queues; i++) {
		struct devx_eth_txq *txq = data->tx_queues[i];
		uint32_t own = number;

		if (txq)
			__atomic_compare_exchange_n(&txq->user.process, &own, 0, false,
						    __ATOMIC_RELEASE, __ATOMIC_RELAXED);
	}
}

/* Frees what this process has of the port. The caller holds the lock. */
static void leave_port(struct rte_eth_dev *ethdev)
{
	struct attached *attached = ethdev->process_private;

	stop_bursts(ethdev);
	devx_eth_uar_pages_free(&attached->pages);
	free(attached);
	ethdev->process_private = NULL;
}

int devx_eth_secondary_close(struct rte_eth_dev *ethdev)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	struct devx_eth_message *m;
	struct rte_mp_msg msg;

	pthread_mutex_lock(&process.lock);
	if (ethdev->process_private) {
		const bool lost = ((const struct attached *)ethdev->process_private)->lost;

		leave_port(ethdev);
		release_queues(eth->data);
		m = devx_eth_message_write(&msg, DEVX_ETH_MESSAGE_DETACH, eth->name);
		m->process = devx_eth_user_get_process();
		if (!lost)
			rte_mp_sendmsg(&msg);
	}
	pthread_mutex_unlock(&process.lock);
	return 0;
}

int devx_eth_secondary_is_removed(struct rte_eth_dev *ethdev)
{
	const struct attached *attached = ethdev->process_private;

	return !attached || attached->lost || devx_eth_is_lost(devx_eth_port_get(ethdev));
}

/* ---- messages of the primary process -------------------------------------------------------- */

/* Returns the port that followed, which is at its end after CLOSE; NULL: none. */
static struct rte_eth_dev *follow_message(const struct devx_eth_message *m, int fd)
{
	struct rte_eth_dev *ethdev = find_port(m->port);

	if (!ethdev)
		return NULL;
	if (m->type == DEVX_ETH_MESSAGE_START)
		start_bursts(ethdev, fd);
	else if (m->type == DEVX_ETH_MESSAGE_STOP)
		stop_bursts(ethdev);
	else
		leave_port(ethdev);
	return ethdev;
}

/* The primary process closed the port. The callback of the application may close it here too. */
static void end_port(struct rte_eth_dev *ethdev)
{
	const uint16_t port = ethdev->data->port_id;

	rte_eth_dev_callback_process(ethdev, RTE_ETH_EVENT_INTR_RMV, NULL);
	if (rte_eth_dev_is_valid_port(port))
		rte_eth_dev_release_port(ethdev);
}

/* Runs on the MP thread of EAL. A burst on another thread may still be under way afterwards. */
static int handle_message(const struct rte_mp_msg *msg, const void *peer)
{
	struct devx_eth_message m;
	struct rte_eth_dev *ethdev = NULL;

	RTE_SET_USED(peer);
	if (!devx_eth_message_read(msg, &m) && m.type >= DEVX_ETH_MESSAGE_STOP) {
		pthread_mutex_lock(&process.lock);
		ethdev = follow_message(&m, msg->num_fds ? msg->fds[0] : -1);
		pthread_mutex_unlock(&process.lock);
	}
	devx_eth_message_close_fds(msg);
	if (ethdev) {
		struct devx_eth *eth = devx_eth_port_get(ethdev);

		if (m.type == DEVX_ETH_MESSAGE_CLOSE)
			end_port(ethdev);
		__atomic_fetch_add(&eth->sharing.n_followed, 1, __ATOMIC_ACQ_REL);
	}
	return 0;
}

/* ---- probe ---------------------------------------------------------------------------------- */

static const char *explain_refusal(int rc)
{
	switch (rc) {
	case -EPROTO:
		return "it runs another version of net_devx; start both from the same build";
	case -ENODEV:
		return "it has no such port of net_devx, or does not support secondary processes";
	case -ENOSPC:
		return "its tables of memory are full; restart the port";
	case -EBUSY:
		return "the port waits for the return of its device; start this process after "
		       "RTE_ETH_EVENT_RECOVERY_SUCCESS";
	default:
		return rte_strerror(-rc);
	}
}

static void list_lcores(uint64_t *lcores)
{
	for (unsigned int i = 0; i < RTE_MIN(RTE_MAX_LCORE, 64u * DEVX_ETH_LCORE_WORDS); i++)
		if (rte_eal_lcore_role(i) != ROLE_OFF)
			lcores[i / 64] |= 1ull << i % 64;
}

/* Asks the primary process. @reply: receives two descriptors. Return: 0 or -errno */
static int request_attach(const char *name, struct rte_mp_msg *reply)
{
	const struct timespec timeout = { .tv_sec = ATTACH_S };
	struct rte_mp_reply replies = { 0 };
	struct devx_eth_message *m, answer;
	struct rte_mp_msg msg;
	const int pipe = devx_eth_message_get_pipe();
	int rc;

	if (pipe < 0)
		return pipe;
	m = devx_eth_message_write(&msg, DEVX_ETH_MESSAGE_ATTACH, name);
	m->process = devx_eth_user_get_process();
	list_lcores(m->lcores);
	msg.fds[msg.num_fds++] = pipe;
	if (rte_mp_request_sync(&msg, &replies, &timeout) || replies.nb_received != 1) {
		free(replies.msgs);
		return -ETIMEDOUT;
	}
	*reply = replies.msgs[0];
	free(replies.msgs);
	rc = devx_eth_message_read(reply, &answer);
	if (!rc)
		rc = answer.result;
	if (!rc && reply->num_fds != 2)
		rc = -EBADMSG;
	if (rc)
		devx_eth_message_close_fds(reply);
	else
		devx_eth_user_set_process(answer.process);
	return rc;
}

/* Keeps the pipe of the primary process; closes the descriptor of the device. */
static int join_port(struct rte_eth_dev *ethdev, const struct rte_mp_msg *reply)
{
	const struct devx_eth *eth = devx_eth_port_get(ethdev);
	int rc = 0;

	pthread_mutex_lock(&process.lock);
	ethdev->process_private = calloc(1, sizeof(struct attached));
	if (process.primary < 0)
		process.primary = reply->fds[1];
	else
		close(reply->fds[1]);
	if (!ethdev->process_private)
		rc = -ENOMEM;
	else if (eth->started)
		rc = start_bursts(ethdev, reply->fds[0]);
	if (!rc && !process.watching)
		process.watching = !rte_eal_alarm_set(PERIOD_US, watch_primary, NULL);
	pthread_mutex_unlock(&process.lock);
	close(reply->fds[0]);
	return rc;
}

static int attach_port(const struct rte_device *device, struct rte_eth_dev *ethdev)
{
	struct rte_mp_msg reply;
	int rc = devx_eth_message_listen(handle_message);

	if (!rc)
		rc = request_attach(rte_dev_name(device), &reply);
	if (rc) {
		devx_eth_probe_log(device, ERR,
				   "cannot attach to the port of the primary process: %s",
				   explain_refusal(rc));
		return rc;
	}
	rc = join_port(ethdev, &reply);
	if (rc)
		devx_eth_secondary_close(ethdev);
	return rc;
}

int devx_eth_secondary_probe(struct rte_device *device, const struct eth_dev_ops *ops)
{
	const uint64_t begin = rte_get_tsc_cycles();
	struct rte_eth_dev *ethdev = rte_eth_dev_attach_secondary(rte_dev_name(device));
	int rc;

	if (!ethdev) {
		devx_eth_probe_log(device, ERR, "the primary process has no such port");
		return -ENODEV;
	}
	ethdev->device = device;
	if (!process.ops)
		process.ops = ops;
	devx_eth_set_functions(ethdev, ops);
	rc = attach_port(device, ethdev);
	if (rc) {
		rte_eth_dev_release_port(ethdev);
		return rc;
	}
	devx_eth_log(devx_eth_port_get(ethdev), INFO,
		     "attached as secondary process %u in %" PRIu64 " us",
		     devx_eth_user_get_process(),
		     (rte_get_tsc_cycles() - begin) * 1000000 / rte_get_tsc_hz());
	rte_eth_dev_probing_finish(ethdev);
	pthread_mutex_lock(&process.lock);
	/* a message that came meanwhile has changed the functions of @ethdev only */
	if (ethdev->process_private)
		set_bursts(ethdev, ethdev->rx_pkt_burst, ethdev->tx_pkt_burst);
	pthread_mutex_unlock(&process.lock);
	return 0;
}
