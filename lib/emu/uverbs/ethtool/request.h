/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_ETHTOOL_REQUEST_H
#define EMU_UVERBS_ETHTOOL_REQUEST_H

#include <net/if.h>
#include <stdint.h>

/**
 * struct uv_ethtool - an ioctl SIOCETHTOOL of the netdev of a port
 * @fd: the socket of the ioctl
 * @port: number of the port
 * @ifr: copy of the caller's struct ifreq
 * @data: address of the caller's struct of linux/ethtool.h, which begins with the command
 */
struct uv_ethtool {
	int fd;
	unsigned port;
	struct ifreq ifr;
	uint64_t data;
};

/** uv_ethtool_forward - pass the command in @data to the driver of the netdev. 0 or -errno */
int uv_ethtool_forward(const struct uv_ethtool *e, void *data);

/*
 * One function per command. Each returns 0 or -errno, as the ioctl. The caller holds
 * uv_front_lock().
 */
int uv_ethtool_get_driver(const struct uv_ethtool *e);

int uv_ethtool_count_strings(const struct uv_ethtool *e);
int uv_ethtool_get_strings(const struct uv_ethtool *e);
int uv_ethtool_get_statistics(const struct uv_ethtool *e);
/** uv_ethtool_n_statistics - number of statistics of a netdev */
unsigned uv_ethtool_n_statistics(void);

int uv_ethtool_get_link(const struct uv_ethtool *e);
int uv_ethtool_get_link_settings(const struct uv_ethtool *e);
int uv_ethtool_get_old_settings(const struct uv_ethtool *e);
int uv_ethtool_refuse_settings(const struct uv_ethtool *e);
int uv_ethtool_get_pause(const struct uv_ethtool *e);
int uv_ethtool_refuse_pause(const struct uv_ethtool *e);
int uv_ethtool_refuse_module(const struct uv_ethtool *e);

#endif
