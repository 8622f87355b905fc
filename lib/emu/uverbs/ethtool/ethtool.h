/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_ETHTOOL_ETHTOOL_H
#define EMU_UVERBS_ETHTOOL_ETHTOOL_H

#include <net/if.h>
#include <stdint.h>

/**
 * DOC: ioctl SIOCETHTOOL of the netdev of a port
 *
 * The netdev of a port is a TAP or another netdev of the kernel, whose driver is not aware of the
 * port. The front therefore answers commands that mlx5_core answers for the netdev of a ConnectX:
 * driver, statistics, link, pause frames and module. All other commands go to the netdev's driver.
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
 * Return: 0 or -errno, as the ioctl; -ENOTTY: the kernel must serve the ioctl
 */
int uv_ethtool_serve(int fd, void *arg);

/** struct uv_ethtool - an ioctl SIOCETHTOOL of the netdev of a port */
struct uv_ethtool {
	int fd; /* the socket */
	unsigned port;
	struct ifreq ifr; /* copy of the caller's */
	uint64_t data;    /* address of the caller's struct, which begins with the command */
};

/** uv_ethtool_forward - pass the command in @data to the netdev's driver. Return: 0 or -errno */
int uv_ethtool_forward(const struct uv_ethtool *e, void *data);

/* One function per command. All return 0 or -errno, as the ioctl, and need uv_front_lock(). */
int uv_ethtool_get_driver(const struct uv_ethtool *e);

int uv_ethtool_count_strings(const struct uv_ethtool *e);
int uv_ethtool_get_strings(const struct uv_ethtool *e);
int uv_ethtool_get_statistics(const struct uv_ethtool *e);
unsigned uv_ethtool_n_statistics(void);

int uv_ethtool_get_link(const struct uv_ethtool *e);
int uv_ethtool_get_link_settings(const struct uv_ethtool *e);
int uv_ethtool_get_old_settings(const struct uv_ethtool *e);
int uv_ethtool_refuse_settings(const struct uv_ethtool *e);
int uv_ethtool_get_pause(const struct uv_ethtool *e);
int uv_ethtool_refuse_pause(const struct uv_ethtool *e);
int uv_ethtool_refuse_module(const struct uv_ethtool *e);

#endif
