/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "devx_hash.h"
#include "devx_log.h"
#include "devx_steer.h"

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
			rc = devx_eth_hash_create_rule(eth, &fresh[i], &w[i].match);
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
	const int rc = devx_eth_hash_start(eth);

	return rc ? rc
		  : devx_eth_steer_update(eth, eth->data->promiscuous, eth->data->all_multicast,
					  &eth->mac);
}

void devx_eth_steer_stop(struct devx_eth *eth)
{
	struct devx_eth_steer *steer = &eth->steer;

	for (int i = 0; i < DEVX_ETH_N_SLOTS; i++)
		devx_flow_destroy(&steer->rules[i].rule);
	memset(steer, 0, sizeof(*steer));
	devx_eth_hash_stop(eth);
}
