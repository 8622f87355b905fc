/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_ETHTOOL_ETHTOOL_H
#define EMU_UVERBS_ETHTOOL_ETHTOOL_H

/**
 * DOC: ioctl SIOCETHTOOL of the netdev of a port
 *
 * Behind a port of the program's front is a TAP or another netdev of the kernel. Its own driver
 * knows nothing of the port. The front therefore answers the commands that mlx5_core answers for
 * the netdev of a ConnectX: driver, statistics, link, pause frames and module. All other commands
 * go to the driver of the netdev.
 *
 * Source: Linux 6.12, drivers/net/ethernet/mellanox/mlx5/core/en_ethtool.c.
 */

/**
 * uv_ethtool_serve - serve an ioctl SIOCETHTOOL
 * @fd: the socket
 * @arg: address of the struct ifreq
 *
 * Context: takes uv_front_lock().
 *
 * Return: 0 or -errno, as the ioctl; -ENOTTY: the ioctl belongs to the kernel
 */
int uv_ethtool_serve(int fd, void *arg);

#endif
