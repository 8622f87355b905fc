/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_LAG_H
#define DEVX_LAG_H

#include <stdbool.h>
#include <stdint.h>

#include "devx/dev.h"

/**
 * DOC: Bond of the ports of an adapter
 *
 * The kernel can join the ports of an adapter into one RDMA device (LAG), which then sends through
 * several ports. The mode of the bond determines how the device chooses the port of a packet:
 *
 *     queue affinity         each TIS names a port, devx_tis_create_on_port(): spread SQs over a
 *                            TIS for each port
 *     port selection table   the device hashes each packet
 *
 * Source: Linux mlx5_ifc_lagc_bits; DPDK's net_mlx5, mlx5_setup_tis.
 */

/**
 * struct devx_lag - the bond of a device
 * @active: the device is a bond; otherwise all other members are 0
 * @mode: enum prm_lag_port_select_mode
 * @n_ports: number of ports of the bond (capability num_lag_ports)
 * @tis_affinity: a TIS can name its port (capability lag_tx_port_affinity)
 */
struct devx_lag {
	bool active;
	uint8_t mode;
	uint8_t n_ports;
	bool tis_affinity;
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_lag_query - read whether the device is a bond
 * @dev: open device
 * @lag: receives the bond; unchanged on failure
 *
 * Context: control path; one thread per @dev; may sleep.
 *
 * Return: 0, or as devx_cmd_general(). A program may treat a refusal as "no bond": -EREMOTEIO, or
 * -EINVAL from a kernel that does not know the command.
 */
int devx_lag_query(struct devx_dev *dev, struct devx_lag *lag);

#ifdef __cplusplus
}
#endif

#endif
