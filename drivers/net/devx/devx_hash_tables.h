/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_HASH_TABLES_H
#define DEVX_ETH_HASH_TABLES_H

#include "devx_port.h"

/**
 * DOC: RQTs of a port
 *
 * The RQT of the hashing classes has the entries of the redirection table. A port with RSS has a
 * second RQT, for all other packets, which repeats entry 0. The two change together.
 *
 * For a queue that is not set up, an RQT contains unset_rq, which drops all packets. While a queue
 * of a started port is replaced, the RQTs still contain the RQ of the old, parked queue.
 */

/** devx_eth_hash_get_table_max - get the largest number of entries in the redirection table */
uint32_t devx_eth_hash_get_table_max(const struct devx_eth *eth);
/**
 * devx_eth_hash_create_tables - create the RQTs of a port whose RQs exist; under eth->lock
 *
 * devx_eth_hash_destroy_tables() undoes it, even after a failure. Return: 0 or -errno, logged.
 */
int devx_eth_hash_create_tables(struct devx_eth *eth);
/** devx_eth_hash_destroy_tables - undo devx_eth_hash_create_tables(), even a failed one */
void devx_eth_hash_destroy_tables(struct devx_eth *eth);
/**
 * devx_eth_hash_update_table - change the redirection table of a started port with RSS
 * @next: new table; functions and key are ignored
 *
 * Each packet follows the old or the new table. A failure keeps the old one. Under eth->lock.
 *
 * Return: 0 or -errno, logged.
 */
int devx_eth_hash_update_table(struct devx_eth *eth, const struct devx_eth_rss *next);
/**
 * devx_eth_hash_move - replace the RQ of a queue in the tables
 * @eth: a started port
 * @rq: the new RQ; the old one still exists
 *
 * Each packet goes to the old or the new RQ. A failure keeps the old one. Under eth->lock.
 *
 * Return: 0 or -errno, not logged.
 */
int devx_eth_hash_move(struct devx_eth *eth, uint16_t queue, const struct devx_rq *rq);

#endif
