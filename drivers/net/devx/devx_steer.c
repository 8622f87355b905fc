/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "devx_hash.h"
#include "devx_log.h"
#include "devx_steer.h"

/**
 * DOC: Receive rules of a port
 *
 *     promiscuous    one rule for all packets
 *     otherwise      a rule for each unicast address
 *                    all-multicast mode: one rule for all multicast packets
 *                    otherwise: a rule for each multicast address, broadcast and IPv6 multicast
 *     VLAN filter    these rules for each VLAN; those for all packets or all multicast have no VLAN
 *
 * net_mlx5 receives the same packets. Packets that match no rule go to the kernel. A change creates
 * the new rules before it removes the old ones, so that no packet misses the port in between.
 */

/* A receive rule. @kept: during a change, both the old and the new list contain the rule. */
struct devx_eth_rule {
	struct devx_match match;
	struct devx_flow_rule rule;
	bool kept;
};

static const struct devx_match broadcast = DEVX_MATCH_BROADCAST;
static const struct devx_match all_multicast = DEVX_MATCH_MULTICAST;
/* Multicast addresses of IPv6 begin with 33:33 (RFC 2464). */
static const struct devx_match ipv6_multicast = { .dmac = { 0x33, 0x33 },
						  .dmac_mask = { 0xff, 0xff } };

static void add_rule(struct devx_eth_steer *steer, const struct devx_match *match)
{
	steer->rules[steer->n++].match = *match;
}

/* Adds a rule for each of the first @n_vlans VLANs, or one rule for any VLAN if @n_vlans is 0. */
static void add_rules(struct devx_eth_steer *steer, const struct devx_match *match,
		      const struct devx_eth_filters *filters, uint16_t n_vlans)
{
	struct devx_match m = *match;

	if (!n_vlans)
		add_rule(steer, match);
	m.vlan = true;
	for (uint16_t i = 0; i < n_vlans; i++) {
		m.vid = filters->vlans[i];
		add_rule(steer, &m);
	}
}

static void add_address(struct devx_eth_steer *steer, const struct rte_ether_addr *mac,
			const struct devx_eth_filters *filters, uint16_t n_vlans)
{
	struct devx_match match = { 0 };

	if (rte_is_zero_ether_addr(mac))
		return;
	memcpy(match.dmac, mac->addr_bytes, DEVX_MAC_BYTES);
	memset(match.dmac_mask, 0xff, DEVX_MAC_BYTES);
	add_rules(steer, &match, filters, n_vlans);
}

static int list_rules(struct devx_eth *eth, const struct devx_eth_filters *filters,
		      struct devx_eth_steer *steer)
{
	const bool vlan_filter =
		eth->data->dev_conf.rxmode.offloads & RTE_ETH_RX_OFFLOAD_VLAN_FILTER;
	const uint16_t n_vlans = vlan_filter ? filters->n_vlans : 0;
	const size_t max =
		(DEVX_ETH_UNICAST_MAX + DEVX_ETH_MULTICAST_MAX + 2) * (size_t)RTE_MAX(n_vlans, 1) +
		1;

	*steer = (struct devx_eth_steer){ .rules = calloc(max, sizeof(*steer->rules)) };
	if (!steer->rules) {
		devx_eth_log(eth, ERR, "cannot allocate %zu receive rules", max);
		return -ENOMEM;
	}
	if (filters->promisc) {
		add_rule(steer, &(struct devx_match){ 0 });
		return 0;
	}
	for (int i = 0; i < DEVX_ETH_UNICAST_MAX; i++)
		add_address(steer, &filters->unicast[i], filters, n_vlans);
	if (filters->allmulti) {
		add_rule(steer, &all_multicast);
		return 0;
	}
	add_rules(steer, &broadcast, filters, n_vlans);
	add_rules(steer, &ipv6_multicast, filters, n_vlans);
	for (uint16_t i = 0; i < filters->n_multicast; i++)
		add_address(steer, &filters->multicast[i], filters, n_vlans);
	return 0;
}

static bool is_same_match(const struct devx_match *a, const struct devx_match *b)
{
	return !memcmp(a->dmac, b->dmac, DEVX_MAC_BYTES) &&
	       !memcmp(a->dmac_mask, b->dmac_mask, DEVX_MAC_BYTES) && a->vlan == b->vlan &&
	       a->vid == b->vid;
}

/*
 * Copies the rules that both lists contain to the new one. Both lists have a similar order, so each
 * search starts at the previous match.
 */
static void keep_common_rules(struct devx_eth_steer *old, struct devx_eth_steer *fresh)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < fresh->n; i++) {
		for (uint32_t tries = 0; tries < old->n; tries++, at++) {
			struct devx_eth_rule *rule = &old->rules[at %= old->n];

			if (rule->kept || !is_same_match(&rule->match, &fresh->rules[i].match))
				continue;
			rule->kept = true;
			fresh->rules[i] = *rule;
			break;
		}
	}
}

/* Destroys the rules of a list that are not kept, and the list itself. */
static void drop_list(struct devx_eth_steer *steer)
{
	for (uint32_t i = 0; i < steer->n; i++)
		if (!steer->rules[i].kept)
			devx_flow_destroy(&steer->rules[i].rule);
	free(steer->rules);
	*steer = (struct devx_eth_steer){ 0 };
}

static void forget_kept(struct devx_eth_steer *steer)
{
	for (uint32_t i = 0; i < steer->n; i++)
		steer->rules[i].kept = false;
}

static const char *describe_match(const struct devx_match *match)
{
	return !match->dmac_mask[0]                   ? "all"
	       : is_same_match(match, &all_multicast) ? "multicast"
	       : !(match->dmac[0] & 1)                ? "unicast"
	       : match->dmac[0] == broadcast.dmac[0]  ? "broadcast"
						      : "multicast";
}

static int create_rules(struct devx_eth *eth, struct devx_eth_steer *fresh)
{
	for (uint32_t i = 0; i < fresh->n; i++) {
		struct devx_eth_rule *rule = &fresh->rules[i];
		int rc;

		if (rule->kept)
			continue;
		rc = devx_eth_hash_create_rule(eth, &rule->rule, &rule->match);
		if (rc)
			return devx_eth_log_failure(
				eth, rc,
				"cannot create the receive rule for %s packets (rule %u of %u)",
				describe_match(&rule->match), i + 1, fresh->n);
	}
	return 0;
}

int devx_eth_steer_update(struct devx_eth *eth, const struct devx_eth_filters *filters)
{
	struct devx_eth_steer fresh;
	int rc = list_rules(eth, filters, &fresh);

	if (rc)
		return rc;
	keep_common_rules(&eth->steer, &fresh);
	rc = create_rules(eth, &fresh);
	if (rc) {
		drop_list(&fresh);
		forget_kept(&eth->steer);
		return rc;
	}
	drop_list(&eth->steer);
	forget_kept(&fresh);
	eth->steer = fresh;
	return 0;
}

int devx_eth_steer_start(struct devx_eth *eth)
{
	const int rc = devx_eth_hash_start(eth);

	return rc ? rc : devx_eth_steer_update(eth, &eth->filters);
}

void devx_eth_steer_stop(struct devx_eth *eth)
{
	drop_list(&eth->steer);
	devx_eth_hash_stop(eth);
}
