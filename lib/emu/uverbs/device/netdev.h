/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_DEVICE_NETDEV_H
#define EMU_UVERBS_DEVICE_NETDEV_H

/**
 * DOC: The netdev of a port
 *
 * On Linux, the netdev of a port determines the port's MAC, MTU, link state and receive filter. If
 * a port of emu has a netdev, the port copies all four at power on. A thread then copies each
 * change of the netdev, except that of the MAC, to the port.
 */

#include <stdbool.h>

bool uv_has_netdev(void);
/** uv_mirror_start - start the thread if a port has a netdev. The caller holds uv_front_lock() */
void uv_mirror_start(void);
/** uv_mirror_stop - stop the thread, if it runs. The caller holds uv_front_lock() */
void uv_mirror_stop(void);
/**
 * uv_mirror_refresh - copy the state of the netdevs to the ports now
 *
 * Called after this process has changed a netdev. With mlx5_core, the device has changed when such
 * a call returns, but the thread would be late. Takes uv_front_lock(), and keeps errno.
 */
void uv_mirror_refresh(void);
/** uv_mirror_forget - in a child of fork(): mark the thread as not running */
void uv_mirror_forget(void);

struct emu;

/**
 * uv_mirror_addresses - copy the addresses of its netdev to a port, as mlx5e does for a vport
 *
 * These are the netdev's own address, its lists (`bridge fdb show dev NETDEV`) and broadcast.
 * Addresses beyond the limits are ignored, as in Linux. If the netdev cannot be read, the port does
 * not change.
 */
void uv_mirror_addresses(struct emu *emu, const char *netdev);

#endif
