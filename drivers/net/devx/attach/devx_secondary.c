/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_alarm.h>
#include <rte_cycles.h>

#include "attach/devx_attach_request.h"
#include "attach/devx_ethdev.h"
#include "attach/devx_secondary.h"
#include "attach/devx_secondary_bursts.h"
#include "attach/devx_secondary_ended.h"
#include "burst/devx_user_burst.h"
#include "devx_log.h"
#include "devx_rxq.h"
#include "devx_txq.h"
#include "devx_uar_pages.h"
#include "process/devx_message.h"

enum { PERIOD_US = 10000 };

/*
 * @lock: held by a thread that attaches to a port, follows a message or leaves a port
 * @primary: pipe that hangs up when the primary process ends; -1: none yet
 * @watching: an alarm checks @primary
 * @ops: operations of a port; set by the first probe, before any message arrives
 * @attaching: name of the port to which a thread is attaching, or NULL
 * @missed_close, @missed: CLOSE for that port, and the last other message for it
 */
static struct {
	pthread_mutex_t lock;
	int primary;
	bool watching;
	const struct eth_dev_ops *ops;
	const char *attaching;
	struct devx_eth_message missed_close, missed;
} process = { .lock = PTHREAD_MUTEX_INITIALIZER, .primary = -1 };

static struct rte_eth_dev *find_port(const char *name)
{
	for (uint16_t i = 0; i < RTE_MAX_ETHPORTS; i++) {
		struct rte_eth_dev *ethdev = &rte_eth_devices[i];
		const struct devx_eth_attached *attached = ethdev->process_private;

		if (ethdev->dev_ops == process.ops && attached && !strcmp(attached->name, name))
			return ethdev;
	}
	return NULL;
}

/* ---- end of the primary process, or of the port --------------------------------------------- */

static void lose_port(struct rte_eth_dev *ethdev)
{
	struct devx_eth_attached *attached = ethdev->process_private;

	devx_eth_secondary_stop_bursts(ethdev);
	attached->lost = true;
	devx_eth_log(devx_eth_port_get(ethdev), ERR,
		     "the primary process ended; the port moves no packets, end this process");
}

/* Calls the callbacks without the lock, because they may close the port. */
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

static void release_queue(struct devx_eth_user *user)
{
	uint32_t own = devx_eth_user_get_process();

	__atomic_compare_exchange_n(&user->process, &own, 0, false, __ATOMIC_RELEASE,
				    __ATOMIC_RELAXED);
}

/* Releases the queues that this process owns. Its bursts have ended. */
static void release_queues(const struct rte_eth_dev_data *data)
{
	for (uint16_t i = 0; i < data->nb_rx_queues; i++)
		if (data->rx_queues[i])
			release_queue(&((struct devx_eth_rxq *)data->rx_queues[i])->user);
	for (uint16_t i = 0; i < data->nb_tx_queues; i++)
		if (data->tx_queues[i])
			release_queue(&((struct devx_eth_txq *)data->tx_queues[i])->user);
}

/* Frees the private data of this process. The caller holds the lock. */
static void leave_port(struct rte_eth_dev *ethdev)
{
	struct devx_eth_attached *attached = ethdev->process_private;

	devx_eth_secondary_stop_bursts(ethdev);
	devx_eth_uar_pages_free(&attached->pages);
	free(attached);
	ethdev->process_private = NULL;
}

static void send_to_primary(enum devx_eth_message_type type, const char *port, uint32_t n_told)
{
	struct rte_mp_msg msg;
	struct devx_eth_message *m = devx_eth_message_write(&msg, type, port);

	m->process = devx_eth_user_get_process();
	m->n_told = n_told;
	rte_mp_sendmsg(&msg);
}

int devx_eth_secondary_close(struct rte_eth_dev *ethdev)
{
	const struct devx_eth_attached *attached;
	struct rte_eth_dev_data *data;

	pthread_mutex_lock(&process.lock);
	data = ethdev->data; /* under the lock, because CLOSE changes it */
	attached = ethdev->process_private;
	if (devx_eth_secondary_is_ended(ethdev))
		data->name[0] = '\0'; /* rte_eth_dev_allocated() also finds released ports */
	if (attached) {
		const bool lost = attached->lost;
		char name[RTE_ETH_NAME_MAX_LEN];

		strcpy(name, attached->name);
		leave_port(ethdev);
		release_queues(data);
		if (!lost)
			send_to_primary(DEVX_ETH_MESSAGE_DETACH, name, 0);
	}
	pthread_mutex_unlock(&process.lock);
	return 0;
}

int devx_eth_secondary_is_removed(struct rte_eth_dev *ethdev)
{
	const struct devx_eth_attached *attached;
	bool is_removed;

	pthread_mutex_lock(&process.lock);
	attached = ethdev->process_private;
	is_removed = !attached || attached->lost || devx_eth_is_lost(devx_eth_port_get(ethdev));
	pthread_mutex_unlock(&process.lock);
	return is_removed;
}

/* ---- messages of the primary process -------------------------------------------------------- */

/* Does what @m orders, then answers the primary process. Returns 0, or -errno of START. */
static int follow_on_port(struct rte_eth_dev *ethdev, const struct devx_eth_message *m, int fd)
{
	int rc = 0;

	if (m->type == DEVX_ETH_MESSAGE_START) {
		rc = devx_eth_secondary_start_bursts(ethdev, fd);
	} else if (m->type == DEVX_ETH_MESSAGE_STOP) {
		devx_eth_secondary_stop_bursts(ethdev);
	} else {
		devx_eth_secondary_end(ethdev);
		leave_port(ethdev);
	}
	send_to_primary(DEVX_ETH_MESSAGE_FOLLOWED, m->port, m->n_told);
	return rc;
}

/* Returns the port that followed @m, or NULL. Keeps @m for later if its port is attaching. */
static struct rte_eth_dev *follow_message(const struct devx_eth_message *m, int fd)
{
	struct rte_eth_dev *ethdev;

	if (process.attaching && !strcmp(process.attaching, m->port)) {
		*(m->type == DEVX_ETH_MESSAGE_CLOSE ? &process.missed_close : &process.missed) = *m;
		return NULL;
	}
	ethdev = find_port(m->port);
	if (ethdev)
		follow_on_port(ethdev, m, fd);
	return ethdev;
}

/* Runs on EAL's thread for messages. Bursts on other threads may still be running when it ends. */
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
	if (ethdev && m.type == DEVX_ETH_MESSAGE_CLOSE)
		rte_eth_dev_callback_process(ethdev, RTE_ETH_EVENT_INTR_RMV, NULL);
	return 0;
}

/* ---- probe ---------------------------------------------------------------------------------- */

/* Makes follow_message() keep the messages for port @name. NULL: no longer. */
static void set_attaching(const char *name)
{
	pthread_mutex_lock(&process.lock);
	process.attaching = name;
	process.missed_close = process.missed = (struct devx_eth_message){ 0 };
	pthread_mutex_unlock(&process.lock);
}

/*
 * Returns CLOSE, or else the last message, if it is newer than the answer to the attach request;
 * otherwise NULL. The caller holds the lock.
 */
static const struct devx_eth_message *find_missed(const struct devx_eth_attached *attached)
{
	const struct devx_eth_message *const both[] = { &process.missed_close, &process.missed };

	for (unsigned int i = 0; i < RTE_DIM(both); i++)
		if (both[i]->n_told && (int32_t)(both[i]->n_told - attached->since) > 0)
			return both[i];
	return NULL;
}

/* Watches the primary process, and starts the bursts if the port is started. */
static int join_port(struct rte_eth_dev *ethdev, const struct rte_mp_msg *reply,
		     const struct devx_eth_message *answer)
{
	struct devx_eth_attached *attached = ethdev->process_private;
	int rc = 0;

	pthread_mutex_lock(&process.lock);
	attached->since = answer->n_told;
	if (process.primary < 0)
		process.primary = reply->fds[1];
	else
		close(reply->fds[1]);
	if (!find_missed(attached) && answer->started)
		rc = devx_eth_secondary_start_bursts(ethdev, reply->fds[0]);
	if (!rc && !process.watching)
		process.watching = !rte_eal_alarm_set(PERIOD_US, watch_primary, NULL);
	pthread_mutex_unlock(&process.lock);
	return rc;
}

static struct devx_eth_attached *make_attached(const struct rte_eth_dev_data *data)
{
	struct devx_eth_attached *attached = calloc(1, sizeof(*attached));

	if (attached) {
		strcpy(attached->name, data->name);
		attached->port = data->port_id;
		attached->mac = data->mac_addrs[0];
	}
	return attached;
}

/* @fd: receives a descriptor of the device, which the caller closes. Return: 0 or -errno, logged */
static int attach_port(const struct rte_device *device, struct rte_eth_dev *ethdev, int *fd)
{
	struct devx_eth_message answer;
	struct rte_mp_msg reply;
	int rc = devx_eth_message_listen(handle_message);

	ethdev->process_private = make_attached(ethdev->data);
	if (!ethdev->process_private)
		rc = -ENOMEM;
	if (!rc)
		rc = devx_eth_attach_request_send(rte_dev_name(device), &reply, &answer);
	if (rc) {
		devx_eth_probe_log(device, ERR,
				   "cannot attach to the port of the primary process: %s",
				   devx_eth_attach_request_explain(rc));
		free(ethdev->process_private);
		ethdev->process_private = NULL;
		return rc;
	}
	*fd = reply.fds[0];
	return join_port(ethdev, &reply, &answer);
}

/* Follows a message that came during the attach. From now on messages take effect at once. */
static int finish_attach(struct rte_eth_dev *ethdev, int fd)
{
	const struct devx_eth_message *missed = NULL;
	int rc = 0;

	rte_eth_dev_probing_finish(ethdev);
	pthread_mutex_lock(&process.lock);
	process.attaching = NULL;
	if (ethdev->process_private) { /* otherwise another thread has closed the port */
		devx_eth_secondary_set_bursts(ethdev, ethdev->rx_pkt_burst, ethdev->tx_pkt_burst);
		missed = find_missed(ethdev->process_private);
	}
	if (missed) {
		rc = follow_on_port(ethdev, missed, fd);
		if (missed->type == DEVX_ETH_MESSAGE_CLOSE)
			rc = -ENODEV;
	}
	pthread_mutex_unlock(&process.lock);
	return rc;
}

int devx_eth_secondary_probe(struct rte_device *device, const struct eth_dev_ops *ops)
{
	const uint64_t begin = rte_get_tsc_cycles();
	struct rte_eth_dev *ethdev = rte_eth_dev_attach_secondary(rte_dev_name(device));
	int rc, fd = -1;

	if (!ethdev) {
		devx_eth_probe_log(device, ERR, "the primary process has no such port");
		return -ENODEV;
	}
	if (devx_eth_secondary_is_ended(ethdev)) {
		const uint16_t port = ethdev->data->port_id;

		devx_eth_secondary_keep_ended(ethdev);
		devx_eth_probe_log(
			device, ERR,
			"port %u of this process is one that the primary process closed; "
			"close it here as well, then attach",
			port);
		return -EBUSY;
	}
	ethdev->device = device;
	if (!process.ops)
		process.ops = ops;
	devx_eth_set_functions(ethdev, ops);
	set_attaching(rte_dev_name(device));
	rc = attach_port(device, ethdev, &fd);
	if (!rc)
		rc = finish_attach(ethdev, fd);
	if (fd >= 0)
		close(fd);
	if (rc) {
		set_attaching(NULL);
		devx_eth_secondary_close(ethdev);
		rte_eth_dev_release_port(ethdev);
		return rc;
	}
	pthread_mutex_lock(&process.lock);
	if (ethdev->process_private) /* after CLOSE, the shared memory of the port is gone */
		devx_eth_log(devx_eth_port_get(ethdev), INFO,
			     "attached as secondary process %u in %" PRIu64 " us",
			     devx_eth_user_get_process(),
			     (rte_get_tsc_cycles() - begin) * 1000000 / rte_get_tsc_hz());
	pthread_mutex_unlock(&process.lock);
	return 0;
}
