/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_DEVICE_NETDEV_H
#define EMU_UVERBS_DEVICE_NETDEV_H

/**
 * DOC: The netdev of a port
 *
 * On Linux the netdev of a port decides the port's MAC, MTU, link state and receive filter. If a
 * port of emu has a netdev, the port gets all four at power on. A thread then copies each change of
 * the netdev, except of its MAC, to the port.
 */

#include <stdbool.h>

/** uv_has_netdev - whether a port of the run has a netdev */
bool uv_has_netdev(void);
/** uv_mirror_start - start the thread if a port has a netdev. The caller holds uv_front_lock() */
void uv_mirror_start(void);
/** uv_mirror_stop - stop the thread, if it runs. The caller holds uv_front_lock() */
void uv_mirror_stop(void);
/**
 * uv_mirror_refresh - copy the state of the netdevs to the ports now
 *
 * For changes by this process: mlx5_core has changed the device when such a call returns, and the
 * thread would come later. Takes uv_front_lock(), and keeps errno.
 */
void uv_mirror_refresh(void);
/** uv_mirror_forget - mark the thread as not running: a child of fork does not have it */
void uv_mirror_forget(void);

struct emu;

/**
 * uv_mirror_addresses - copy the addresses of its netdev to a port, as mlx5e does for a vport
 *
 * These are the netdev's own address, its lists (`bridge fdb show dev NETDEV`) and broadcast. An
 * address that does not fit is left out, as in Linux. A netdev that cannot be read changes nothing.
 */
void uv_mirror_addresses(struct emu *emu, const char *netdev);

#endif
