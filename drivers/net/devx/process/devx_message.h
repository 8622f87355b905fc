/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_MESSAGE_H
#define DEVX_ETH_MESSAGE_H

#include <rte_eal.h>

#include "devx_port.h"

/**
 * DOC: Messages between the primary and the secondary processes
 *
 *     secondary ----- ATTACH, its pipe ---------------------> primary     a request
 *               <---- number of the process; descriptor of the device, pipe of the primary
 *     primary ------- STOP | START, descriptor | CLOSE -----> all         no reply
 *     secondary ----- FOLLOWED, DETACH ---------------------> primary     no reply
 *
 * The messages use the sockets of EAL, under one name. Each process passes on the read end of a
 * pipe to which it never writes: the pipe hangs up when that process ends for whatever reason.
 *
 * @layout and the three sizes come first in every version of the driver. Because processes share
 * the structures, they work together only if all four values are equal.
 */

#define DEVX_ETH_MESSAGE_NAME "net_devx"

/* Raise this if a field of a shared structure moves or changes its meaning, but no size changes. */
enum { DEVX_ETH_LAYOUT = 2 };

enum devx_eth_message_type {
	DEVX_ETH_MESSAGE_ATTACH,
	DEVX_ETH_MESSAGE_DETACH,
	DEVX_ETH_MESSAGE_FOLLOWED,
	DEVX_ETH_MESSAGE_STOP,
	DEVX_ETH_MESSAGE_START,
	DEVX_ETH_MESSAGE_CLOSE,
};

/* A bit per lcore below 512. The mempool caches of higher lcores are never emptied. */
enum { DEVX_ETH_LCORE_WORDS = 8 };

/**
 * struct devx_eth_message - a message
 * @layout: DEVX_ETH_LAYOUT
 * @port_bytes, @rxq_bytes, @txq_bytes: sizes of the shared structures
 * @type: enum devx_eth_message_type
 * @process: number of the secondary process; 0: the primary process assigns one
 * @result: in a reply: 0 or -errno
 * @started: in a reply: whether bursts may begin, unless a later message overrides it
 * @n_told: in a message to all processes: its number. In FOLLOWED: number of the message that the
 *          process followed. In a reply: number of the last message before the process attached
 * @port: name of the port
 * @lcores: bit n % 64 of word n / 64: lcore n belongs to the secondary process
 */
struct devx_eth_message {
	uint32_t layout, port_bytes, rxq_bytes, txq_bytes;
	uint32_t type, process;
	int32_t result;
	uint32_t started, n_told;
	char port[RTE_ETH_NAME_MAX_LEN];
	uint64_t lcores[DEVX_ETH_LCORE_WORDS];
};
static_assert(sizeof(struct devx_eth_message) <= RTE_MP_MAX_PARAM_LEN, "fits a message of EAL");

/** devx_eth_message_write - write a message without descriptors to @msg. Return: the message */
struct devx_eth_message *devx_eth_message_write(struct rte_mp_msg *msg,
						enum devx_eth_message_type type, const char *port);

/**
 * devx_eth_message_read - copy the message from @msg to @message
 *
 * Return: 0, -EBADMSG if the message is not one of net_devx, or -EPROTO if another version of
 * net_devx sent it; then only the first four fields of @message are valid
 */
int devx_eth_message_read(const struct rte_mp_msg *msg, struct devx_eth_message *message);

/** devx_eth_message_close_fds - close the descriptors that came with @msg */
void devx_eth_message_close_fds(const struct rte_mp_msg *msg);

/**
 * devx_eth_message_listen - register @handler for messages with EAL, unless there is one already
 *
 * Return: 0, -ENOTSUP if EAL supports only one process (--no-shconf, --in-memory), or another
 * -errno; not logged
 */
int devx_eth_message_listen(rte_mp_t handler);

/**
 * devx_eth_message_get_pipe - get the pipe that hangs up when this process ends
 *
 * Return: the read end, which the caller must not close, or -errno
 */
int devx_eth_message_get_pipe(void);

/**
 * devx_eth_message_close_pipe - in a child of fork, close the inherited copy of the pipe
 *
 * Otherwise the pipe would not hang up before the child ends as well.
 */
void devx_eth_message_close_pipe(void);

/** devx_eth_message_has_ended - check whether the owner of the pipe @fd ended */
bool devx_eth_message_has_ended(int fd);

#endif
