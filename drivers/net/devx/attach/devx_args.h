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
 * A new argument needs a field in struct devx_eth_args, a line in DEVX_ETH_ARGS_OPTIONS and a row
 * in the table of attach/devx_args.c. Each argument may appear at most once.
 */

/* Lists of the valid arguments, for EAL (dpdk-pmdinfo) and for error messages. */
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
 * devx_eth_args_parse - parse the arguments of a port
 * @args: receives the arguments; an absent argument gets its default
 * @port: name of the port, for messages
 * @text: the arguments as the user wrote them; NULL: none
 * @adapter: name of the device on its bus; NULL for a virtual device, whose arguments name the
 *           adapter
 *
 * Logs the first invalid argument.
 *
 * Context: control path; any thread.
 *
 * Return: 0, or
 *   -EINVAL   an argument is unknown, appears twice or has an invalid value; or @adapter is NULL
 *             and @text does not name exactly one of ibdev and pci
 */
int devx_eth_args_parse(struct devx_eth_args *args, const char *port, const char *text,
			const char *adapter);

/** devx_eth_args_name_driver - check whether @text, which may be NULL, contains driver=net_devx */
bool devx_eth_args_name_driver(const char *text);

#endif
