/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_GENERATOR_BURST_H
#define DEVX_ETH_GENERATOR_BURST_H

#include <stdbool.h>
#include <stdint.h>

#include "devx_generator.h"

/** devx_eth_generator_write_nop - write a NOP of one block, without its index */
void devx_eth_generator_write_nop(struct prm_ctrl_seg *ctrl, uint32_t sqn);
/**
 * devx_eth_generator_write_unit - write all WQEs of a unit, without their indices
 * @r: the ring; the device does not read the unit
 * @n: packets of the unit; 0: only NOPs
 * @ask: request a CQE, even if the unit does not end a quarter of the ring
 */
void devx_eth_generator_write_unit(struct rte_pmd_devx_ring *r, uint16_t unit, uint16_t n,
				   bool ask);
/** devx_eth_generator_get_end_of_wqe - get the counter value behind the WQE at block @index */
uint16_t devx_eth_generator_get_end_of_wqe(const struct rte_pmd_devx_ring *r, uint16_t index);
/**
 * devx_eth_generator_lose_all - count the packets of all units without a CQE as lost
 *
 * If the device is lost, nobody knows whether it sent them: they count as unknown.
 */
void devx_eth_generator_lose_all(struct rte_pmd_devx_ring *r);
/** devx_eth_generator_poll - handle all CQEs; an error CQE makes the ring BROKEN */
void devx_eth_generator_poll(struct rte_pmd_devx_ring *r);
/** devx_eth_generator_post_nops - post a unit of NOPs that requests a CQE; a unit must be free */
void devx_eth_generator_post_nops(struct rte_pmd_devx_ring *r);
/** devx_eth_generator_send - rte_pmd_devx_ring_send() */
uint16_t devx_eth_generator_send(struct rte_pmd_devx_ring *r, const void *patches, uint16_t n);

#endif
