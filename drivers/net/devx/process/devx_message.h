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
 * They travel over the sockets of EAL, under one name. A pipe is the end for reading of a pipe
 * into which its owner never writes: it hangs up when the owner ends, however that happens.
 *
 * @layout and the three sizes come first in every version of the driver. Two processes talk to each
 * other only if all four are equal, because they share the structures.
 */

#define DEVX_ETH_MESSAGE_NAME "net_devx"

/* Raise it when a field of a shared structure changes its place or meaning, but no size changes. */
enum { DEVX_ETH_LAYOUT = 2 };

enum devx_eth_message_type {
	DEVX_ETH_MESSAGE_ATTACH,
	DEVX_ETH_MESSAGE_DETACH,
	DEVX_ETH_MESSAGE_FOLLOWED,
	DEVX_ETH_MESSAGE_STOP,
	DEVX_ETH_MESSAGE_START,
	DEVX_ETH_MESSAGE_CLOSE,
};

/* A bit per lcore below 512. The mempool caches of others are lost when a process is killed. */
enum { DEVX_ETH_LCORE_WORDS = 8 };

/**
 * struct devx_eth_message - a message
 * @layout: DEVX_ETH_LAYOUT
 * @port_bytes, @rxq_bytes, @txq_bytes: sizes of the shared structures
 * @type: enum devx_eth_message_type
 * @process: number of the secondary process; 0: the primary process shall give it one
 * @result: of a reply: 0 or -errno
 * @started: of a reply: whether bursts may begin, unless a later message says otherwise
 * @n_told: of a message to all processes: its number; of FOLLOWED: that of the message that the
 *          process followed; of a reply: that of the last one, which did not wait for this process
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
static_assert(sizeof(struct devx_eth_message) <= RTE_MP_MAX_PARAM_LEN, "a message of EAL holds it");

/** devx_eth_message_write - write a message of this version into @msg, without descriptors */
struct devx_eth_message *devx_eth_message_write(struct rte_mp_msg *msg,
						enum devx_eth_message_type type, const char *port);

/**
 * devx_eth_message_read - get the message in @msg
 * @message: receives it
 *
 * Return: 0; -EBADMSG: no message of net_devx; -EPROTO: of another version of net_devx, and only
 * the first four fields of @message are valid
 */
int devx_eth_message_read(const struct rte_mp_msg *msg, struct devx_eth_message *message);

/** devx_eth_message_close_fds - close the descriptors that came with @msg */
void devx_eth_message_close_fds(const struct rte_mp_msg *msg);

/**
 * devx_eth_message_listen - register @handler for messages with EAL; once per process
 *
 * Return: 0, also if this process listens already, or -ENOTSUP if EAL supports one process only
 * (--no-shconf, --in-memory); or -errno. Not logged.
 */
int devx_eth_message_listen(rte_mp_t handler);

/**
 * devx_eth_message_get_pipe - get the pipe that hangs up when this process ends
 *
 * Return: the end for reading, which stays open; or -errno.
 */
int devx_eth_message_get_pipe(void);

/**
 * devx_eth_message_close_pipe - in a child of fork: close its copy of the pipe of its parent
 *
 * Otherwise the pipe would not hang up while the child lives.
 */
void devx_eth_message_close_pipe(void);

/** devx_eth_message_has_ended - check whether the owner of the pipe @fd ended */
bool devx_eth_message_has_ended(int fd);

#endif
