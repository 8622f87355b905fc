/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_PRELOAD_RDMA_NETLINK_H
#define EMU_UVERBS_PRELOAD_RDMA_NETLINK_H

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/types.h>

/**
 * uv_rdma_netlink_send - serve sendmsg() on a socket of NETLINK_RDMA
 *
 * Return: number of bytes sent, or -errno; -ENOTTY: @fd is not such a socket
 */
ssize_t uv_rdma_netlink_send(int fd, const struct msghdr *msg);

/** uv_netlink_is - check whether @fd is a netlink socket of @protocol, such as NETLINK_ROUTE */
bool uv_netlink_is(int fd, int protocol);

#endif
