/* SPDX-License-Identifier: BSD-3-Clause */
#include "attach/devx_attach_request.h"

#include <errno.h>
#include <stdlib.h>

#include <rte_common.h>
#include <rte_errno.h>
#include <rte_lcore.h>

#include "burst/devx_user_burst.h"

enum { ATTACH_S = 5 };

const char *devx_eth_attach_request_explain(int rc)
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
	case -EIO:
		return "the port lost its device; start this process after the primary process "
		       "closed the port and probed it again";
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

int devx_eth_attach_request_send(const char *name, struct rte_mp_msg *reply,
				 struct devx_eth_message *answer)
{
	const struct timespec timeout = { .tv_sec = ATTACH_S };
	struct rte_mp_reply replies = { 0 };
	struct devx_eth_message *m;
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
	rc = devx_eth_message_read(reply, answer);
	if (!rc)
		rc = answer->result;
	if (!rc && reply->num_fds != 2)
		rc = -EBADMSG;
	if (rc)
		devx_eth_message_close_fds(reply);
	else
		devx_eth_user_set_process(answer->process);
	return rc;
}
