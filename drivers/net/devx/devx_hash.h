/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_HASH_H
#define DEVX_ETH_HASH_H

#include "devx/flow.h"
#include "devx/rq.h"
#include "devx_port.h"

/**
 * DOC: Distribution of received packets over the queues
 *
 *     without RSS   receive rules -------------------------------> TIR, rest --> RQT, 1 entry
 *
 *     with RSS      receive rules --> flow table
 *                                     | IPv4 and TCP  -----------> TIR ---.
 *                                     | IPv4 and UDP  -----------> TIR ---|
 *                                     | IPv6 and TCP  -----------> TIR ---+----> RQT --> RQs
 *                                     | IPv6 and UDP  -----------> TIR ---|
 *                                     | IPv4          -----------> TIR ---|
 *                                     | IPv6          -----------> TIR ---'
 *                                     | all           -----------> TIR, rest --> RQT, 1 entry
 *
 * Each line of the flow table is a class. A class exists only if the hash functions select it; the
 * last one always exists. The TIR of a class hashes the fields of this class. The TIR of the last
 * class hashes nothing, so its RQT has a single entry: a copy of entry 0 of the other RQT.
 *
 * All TIRs describe inner headers of tunnels, or none does. If the device refuses such a TIR,
 * start creates all of them again, without inner headers.
 */

/** devx_eth_hash_has_inner - check whether new TIRs request descriptions of inner headers */
bool devx_eth_hash_has_inner(const struct devx_eth *eth);
/**
 * devx_eth_hash_start - create RQT, TIRs and flow table
 * @eth: a port whose RQs exist
 *
 * devx_eth_hash_stop() undoes it, even after a failure. Under eth->lock.
 *
 * Return: 0 or -errno, logged.
 */
int devx_eth_hash_start(struct devx_eth *eth);
/** devx_eth_hash_stop - undo devx_eth_hash_start(), even a failed one; under eth->lock */
void devx_eth_hash_stop(struct devx_eth *eth);
/**
 * devx_eth_hash_create_rule - create a receive rule that leads to the queues
 * @eth: a port after devx_eth_hash_start()
 * @rule: as in devx_flow_create()
 * @match: packets to receive
 *
 * Under eth->lock. Return: as devx_flow_create(), not logged.
 */
int devx_eth_hash_create_rule(struct devx_eth *eth, struct devx_flow_rule *rule,
			      const struct devx_match *match);
/**
 * devx_eth_hash_update - change functions and key of the hash on a started port with RSS
 * @next: new functions and key; the table of queues is ignored
 *
 * A failure restores the old state as far as the device accepts it. Under eth->lock.
 *
 * Return: 0 or -errno, logged.
 */
int devx_eth_hash_update(struct devx_eth *eth, const struct devx_eth_rss *next);
/**
 * devx_eth_hash_refresh_self_lb - make the TIRs of a started port block frames of a new SQ
 * @eth: a port whose SQ was created after its TIRs
 *
 * Otherwise, while another program has the device open, the port may receive what its own new SQ
 * sends (tir.h). The first failure is logged as a notice. Under eth->lock.
 */
void devx_eth_hash_refresh_self_lb(struct devx_eth *eth);

#endif
