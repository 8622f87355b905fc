/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_PRELOAD_NETDEV_CHANGE_H
#define EMU_UVERBS_PRELOAD_NETDEV_CHANGE_H

/**
 * uv_netdev_changed - copy the state of the netdevs to the ports, after a change by this process
 *
 * Context: takes uv_front_lock(). Keeps errno.
 */
void uv_netdev_changed(void);

#endif
