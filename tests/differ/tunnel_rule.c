/* SPDX-License-Identifier: BSD-3-Clause */
#include "tunnel_rule.h"

#include <errno.h>

#include <rte_errno.h>
#include <rte_flow.h>

#include "ct.h"

enum { MOST_ITEMS = 6 };

/* Headers in front of the inner packet, for each kind. */
static const struct pattern {
	enum tunnel_rule kind;
	enum rte_flow_item_type items[MOST_ITEMS];
} patterns[] = {
	{ VXLAN_RULE,
	  { RTE_FLOW_ITEM_TYPE_ETH, RTE_FLOW_ITEM_TYPE_IPV4, RTE_FLOW_ITEM_TYPE_UDP,
	    RTE_FLOW_ITEM_TYPE_VXLAN } },
	{ VXLAN_RULE,
	  { RTE_FLOW_ITEM_TYPE_ETH, RTE_FLOW_ITEM_TYPE_IPV6, RTE_FLOW_ITEM_TYPE_UDP,
	    RTE_FLOW_ITEM_TYPE_VXLAN } },
	{ GRE_RULE, { RTE_FLOW_ITEM_TYPE_ETH, RTE_FLOW_ITEM_TYPE_IPV4, RTE_FLOW_ITEM_TYPE_GRE } },
	{ GRE_RULE, { RTE_FLOW_ITEM_TYPE_ETH, RTE_FLOW_ITEM_TYPE_IPV6, RTE_FLOW_ITEM_TYPE_GRE } },
};

static int add_rule(uint16_t port, const struct pattern *p)
{
	const struct rte_flow_attr attr = { .ingress = 1 };
	const struct rte_flow_action_queue queue = { .index = 0 };
	const struct rte_flow_action actions[] = { { RTE_FLOW_ACTION_TYPE_QUEUE, &queue },
						   { RTE_FLOW_ACTION_TYPE_END, NULL } };
	struct rte_flow_item items[MOST_ITEMS] = { 0 };
	struct rte_flow_error error = { 0 };

	for (unsigned int i = 0; i < MOST_ITEMS; i++)
		items[i].type = p->items[i];
	if (rte_flow_create(port, &attr, items, actions, &error))
		return 0;
	ADD_FAILURE("net_mlx5 refuses a rule for a tunnel: %s",
		    error.message ? error.message : "no message");
	return -rte_errno;
}

int tunnel_rule_add(uint16_t port, enum tunnel_rule kind)
{
	int rc = 0;

	for (unsigned int i = 0; !rc && i < RTE_DIM(patterns); i++)
		if (patterns[i].kind == kind)
			rc = add_rule(port, &patterns[i]);
	return rc;
}

void tunnel_rule_remove(uint16_t port)
{
	EXPECT_EQ(0, rte_flow_flush(port, NULL));
}
