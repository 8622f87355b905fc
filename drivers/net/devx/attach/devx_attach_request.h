/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_ATTACH_REQUEST_H
#define DEVX_ETH_ATTACH_REQUEST_H

#include "process/devx_message.h"

/**
 * devx_eth_attach_request_send - ask the primary process to attach this secondary process to a port
 * @name: name of the device
 * @reply: receives a descriptor of the device and the pipe of the primary process
 * @answer: receives the message in @reply
 *
 * Waits up to 5 seconds for the reply, which assigns this process its number (devx_user_burst.h).
 *
 * Return: 0; -ETIMEDOUT without a reply; -EPROTO or -EBADMSG if the reply is invalid; or the error
 * with which the primary process refused. On failure no descriptor is left open.
 */
int devx_eth_attach_request_send(const char *name, struct rte_mp_msg *reply,
				 struct devx_eth_message *answer);

/** devx_eth_attach_request_explain - describe an error of devx_eth_attach_request_send() */
const char *devx_eth_attach_request_explain(int rc);

#endif
