/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_DUMP_H
#define DEVX_ETH_DUMP_H

#include <stdio.h>

#include "devx_port.h"

/**
 * devx_eth_dump - write the report of a port as text (eth_dev_priv_dump)
 *
 * The report contains the answers of telemetry for the port and for each queue of a started port:
 *
 *     commands:
 *       commands: 61
 *       by_opcode:
 *         QUERY_HCA_CAP: 4
 *
 * Context: takes eth->lock, but not while writing to @file, which may be a pipe that nobody reads.
 *
 * Return: 0, -ENOMEM, or -errno of a failed write
 */
int devx_eth_dump(struct rte_eth_dev *ethdev, FILE *file);

#endif
