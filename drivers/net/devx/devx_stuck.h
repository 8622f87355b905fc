/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_STUCK_H
#define DEVX_ETH_STUCK_H

#include <stdbool.h>
#include <stdint.h>

struct devx_eth;

/**
 * devx_eth_is_stuck - tell whether the device may still use the mbufs of a destroyed queue
 * @eth: the port
 * @n_stuck: value of eth->dev.n_stuck before the RQ or SQ was destroyed
 * @side: "Rx" or "Tx"
 * @queue: number of the queue
 *
 * True if the kernel refused to destroy the RQ or SQ: its mbufs must never go back to their pools.
 * One line says so. After the loss of the device every destroy fails, but the mbufs are free;
 * lib/devx does not count them (devx_dev.n_stuck).
 *
 * PRM-MISSING: a lost device accesses no memory (Linux takes every destroy for done then and frees
 * the packets of its netdev, mlx5_internal_err_ret_value; no source describes the device).
 */
bool devx_eth_is_stuck(struct devx_eth *eth, unsigned int n_stuck, const char *side,
		       uint16_t queue);

#endif
