/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_malloc.h>

#include "devx/share.h"
#include "devx_log.h"
#include "devx_uar_pages.h"
#include "process/devx_leftovers.h"
#include "process/devx_process_list.h"
#include "process/devx_processes.h"

enum { FOLLOW_MS = 1000, POLL_US = 100 };

static bool is_later(uint32_t n_told, uint32_t than)
{
	return (int32_t)(n_told - than) > 0;
}

static struct devx_eth *find_port(const char *name)
{
	for (uint16_t i = 0; i < RTE_MAX_ETHPORTS; i++)
		if (devx_eth_process_list.ports[i] &&
		    !strcmp(devx_eth_process_list.ports[i]->name, name))
			return devx_eth_process_list.ports[i];
	return NULL;
}

/* Attaches the sender of @msg to the port. Keeps its pipe at its first attach. */
static int attach_process(struct devx_eth *eth, const struct rte_mp_msg *msg,
			  struct devx_eth_message *m, struct rte_mp_msg *reply)
{
	const int pipe = devx_eth_message_get_pipe();
	struct devx_share share; /* unused: processes need only the descriptor */
	struct devx_eth_process *p;
	int fd, rc = 0;

	devx_eth_process_bury_ended(); /* the new process may have the lcores of an ended one */
	if (pipe < 0 || msg->num_fds != 1)
		return -EINVAL;
	if (devx_eth_gate_is_closed(&eth->recovery.gate))
		return -EBUSY; /* a recovery closes the device and sends no START */
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
	p = devx_eth_process_find(m);
	if (!p) {
		close(fd);
		return -ENOMEM;
	}
	if (p->pipe < 0)
		p->pipe = msg->fds[0];
	else
		close(msg->fds[0]);
	p->attached[eth->data->port_id] = true;
	p->followed[eth->data->port_id] = eth->sharing.n_told;
	eth->sharing.tables.needed = true;
	devx_eth_process_watch();
	m->process = p->number;
	m->started = eth->started && !eth->sharing.stopping;
	m->n_told = eth->sharing.n_told;
	reply->fds[reply->num_fds++] = fd;
	reply->fds[reply->num_fds++] = pipe;
	return 0;
}

/* Handles DETACH or FOLLOWED, even while the port closes. */
static void note_process(const struct devx_eth *eth, const struct devx_eth_message *m)
{
	const uint16_t port = eth->data->port_id;

	for (struct devx_eth_process *p = devx_eth_process_list.first; p; p = p->next) {
		if (p->number != m->process)
			continue;
		if (m->type == DEVX_ETH_MESSAGE_DETACH)
			p->attached[port] = false;
		else if (is_later(m->n_told, p->followed[port]))
			p->followed[port] = m->n_told;
	}
}

static int answer_message(const struct rte_mp_msg *msg, struct rte_mp_msg *reply,
			  struct devx_eth_message *m)
{
	const int rc = devx_eth_message_read(msg, m);
	struct devx_eth *eth;

	if (rc == -EPROTO)
		rte_log(RTE_LOG_ERR, devx_eth_logtype,
			"net_devx: refused a secondary process of another version (layout %u, "
			"%u + %u + %u bytes); start both from the same build\n",
			m->layout, m->port_bytes, m->rxq_bytes, m->txq_bytes);
	if (rc)
		return rc;
	eth = find_port(m->port);
	if (eth && (m->type == DEVX_ETH_MESSAGE_DETACH || m->type == DEVX_ETH_MESSAGE_FOLLOWED))
		note_process(eth, m);
	if (m->type != DEVX_ETH_MESSAGE_ATTACH)
		return -EBADMSG; /* without a reply */
	return eth && eth->sharing.multi_process ? attach_process(eth, msg, m, reply) : -ENODEV;
}

bool devx_eth_processes_answer(const struct rte_mp_msg *msg, struct rte_mp_msg *reply)
{
	struct devx_eth_message m, *answer;
	int rc;

	answer = devx_eth_message_write(reply, DEVX_ETH_MESSAGE_ATTACH, "");
	pthread_mutex_lock(&devx_eth_process_list.lock);
	rc = answer_message(msg, reply, &m);
	pthread_mutex_unlock(&devx_eth_process_list.lock);
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

/* Counts the processes that have not followed message @n_told. Under devx_eth_process_list.lock. */
static unsigned int count_missing(const struct devx_eth *eth, uint32_t n_told)
{
	const uint16_t port = eth->data->port_id;
	unsigned int n = 0;

	devx_eth_process_bury_ended();
	for (const struct devx_eth_process *p = devx_eth_process_list.first; p; p = p->next)
		n += p->attached[port] && is_later(n_told, p->followed[port]);
	return n;
}

/*
 * Fills in @msg, with the next number of the port, for rte_mp_sendmsg(). A process that attaches
 * later gets this number in its reply and need not follow the message. Returns the number of
 * processes to wait for.
 */
static unsigned int prepare_message(struct devx_eth *eth, enum devx_eth_message_type type,
				    struct rte_mp_msg *msg)
{
	struct devx_eth_message *m = devx_eth_message_write(msg, type, eth->name);
	unsigned int n;

	pthread_mutex_lock(&devx_eth_process_list.lock);
	m->n_told = ++eth->sharing.n_told;
	if (type != DEVX_ETH_MESSAGE_CLOSE)
		eth->sharing.stopping = type == DEVX_ETH_MESSAGE_STOP;
	n = count_missing(eth, m->n_told);
	if (n && type == DEVX_ETH_MESSAGE_START) {
		msg->fds[0] = fcntl(eth->sharing.export_fd, F_DUPFD_CLOEXEC, 0);
		msg->num_fds = msg->fds[0] >= 0;
	}
	pthread_mutex_unlock(&devx_eth_process_list.lock);
	return n;
}

void devx_eth_processes_tell(struct devx_eth *eth, enum devx_eth_message_type type)
{
	struct rte_mp_msg msg;
	unsigned int missing = prepare_message(eth, type, &msg);
	const uint32_t n_told = ((const struct devx_eth_message *)msg.param)->n_told;

	if (!missing)
		return;
	rte_mp_sendmsg(&msg);
	devx_eth_message_close_fds(&msg);
	for (unsigned int us = 0; us < FOLLOW_MS * 1000; us += POLL_US) {
		pthread_mutex_lock(&devx_eth_process_list.lock);
		missing = count_missing(eth, n_told);
		pthread_mutex_unlock(&devx_eth_process_list.lock);
		if (!missing)
			return;
		rte_delay_us_sleep(POLL_US);
	}
	devx_eth_log(eth, WARNING,
		     "%u of the secondary processes did not react within %d ms; end them", missing,
		     FOLLOW_MS);
}

/* ---- probe and close ------------------------------------------------------------------------ */

/* Detaches a process to which the reply could not be sent. */
static void forget_process(const struct rte_mp_msg *msg, uint32_t number)
{
	const struct devx_eth_message *m = (const struct devx_eth_message *)msg->param;
	struct rte_mp_msg detach, none;

	devx_eth_message_write(&detach, DEVX_ETH_MESSAGE_DETACH, m->port)->process = number;
	devx_eth_processes_answer(&detach, &none);
}

static int handle_message(const struct rte_mp_msg *msg, const void *peer)
{
	struct rte_mp_msg reply;
	int rc;

	if (!devx_eth_processes_answer(msg, &reply))
		return 0;
	rc = rte_mp_reply(&reply, peer);
	if (rc)
		forget_process(msg, ((const struct devx_eth_message *)reply.param)->process);
	if (reply.num_fds)
		close(reply.fds[0]); /* fds[1] is the pipe of this process, which stays open */
	return rc;
}

void devx_eth_processes_open(struct devx_eth *eth)
{
	struct devx_eth_table_room *room = &eth->sharing.tables;
	int rc = rte_eal_has_hugepages() ? 0 : -ENOTSUP;

	pthread_mutex_lock(&devx_eth_process_list.lock);
	devx_eth_process_list.ports[eth->data->port_id] = eth;
	pthread_mutex_unlock(&devx_eth_process_list.lock);
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

/* Detaches all processes, after telling them so if @tell. */
static void detach_all(struct devx_eth *eth, bool tell)
{
	if (tell)
		devx_eth_processes_tell(eth, DEVX_ETH_MESSAGE_CLOSE);
	pthread_mutex_lock(&devx_eth_process_list.lock);
	for (struct devx_eth_process *p = devx_eth_process_list.first; p; p = p->next)
		p->attached[eth->data->port_id] = false;
	if (eth->sharing.export_fd >= 0)
		close(eth->sharing.export_fd);
	eth->sharing.export_fd = -1;
	pthread_mutex_unlock(&devx_eth_process_list.lock);
	devx_eth_leftovers_end_users(eth);
	devx_eth_uar_pages_free(&eth->sharing.uar_pages);
}

void devx_eth_processes_leave(struct devx_eth *eth)
{
	detach_all(eth, eth->sharing.multi_process);
}

void devx_eth_processes_close(struct devx_eth *eth)
{
	bool tell;

	pthread_mutex_lock(&devx_eth_process_list.lock);
	tell = eth->sharing.multi_process;
	eth->sharing.multi_process = false; /* from now on no process can attach */
	pthread_mutex_unlock(&devx_eth_process_list.lock);
	detach_all(eth, tell);
	pthread_mutex_lock(&devx_eth_process_list.lock);
	devx_eth_process_list.ports[eth->data->port_id] = NULL;
	pthread_mutex_unlock(&devx_eth_process_list.lock);
	rte_free(eth->sharing.tables.addr);
	eth->sharing.tables = (struct devx_eth_table_room){ 0 };
}
