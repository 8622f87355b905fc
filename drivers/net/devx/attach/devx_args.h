/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_ARGS_H
#define DEVX_ETH_ARGS_H

#include "devx_port.h"

/**
 * DOC: Arguments of a port (devargs)
 *
 *     --vdev net_devx0,ibdev=mlx5_0,uar=nc
 *                      '-- text ----------'
 *     -a 0000:08:00.0,driver=net_devx,uar=nc
 *     -a auxiliary:mlx5_core.sf.4,driver=net_devx,uar=nc
 *                                 '-- text -------------'
 *
 * A new argument takes a field of struct devx_eth_args, a line of DEVX_ETH_ARGS_OPTIONS and a row
 * of the table in attach/devx_args.c. An argument appears at most once.
 */

/* texts of the valid arguments, for EAL (dpdk-pmdinfo) and for messages */
#define DEVX_ETH_ARGS_OPTIONS                                                                      \
	"uar=auto|bf|nc|nc_dedicated "                                                             \
	"dmabuf=<fd>:<offset>:<length>:<address>[:rw|:ro|:direct] "                                \
	"tx_bf_wqe=0|1 "                                                                           \
	"inline=off|auto|<bytes> "                                                                 \
	"rx_burst=auto|scalar|avx2|avx512 "                                                        \
	"tx_burst=auto|multi|single "                                                              \
	"recovery_wait=<seconds>"
#define DEVX_ETH_VDEV_ARGS_TEXT "ibdev=<RDMA device> pci=<PCI address> " DEVX_ETH_ARGS_OPTIONS
#define DEVX_ETH_BUS_ARGS_TEXT "driver=net_devx " DEVX_ETH_ARGS_OPTIONS

/**
 * devx_eth_args_parse - read the arguments of a port
 * @args: receives the arguments; an absent argument gets its default
 * @port: name of the port, for messages
 * @text: the arguments as the user gave them; NULL: none
 * @adapter: the device, for a port that a bus names; NULL: the arguments name the adapter
 *
 * Logs one line for the first invalid argument.
 *
 * Context: control path; any thread.
 *
 * Return: 0, or
 *   -EINVAL   an unknown argument, an argument that appears twice, an invalid value, or, without
 *             @adapter, not exactly one of ibdev and pci
 */
int devx_eth_args_parse(struct devx_eth_args *args, const char *port, const char *text,
			const char *adapter);

/** devx_eth_args_name_driver - check whether @text, which may be NULL, contains driver=net_devx */
bool devx_eth_args_name_driver(const char *text);

#endif
