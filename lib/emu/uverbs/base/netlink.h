/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_BASE_NETLINK_H
#define EMU_UVERBS_BASE_NETLINK_H

#include <stdbool.h>

/** uv_netlink_is - tell whether @fd is a netlink socket of @protocol, such as NETLINK_ROUTE */
bool uv_netlink_is(int fd, int protocol);

#endif
