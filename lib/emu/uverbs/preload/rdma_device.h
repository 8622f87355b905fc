/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_PRELOAD_RDMA_DEVICE_H
#define EMU_UVERBS_PRELOAD_RDMA_DEVICE_H

#include <linux/netlink.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * DOC: RDMA netlink requests about devices
 *
 * Requests and answers are netlink messages with attributes. Source: Linux, include/uapi/rdma/
 * rdma_netlink.h; drivers/infiniband/core/nldev.c, fill_dev_info, fill_port_info.
 */

/** struct rdma_reply - messages of an answer, in the order in which the program reads them */
struct rdma_reply {
	uint32_t seq, pid; /* fields of every message */
	uint16_t type, flags;
	struct nlmsghdr *message; /* the last message, still growing */
	size_t used;
	uint8_t bytes[4096] __attribute__((aligned(NLMSG_ALIGNTO)));
};

/** rdma_reply_add - begin a new message of reply->type */
void rdma_reply_add(struct rdma_reply *reply);
/** rdma_reply_put - append an attribute to the last message; skip it if it does not fit */
void rdma_reply_put(struct rdma_reply *reply, uint16_t type, const void *value, size_t bytes);

/**
 * rdma_device_answer - answer a request about devices or ports
 * @request: the whole message
 * @bytes: its length
 *
 * Return: 0; -EOPNOTSUPP: the front does not implement the request; or another -errno as in Linux
 */
int rdma_device_answer(const struct nlmsghdr *request, size_t bytes, struct rdma_reply *reply);

#endif
