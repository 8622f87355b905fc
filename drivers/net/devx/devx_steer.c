/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "devx_steer.h"
#include "devx_log.h"
#include "devx_rxq.h"

/**
 * DOC: Receive rules of a port
 *
 *                    slot 0         slot 1       slot 2
 *     promiscuous    all packets    -            -
 *     otherwise      own MAC        broadcast    all multicast, in all-multicast mode
 *
 * Packets that match no rule go to the kernel. A change creates the new rules before it removes
 * the old ones, so that no packet misses the port in between.
 */

/* Wanted state of a slot. @on: the slot needs a rule; a @match of zeroes matches every packet. */
struct wish {
	bool on;
	struct devx_match match;
};

static void make_wishes(struct wish *w, bool promisc, bool allmulti,
			const struct rte_ether_addr *mac)
{
	memset(w, 0, DEVX_ETH_N_SLOTS * sizeof(*w));
	w[DEVX_ETH_UNICAST].on = true;
	if (promisc)
		return;
	memcpy(w[DEVX_ETH_UNICAST].match.dmac, mac->addr_bytes, DEVX_MAC_BYTES);
	memset(w[DEVX_ETH_UNICAST].match.dmac_mask, 0xff, DEVX_MAC_BYTES);
	w[DEVX_ETH_BROADCAST] = (struct wish){ true, DEVX_MATCH_BROADCAST };
	w[DEVX_ETH_MULTICAST] = (struct wish){ allmulti, DEVX_MATCH_MULTICAST };
}

static bool is_fulfilled(const struct devx_eth_rule *rule, const struct wish *w)
{
	if (!w->on || !rule->rule.flow)
		return !w->on && !rule->rule.flow;
	return !memcmp(rule->match.dmac, w->match.dmac, DEVX_MAC_BYTES) &&
	       !memcmp(rule->match.dmac_mask, w->match.dmac_mask, DEVX_MAC_BYTES);
}

int devx_eth_steer_update(struct devx_eth *eth, bool promisc, bool allmulti,
			  const struct rte_ether_addr *mac)
{
	struct devx_flow_rule fresh[DEVX_ETH_N_SLOTS] = { 0 };
	struct devx_eth_steer *steer = &eth->steer;
	struct wish w[DEVX_ETH_N_SLOTS];

	make_wishes(w, promisc, allmulti, mac);
	for (int i = 0; i < DEVX_ETH_N_SLOTS; i++) {
		int rc = 0;

		if (w[i].on && !is_fulfilled(&steer->rules[i], &w[i]))
			rc = devx_flow_create(&fresh[i], &eth->dev, &w[i].match, 0, &steer->tir);
		if (rc) {
			devx_eth_log_failure(eth, rc,
					     "cannot create the receive rule for %s packets",
					     i == DEVX_ETH_UNICAST     ? promisc ? "all" : "unicast"
					     : i == DEVX_ETH_BROADCAST ? "broadcast"
								       : "multicast");
			while (i--)
				devx_flow_destroy(&fresh[i]);
			return rc == -EREMOTEIO ? -EIO : rc;
		}
	}
	for (int i = 0; i < DEVX_ETH_N_SLOTS; i++) {
		if (is_fulfilled(&steer->rules[i], &w[i]))
			continue;
		devx_flow_destroy(&steer->rules[i].rule);
		steer->rules[i] = (struct devx_eth_rule){ w[i].match, fresh[i] };
	}
	return 0;
}

int devx_eth_steer_start(struct devx_eth *eth)
{
	const struct devx_eth_rxq *rxq = eth->data->rx_queues[0];
	const struct devx_tir_attr attr = { .td = &eth->td, .rq = &rxq->rq };
	int rc;

	rc = devx_tir_create(&eth->steer.tir, &eth->dev, &attr);
	if (rc)
		return devx_eth_log_failure(eth, rc, "cannot create the TIR");
	return devx_eth_steer_update(eth, eth->data->promiscuous, eth->data->all_multicast,
				     &eth->mac);
}

static void destroy_steer(struct devx_eth_steer *steer)
{
	for (int i = 0; i < DEVX_ETH_N_SLOTS; i++)
		devx_flow_destroy(&steer->rules[i].rule);
	devx_tir_destroy(&steer->tir);
	memset(steer, 0, sizeof(*steer));
}

int devx_eth_steer_move(struct devx_eth *eth, const struct devx_rq *rq)
{
	const struct devx_tir_attr attr = { .td = &eth->td, .rq = rq };
	struct devx_eth_steer fresh = { 0 };
	int rc = devx_tir_create(&fresh.tir, &eth->dev, &attr);

	for (int i = 0; !rc && i < DEVX_ETH_N_SLOTS; i++) {
		struct devx_eth_rule *rule = &fresh.rules[i];

		rule->match = eth->steer.rules[i].match;
		if (eth->steer.rules[i].rule.flow)
			rc = devx_flow_create(&rule->rule, &eth->dev, &rule->match, 0, &fresh.tir);
	}
	if (rc) {
		destroy_steer(&fresh);
		return rc;
	}
	destroy_steer(&eth->steer);
	eth->steer = fresh;
	return 0;
}

void devx_eth_steer_stop(struct devx_eth *eth)
{
	destroy_steer(&eth->steer);
}
