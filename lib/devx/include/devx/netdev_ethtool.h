/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_NETDEV_ETHTOOL_H
#define DEVX_NETDEV_ETHTOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "devx/dev.h"

/**
 * DOC: Link, pause frames, module and statistics of the kernel's network interface
 *
 *     this program --ioctl SIOCETHTOOL--> netdev --mlx5_core--> registers of the physical port
 *
 * Only mlx5_core can read the registers of the physical port. It does so for `ethtool`. A program
 * selects statistics by the names that `ethtool -S` prints, such as "rx_crc_errors_phy".
 *
 * Source: Linux include/uapi/linux/ethtool.h, ethtool(8); Linux Documentation/networking,
 * "Ethtool counters" of mlx5.
 */

/*
 * Every function of this header:
 *
 * Context: control path; one thread per device; may sleep.
 *
 * Return: 0, or
 *   -ENODEV   the device has no netdev, or the netdev was removed, renamed or moved to another
 *             network namespace
 *   -EPERM    the process has no CAP_NET_ADMIN (devx_netdev_set_*)
 *   -EOPNOTSUPP   the netdev does not support this function, or this value
 *   -EINVAL   the netdev does not accept the value
 *   -ENOMEM   out of memory
 *   -EMFILE, -ENFILE   the process, or the machine, has no free file descriptor
 *   others    as the kernel returned them, such as -EIO: the module cannot be read
 */

enum {
	DEVX_NETDEV_MODE_WORDS = 8,  /* words of 32 bits in a mask of link modes */
	DEVX_NETDEV_STAT_BYTES = 32, /* length of the name of a statistic with its terminating 0 */
};

/**
 * struct devx_netdev_link - settings of the link
 * @speed_mbps: speed in Mb/s; 0: unknown, for example because the link is down
 * @half_duplex: the link is half duplex
 * @autoneg: speed and duplex are negotiated
 * @supported: mask of the supported link modes: bit ETHTOOL_LINK_MODE_x_BIT % 32 of word
 *             ETHTOOL_LINK_MODE_x_BIT / 32
 */
struct devx_netdev_link {
	uint32_t speed_mbps;
	bool half_duplex;
	bool autoneg;
	uint32_t supported[DEVX_NETDEV_MODE_WORDS];
};

/**
 * struct devx_netdev_pause - flow control by pause frames (IEEE 802.3x)
 * @rx: the port stops sending when it receives a pause frame
 * @tx: the port sends pause frames
 * @autoneg: both are negotiated
 */
struct devx_netdev_pause {
	bool rx, tx, autoneg;
};

/**
 * struct devx_netdev_module - the plug-in module of the port
 * @type: ETH_MODULE_SFF_x of linux/ethtool.h
 * @bytes: length of its EEPROM
 */
struct devx_netdev_module {
	uint32_t type, bytes;
};

/**
 * struct devx_netdev_stats - statistics that a program selected by name
 * @dev: the device
 * @names: names of the statistics; the caller owns the array
 * @index: number of each statistic in the netdev; -1: the netdev has no statistic of this name
 * @n: number of entries of @names and @index
 * @n_all: number of statistics that the netdev had when @index was computed
 */
struct devx_netdev_stats {
	struct devx_dev *dev;
	const char *const *names;
	int32_t *index;
	uint32_t n, n_all;
};

#ifdef __cplusplus
extern "C" {
#endif

/** devx_netdev_get_link - read the settings of the link into @link; unchanged on failure */
int devx_netdev_get_link(struct devx_dev *dev, struct devx_netdev_link *link);

/** devx_netdev_get_pause - read the flow control into @pause; unchanged on failure */
int devx_netdev_get_pause(struct devx_dev *dev, struct devx_netdev_pause *pause);

/** devx_netdev_set_pause - change the flow control, for all programs */
int devx_netdev_set_pause(struct devx_dev *dev, const struct devx_netdev_pause *pause);

/** devx_netdev_get_module - read type and length of the module; unchanged on failure */
int devx_netdev_get_module(struct devx_dev *dev, struct devx_netdev_module *module);

/**
 * devx_netdev_read_module - read a part of the EEPROM of the module
 * @dev: the device
 * @offset: first byte
 * @buf: receives @bytes bytes; unchanged on failure
 * @bytes: length, at least 1; @offset + @bytes at most devx_netdev_module.bytes
 */
int devx_netdev_read_module(struct devx_dev *dev, uint32_t offset, void *buf, uint32_t bytes);

/**
 * devx_netdev_stats_create - look statistics up by name
 * @stats: all zero; all zero again on failure
 * @dev: the device; must outlive @stats
 * @names: @n names; must outlive @stats. A name that the netdev does not have gets index -1
 * @n: number of names, at least 1
 */
int devx_netdev_stats_create(struct devx_netdev_stats *stats, struct devx_dev *dev,
			     const char *const *names, uint32_t n);

/**
 * devx_netdev_stats_read - read the statistics
 * @stats: created by devx_netdev_stats_create()
 * @values: receives devx_netdev_stats.n values, in the order of the names; 0 for index -1.
 *	Unchanged on failure
 *
 * The number of statistics of a netdev changes with its queues. This function then looks the names
 * up again, and changes devx_netdev_stats.index.
 */
int devx_netdev_stats_read(struct devx_netdev_stats *stats, uint64_t *values);

/** devx_netdev_stats_destroy - free @stats, which may be all zero, and zero it */
void devx_netdev_stats_destroy(struct devx_netdev_stats *stats);

#ifdef __cplusplus
}
#endif

#endif
