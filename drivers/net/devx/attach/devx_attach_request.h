/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_ATTACH_REQUEST_H
#define DEVX_ETH_ATTACH_REQUEST_H

#include "process/devx_message.h"

/** DOC: The request of a secondary process to attach to a port of the primary process */

/**
 * devx_eth_attach_request_send - ask the primary process, and wait up to 5 seconds
 * @name: of the device
 * @reply: receives a descriptor of the device and the pipe of the primary process
 * @answer: receives the message in @reply
 *
 * Sets the number of this process (devx_user_burst.h).
 *
 * Return: 0; -ETIMEDOUT: no reply; -EPROTO, -EBADMSG: no valid reply; or what the primary process
 * refuses the attach with. After a failure no descriptor is open.
 */
int devx_eth_attach_request_send(const char *name, struct rte_mp_msg *reply,
				 struct devx_eth_message *answer);

/** devx_eth_attach_request_explain - text for a result of devx_eth_attach_request_send() */
const char *devx_eth_attach_request_explain(int rc);

#endif
