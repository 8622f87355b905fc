/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_DEVICE_NETDEV_ADDRESSES_H
#define EMU_UVERBS_DEVICE_NETDEV_ADDRESSES_H

struct emu;

/**
 * uv_mirror_addresses - give a port the addresses of its netdev, as mlx5e gives them to a vport
 *
 * These are the netdev's own address, its lists (`bridge fdb show dev NETDEV`) and broadcast. An
 * address that does not fit is left out, as in Linux. A netdev that cannot be read changes nothing.
 */
void uv_mirror_addresses(struct emu *emu, const char *netdev);

#endif
