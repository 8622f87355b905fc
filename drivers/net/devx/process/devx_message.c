/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include <rte_errno.h>
#include <rte_string_fns.h>

#include "devx_rxq.h"
#include "devx_txq.h"
#include "process/devx_message.h"

static void write_layout(struct devx_eth_message *m)
{
	m->layout = DEVX_ETH_LAYOUT;
	m->port_bytes = sizeof(struct devx_eth);
	m->rxq_bytes = sizeof(struct devx_eth_rxq);
	m->txq_bytes = sizeof(struct devx_eth_txq);
}

struct devx_eth_message *devx_eth_message_write(struct rte_mp_msg *msg,
						enum devx_eth_message_type type, const char *port)
{
	struct devx_eth_message *m = (struct devx_eth_message *)msg->param;

	memset(msg, 0, sizeof(*msg));
	rte_strscpy(msg->name, DEVX_ETH_MESSAGE_NAME, sizeof(msg->name));
	msg->len_param = sizeof(*m);
	write_layout(m);
	m->type = type;
	rte_strscpy(m->port, port, sizeof(m->port));
	return m;
}

int devx_eth_message_read(const struct rte_mp_msg *msg, struct devx_eth_message *message)
{
	const size_t layout_bytes = offsetof(struct devx_eth_message, type);
	struct devx_eth_message ours = { 0 };

	memset(message, 0, sizeof(*message));
	if (msg->len_param < (int)layout_bytes || msg->len_param > RTE_MP_MAX_PARAM_LEN)
		return -EBADMSG;
	memcpy(message, msg->param, RTE_MIN((size_t)msg->len_param, sizeof(*message)));
	write_layout(&ours);
	if (memcmp(message, &ours, layout_bytes) || msg->len_param != sizeof(*message))
		return -EPROTO;
	if (message->type > DEVX_ETH_MESSAGE_CLOSE ||
	    !memchr(message->port, '\0', sizeof(message->port)))
		return -EBADMSG;
	return 0;
}

void devx_eth_message_close_fds(const struct rte_mp_msg *msg)
{
	for (int i = 0; i < msg->num_fds; i++)
		close(msg->fds[i]);
}

int devx_eth_message_listen(rte_mp_t handler)
{
	if (rte_mp_action_register(DEVX_ETH_MESSAGE_NAME, handler) && rte_errno != EEXIST)
		return -rte_errno;
	return 0;
}

static int own_pipe[2] = { -1, -1 };

int devx_eth_message_get_pipe(void)
{
	if (own_pipe[0] < 0 && pipe2(own_pipe, O_CLOEXEC | O_NONBLOCK))
		return -errno;
	return own_pipe[0];
}

void devx_eth_message_close_pipe(void)
{
	for (int i = 0; i < 2; i++) {
		if (own_pipe[i] >= 0)
			close(own_pipe[i]);
		own_pipe[i] = -1;
	}
}

bool devx_eth_message_has_ended(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 0) == 1 && p.revents & (POLLHUP | POLLERR | POLLNVAL);
}
