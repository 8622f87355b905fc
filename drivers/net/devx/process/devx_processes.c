/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_alarm.h>
#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_lcore.h>
#include <rte_malloc.h>

#include "devx/share.h"
#include "devx_log.h"
#include "devx_uar_pages.h"
#include "process/devx_leftovers.h"
#include "process/devx_processes.h"

enum { PERIOD_US = 10000, FOLLOW_MS = 1000, POLL_US = 100 };

/**
 * struct process - a secondary process that attached to a port
 * @number: its number, from 1 on
 * @pipe: hangs up when it ends
 * @attached: the ports that it is attached to
 * @since: number of the last message to all processes of a port before it attached
 * @lcores: its lcores
 */
struct process {
	struct process *next;
	uint32_t number;
	int pipe;
	bool attached[RTE_MAX_ETHPORTS];
	uint32_t since[RTE_MAX_ETHPORTS];
	uint64_t lcores[DEVX_ETH_LCORE_WORDS];
};

/* @lock is held by a thread that uses a field. No thread that holds it takes devx_eth.lock. */
static struct {
	pthread_mutex_t lock;
	struct process *first;
	uint32_t n_numbers;
	bool watching;
	const struct eth_dev_ops *ops; /* the first probe sets it, before a message arrives */
} processes = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* ---- end of a process; under processes.lock ---------------------------------------------- */

/* Clears the lcores that this or another process has too: their caches are in use. */
static void keep_shared_lcores(struct process *ended)
{
	for (unsigned int i = 0; i < RTE_MIN(RTE_MAX_LCORE, 64u * DEVX_ETH_LCORE_WORDS); i++)
		if (rte_eal_lcore_role(i) != ROLE_OFF)
			ended->lcores[i / 64] &= ~(1ull << i % 64);
	for (const struct process *p = processes.first; p; p = p->next)
		for (unsigned int i = 0; i < DEVX_ETH_LCORE_WORDS; i++)
			ended->lcores[i] &= ~p->lcores[i];
}

static struct devx_eth *find_port(uint16_t port)
{
	return rte_eth_devices[port].dev_ops == processes.ops && rte_eth_dev_is_valid_port(port)
		       ? devx_eth_port_get(&rte_eth_devices[port])
		       : NULL;
}

static bool is_attached(const struct process *p)
{
	for (uint16_t i = 0; i < RTE_MAX_ETHPORTS; i++)
		if (p->attached[i])
			return true;
	return false;
}

/*
 * A process that closed its ports before its end has left no cache changed halfway. After a loss
 * of the device, a process that is no longer attached may have taken a queue in a late burst.
 */
static void bury_process(struct process *p)
{
	unsigned int n_cached = 0;

	if (is_attached(p)) {
		keep_shared_lcores(p);
		n_cached = devx_eth_leftovers_empty_caches(p->lcores);
	}
	for (uint16_t i = 0; i < RTE_MAX_ETHPORTS; i++) {
		struct devx_eth *eth = find_port(i);

		if (!eth)
			continue;
		if (p->attached[i])
			devx_eth_log(eth, NOTICE,
				     "secondary process %u ended; its mempool caches had %u "
				     "buffers, which are lost",
				     p->number, n_cached);
		devx_eth_leftovers_release_queues(eth, p->number);
	}
	close(p->pipe);
	free(p);
}

/* Handles the end of each process that ended since the last call. */
static void bury_ended(void)
{
	struct process **at = &processes.first, *p;

	while ((p = *at)) {
		if (!devx_eth_message_has_ended(p->pipe)) {
			at = &p->next;
			continue;
		}
		*at = p->next;
		bury_process(p);
	}
}

/* Runs on EAL's interrupt thread while there are secondary processes. */
static void watch_processes(void *arg)
{
	pthread_mutex_lock(&processes.lock);
	bury_ended();
	processes.watching = processes.first && !rte_eal_alarm_set(PERIOD_US, watch_processes, arg);
	pthread_mutex_unlock(&processes.lock);
}

/* ---- messages ------------------------------------------------------------------------------ */

/* Finds the process of a message, or adds it. Returns NULL if that is impossible. */
static struct process *find_process(const struct devx_eth_message *m)
{
	struct process *p;

	for (p = processes.first; p; p = p->next)
		if (p->number == m->process)
			return p;
	if (m->process)
		return NULL; /* of a process that ended, or whose primary process ended */
	p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->number = ++processes.n_numbers;
	p->pipe = -1;
	p->next = processes.first;
	memcpy(p->lcores, m->lcores, sizeof(p->lcores));
	processes.first = p;
	return p;
}

/* Adds the process to those of the port. The first port of a process keeps its pipe. */
static int attach_process(struct devx_eth *eth, const struct rte_mp_msg *msg,
			  struct devx_eth_message *m, struct rte_mp_msg *reply)
{
	const int pipe = devx_eth_message_get_pipe();
	struct devx_share share; /* the descriptor is enough: no process imports the device */
	struct process *p;
	int fd, rc = 0;

	bury_ended(); /* before the new process uses lcores of an old one */
	if (pipe < 0 || msg->num_fds != 1)
		return -EINVAL;
	if (devx_eth_gate_is_closed(&eth->recovery.gate))
		return -EBUSY; /* a recovery closes the device, and sends no START */
	if (devx_eth_is_lost(eth))
		return -EIO;
	if (eth->started && eth->sharing.tables.outside)
		return -ENOSPC;
	if (eth->sharing.export_fd < 0)
		rc = devx_dev_export(&eth->dev, &share, &eth->sharing.export_fd);
	if (rc)
		return rc;
	fd = fcntl(eth->sharing.export_fd, F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	p = find_process(m);
	if (!p) {
		close(fd);
		return -ENOMEM;
	}
	if (p->pipe < 0)
		p->pipe = msg->fds[0];
	else
		close(msg->fds[0]);
	p->attached[eth->data->port_id] = true;
	p->since[eth->data->port_id] = eth->sharing.n_told;
	eth->sharing.tables.needed = true;
	if (!processes.watching)
		processes.watching = !rte_eal_alarm_set(PERIOD_US, watch_processes, NULL);
	m->process = p->number;
	m->started = eth->started && !eth->sharing.stopping;
	m->n_told = eth->sharing.n_told;
	reply->fds[reply->num_fds++] = fd;
	reply->fds[reply->num_fds++] = pipe;
	return 0;
}

static void detach_process(const struct devx_eth *eth, uint32_t number)
{
	for (struct process *p = processes.first; p; p = p->next)
		if (p->number == number)
			p->attached[eth->data->port_id] = false;
}

static int answer_message(const struct rte_mp_msg *msg, struct rte_mp_msg *reply,
			  struct devx_eth_message *m)
{
	const int rc = devx_eth_message_read(msg, m);
	struct rte_eth_dev *ethdev;
	struct devx_eth *eth;

	if (rc == -EPROTO)
		rte_log(RTE_LOG_ERR, devx_eth_logtype,
			"net_devx: refused a secondary process of another version (layout %u, "
			"%u + %u + %u bytes); start both from the same build\n",
			m->layout, m->port_bytes, m->rxq_bytes, m->txq_bytes);
	if (rc)
		return rc;
	ethdev = rte_eth_dev_allocated(m->port);
	eth = ethdev ? find_port(ethdev->data->port_id) : NULL;
	if (eth && m->type == DEVX_ETH_MESSAGE_DETACH)
		detach_process(eth, m->process); /* also while the port closes */
	if (m->type != DEVX_ETH_MESSAGE_ATTACH)
		return -EBADMSG; /* without a reply */
	return eth && eth->sharing.multi_process ? attach_process(eth, msg, m, reply) : -ENODEV;
}

bool devx_eth_processes_answer(const struct rte_mp_msg *msg, struct rte_mp_msg *reply)
{
	struct devx_eth_message m, *answer;
	int rc;

	answer = devx_eth_message_write(reply, DEVX_ETH_MESSAGE_ATTACH, "");
	pthread_mutex_lock(&processes.lock);
	rc = answer_message(msg, reply, &m);
	pthread_mutex_unlock(&processes.lock);
	if (rc)
		devx_eth_message_close_fds(msg);
	answer->process = m.process;
	answer->result = rc;
	if (!rc) {
		answer->started = m.started;
		answer->n_told = m.n_told;
	}
	return rc != -EBADMSG;
}

/* Counts the processes that message @n_told waits for. Under processes.lock. */
static unsigned int count_waited(const struct devx_eth *eth, uint32_t n_told)
{
	const uint16_t port = eth->data->port_id;
	unsigned int n = 0;

	bury_ended();
	for (const struct process *p = processes.first; p; p = p->next)
		n += p->attached[port] && (int32_t)(n_told - p->since[port]) > 0;
	return n;
}

static unsigned int count_waited_now(const struct devx_eth *eth, uint32_t n_told)
{
	unsigned int n;

	pthread_mutex_lock(&processes.lock);
	n = count_waited(eth, n_told);
	pthread_mutex_unlock(&processes.lock);
	return n;
}

/*
 * Fills in @msg, with the next number of the port, for rte_mp_sendmsg(). A process that attaches
 * later gets this number in its reply, and does not count as a follower. Returns the number of
 * processes to wait for.
 */
static unsigned int prepare_message(struct devx_eth *eth, enum devx_eth_message_type type,
				    struct rte_mp_msg *msg)
{
	struct devx_eth_message *m = devx_eth_message_write(msg, type, eth->name);
	unsigned int n;

	pthread_mutex_lock(&processes.lock);
	m->n_told = ++eth->sharing.n_told;
	if (type != DEVX_ETH_MESSAGE_CLOSE)
		eth->sharing.stopping = type == DEVX_ETH_MESSAGE_STOP;
	n = count_waited(eth, m->n_told);
	if (n && type == DEVX_ETH_MESSAGE_START) {
		msg->fds[0] = fcntl(eth->sharing.export_fd, F_DUPFD_CLOEXEC, 0);
		msg->num_fds = msg->fds[0] >= 0;
	}
	pthread_mutex_unlock(&processes.lock);
	return n;
}

void devx_eth_processes_tell(struct devx_eth *eth, enum devx_eth_message_type type)
{
	struct rte_mp_msg msg;
	uint32_t *const n_followed = &eth->sharing.n_followed;
	uint32_t missing = prepare_message(eth, type, &msg);
	const uint32_t n_told = ((const struct devx_eth_message *)msg.param)->n_told;

	if (!missing)
		return;
	__atomic_store_n(n_followed, 0, __ATOMIC_RELEASE);
	rte_mp_sendmsg(&msg);
	devx_eth_message_close_fds(&msg);
	for (unsigned int us = 0; missing && us < FOLLOW_MS * 1000; us += POLL_US) {
		const uint32_t followed = __atomic_load_n(n_followed, __ATOMIC_ACQUIRE);
		const uint32_t n = count_waited_now(eth, n_told);

		missing = followed < n ? n - followed : 0;
		if (missing)
			rte_delay_us_sleep(POLL_US);
	}
	if (missing)
		devx_eth_log(eth, WARNING,
			     "%u of the secondary processes did not follow within %d ms; end them",
			     missing, FOLLOW_MS);
}

/* ---- probe and close ------------------------------------------------------------------------ */

static int handle_message(const struct rte_mp_msg *msg, const void *peer)
{
	struct rte_mp_msg reply;
	int rc;

	if (!devx_eth_processes_answer(msg, &reply))
		return 0;
	rc = rte_mp_reply(&reply, peer);
	if (reply.num_fds)
		close(reply.fds[0]); /* the second one is the pipe of this process */
	return rc;
}

void devx_eth_processes_open(struct devx_eth *eth, const struct eth_dev_ops *ops)
{
	struct devx_eth_table_room *room = &eth->sharing.tables;
	int rc = rte_eal_has_hugepages() ? 0 : -ENOTSUP;

	processes.ops = processes.ops ? processes.ops : ops;
	if (!rc)
		rc = devx_eth_message_listen(handle_message);
	if (!rc)
		room->addr = rte_malloc("devx_tables", DEVX_ETH_TABLE_ROOM_BYTES, 0);
	if (!rc && !room->addr)
		rc = -ENOMEM;
	if (rc && rc != -ENOTSUP)
		devx_eth_log(eth, WARNING, "secondary processes cannot attach: %s",
			     rte_strerror(-rc));
	if (rc)
		return;
	room->bytes = DEVX_ETH_TABLE_ROOM_BYTES;
	eth->sharing.multi_process = true;
}

static void detach_all(struct devx_eth *eth)
{
	for (struct process *p = processes.first; p; p = p->next)
		p->attached[eth->data->port_id] = false;
	if (eth->sharing.export_fd >= 0)
		close(eth->sharing.export_fd);
	eth->sharing.export_fd = -1;
}

static void detach_all_after(struct devx_eth *eth, bool tell)
{
	if (tell)
		devx_eth_processes_tell(eth, DEVX_ETH_MESSAGE_CLOSE);
	pthread_mutex_lock(&processes.lock);
	detach_all(eth);
	pthread_mutex_unlock(&processes.lock);
	devx_eth_leftovers_end_users(eth);
	devx_eth_uar_pages_free(&eth->sharing.uar_pages);
}

void devx_eth_processes_leave(struct devx_eth *eth)
{
	detach_all_after(eth, eth->sharing.multi_process);
}

void devx_eth_processes_close(struct devx_eth *eth)
{
	bool tell;

	pthread_mutex_lock(&processes.lock);
	tell = eth->sharing.multi_process;
	eth->sharing.multi_process = false; /* no process attaches any more */
	pthread_mutex_unlock(&processes.lock);
	detach_all_after(eth, tell);
	rte_free(eth->sharing.tables.addr);
	eth->sharing.tables = (struct devx_eth_table_room){ 0 };
}
