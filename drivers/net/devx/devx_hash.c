/* SPDX-License-Identifier: BSD-3-Clause */
#include <netinet/in.h>
#include <string.h>

#include "devx/cmd.h"
#include "devx_hash.h"
#include "devx_hash_tables.h"
#include "devx_log.h"

enum { LOG2_ENTRIES = 3 }; /* entries of the flow table, at least DEVX_ETH_N_CLASSES */

/* Packets of each class, and the hash functions that select it; in the order of the flow table. */
static const struct class_info {
	const char *name;
	uint64_t functions;
	struct devx_match match;
	enum prm_l3_prot_type l3;
	enum prm_l4_prot_type l4;
} class_infos[DEVX_ETH_N_CLASSES] = {
	[DEVX_ETH_IPV4_TCP] = { "IPv4/TCP",
				RTE_ETH_RSS_NONFRAG_IPV4_TCP,
				{ .ip_version = 4, .ip_protocol = IPPROTO_TCP },
				PRM_L3_PROT_TYPE_IPV4,
				PRM_L4_PROT_TYPE_TCP },
	[DEVX_ETH_IPV4_UDP] = { "IPv4/UDP",
				RTE_ETH_RSS_NONFRAG_IPV4_UDP,
				{ .ip_version = 4, .ip_protocol = IPPROTO_UDP },
				PRM_L3_PROT_TYPE_IPV4,
				PRM_L4_PROT_TYPE_UDP },
	[DEVX_ETH_IPV6_TCP] = { "IPv6/TCP",
				RTE_ETH_RSS_NONFRAG_IPV6_TCP,
				{ .ip_version = 6, .ip_protocol = IPPROTO_TCP },
				PRM_L3_PROT_TYPE_IPV6,
				PRM_L4_PROT_TYPE_TCP },
	[DEVX_ETH_IPV6_UDP] = { "IPv6/UDP",
				RTE_ETH_RSS_NONFRAG_IPV6_UDP,
				{ .ip_version = 6, .ip_protocol = IPPROTO_UDP },
				PRM_L3_PROT_TYPE_IPV6,
				PRM_L4_PROT_TYPE_UDP },
	[DEVX_ETH_IPV4] = { "IPv4",
			    RTE_ETH_RSS_IPV4 | RTE_ETH_RSS_FRAG_IPV4 |
				    RTE_ETH_RSS_NONFRAG_IPV4_OTHER,
			    { .ip_version = 4 },
			    PRM_L3_PROT_TYPE_IPV4 },
	[DEVX_ETH_IPV6] = { "IPv6",
			    RTE_ETH_RSS_IPV6 | RTE_ETH_RSS_FRAG_IPV6 |
				    RTE_ETH_RSS_NONFRAG_IPV6_OTHER,
			    { .ip_version = 6 },
			    PRM_L3_PROT_TYPE_IPV6 },
	[DEVX_ETH_REST] = { .name = "other" },
};

/* First and last class of each flow group. All entries of a group compare the same fields. */
static const struct {
	uint8_t first, last;
} group_infos[DEVX_ETH_N_GROUPS] = {
	{ DEVX_ETH_IPV4_TCP, DEVX_ETH_IPV6_UDP },
	{ DEVX_ETH_IPV4, DEVX_ETH_IPV6 },
	{ DEVX_ETH_REST, DEVX_ETH_REST },
};

static uint32_t choose_pair(uint64_t functions, uint64_t src_only, uint64_t dst_only, uint32_t src,
			    uint32_t dst)
{
	return functions & src_only ? src : functions & dst_only ? dst : src | dst;
}

/* Returns the fields that a class hashes; 0: the hash functions do not select the class. */
static uint32_t get_fields(enum devx_eth_class class, uint64_t functions)
{
	uint32_t fields;

	if (!(class_infos[class].functions & functions))
		return 0;
	functions = rte_eth_rss_hf_refine(functions);
	fields = choose_pair(functions, RTE_ETH_RSS_L3_SRC_ONLY, RTE_ETH_RSS_L3_DST_ONLY,
			     PRM_HASH_FIELD_SEL_SRC_IP, PRM_HASH_FIELD_SEL_DST_IP);
	if (class_infos[class].match.ip_protocol)
		fields |= choose_pair(functions, RTE_ETH_RSS_L4_SRC_ONLY, RTE_ETH_RSS_L4_DST_ONLY,
				      PRM_HASH_FIELD_SEL_L4_SPORT, PRM_HASH_FIELD_SEL_L4_DPORT);
	return fields;
}

/* Returns the RQT of a class. A device may refuse an RQT of several entries without hash fields. */
static const struct devx_rqt *get_table(const struct devx_eth *eth, enum devx_eth_class class)
{
	return class == DEVX_ETH_REST && eth->rss.on ? &eth->hash.first_rqt : &eth->hash.rqt;
}

static struct devx_tir_attr make_tir_attr(const struct devx_eth *eth, enum devx_eth_class class,
					  uint64_t functions, const uint8_t *key)
{
	struct devx_tir_attr attr = {
		.td = &eth->td,
		.inner_headers = eth->hash.inner_headers,
		.rqt = get_table(eth, class),
		.l3 = class_infos[class].l3,
		.l4 = class_infos[class].l4,
		.fields = get_fields(class, functions),
		.own_unicast = eth->data->dev_conf.lpbk_mode,
	};

	memcpy(attr.key, key, sizeof(attr.key));
	return attr;
}

static bool is_class_on(const struct devx_eth *eth, enum devx_eth_class class)
{
	return eth->hash.classes[class].tir.obj;
}

/* The condition of mlx5e (mlx5_tunnel_inner_ft_supported), extended by VXLAN. */
bool devx_eth_hash_has_inner(const struct devx_eth *eth)
{
	const struct devx_caps *caps = &eth->dev.caps;

	return caps->match_inner_ip_version && !eth->hash.inner_refused &&
	       (caps->tunnel_stateless_vxlan || caps->tunnel_stateless_gre ||
		caps->tunnel_stateless_ip_over_ip);
}

/* ---- classes -------------------------------------------------------------------------- */

static void destroy_class(struct devx_eth *eth, enum devx_eth_class class)
{
	devx_flow_entry_destroy(&eth->hash.classes[class].entry);
	devx_tir_destroy(&eth->hash.classes[class].tir);
}

static const struct devx_flow_group *find_group(const struct devx_eth *eth,
						enum devx_eth_class class)
{
	uint8_t i = 0;

	while (class > group_infos[i].last)
		i++;
	return &eth->hash.groups[i];
}

enum { INNER_REFUSED = 1 };

/*
 * Returns 0 or -errno, logged. If the firmware refuses a TIR with inner headers, returns
 * INNER_REFUSED, not logged: devx_eth_hash_start() then tries without them. The status does not
 * matter. If inner headers are not the reason, the second attempt also fails.
 */
static int create_class(struct devx_eth *eth, enum devx_eth_class class, uint64_t functions,
			const uint8_t *key)
{
	const struct devx_tir_attr attr = make_tir_attr(eth, class, functions, key);
	struct devx_eth_class_objects *c = &eth->hash.classes[class];
	int rc = devx_tir_create(&c->tir, &eth->dev, &attr);

	if (!eth->started && eth->hash.inner_headers && devx_cmd_is_refused(rc))
		return INNER_REFUSED;
	if (rc)
		return devx_eth_log_failure(eth, rc, "cannot create the TIR of %s packets",
					    class_infos[class].name);
	if (!eth->rss.on)
		return 0;
	rc = devx_flow_entry_create(&c->entry, find_group(eth, class), class,
				    &class_infos[class].match, &c->tir);
	if (!rc)
		return 0;
	rc = devx_eth_log_failure(eth, rc, "cannot create the flow entry of %s packets",
				  class_infos[class].name);
	destroy_class(eth, class);
	return rc;
}

static int modify_class(struct devx_eth *eth, enum devx_eth_class class, uint64_t functions,
			const uint8_t *key)
{
	const struct devx_tir_attr attr = make_tir_attr(eth, class, functions, key);
	const int rc = devx_tir_modify_hash(&eth->hash.classes[class].tir, &attr);

	return rc ? devx_eth_log_failure(eth, rc, "cannot change the hash of %s packets",
					 class_infos[class].name)
		  : 0;
}

/*
 * Creates the missing classes and changes the others. Classes that became unnecessary remain.
 * Returns how many classes it processed. If it stopped before the last one, @rc is the reason.
 */
static int apply_functions(struct devx_eth *eth, const struct devx_eth_rss *next, bool *created,
			   int *rc)
{
	int i;

	*rc = 0;
	for (i = 0; i < DEVX_ETH_REST; i++) {
		created[i] = false;
		if (!get_fields(i, next->functions))
			continue;
		if (is_class_on(eth, i)) {
			*rc = modify_class(eth, i, next->functions, next->key);
		} else {
			*rc = create_class(eth, i, next->functions, next->key);
			created[i] = !*rc;
		}
		if (*rc)
			break;
	}
	return i;
}

int devx_eth_hash_update(struct devx_eth *eth, const struct devx_eth_rss *next)
{
	bool created[DEVX_ETH_N_CLASSES];
	int rc, n = apply_functions(eth, next, created, &rc);

	if (rc) {
		while (n--)
			if (created[n])
				destroy_class(eth, n);
			else if (get_fields(n, next->functions))
				modify_class(eth, n, eth->rss.functions, eth->rss.key);
		return rc;
	}
	for (int i = 0; i < DEVX_ETH_REST; i++)
		if (is_class_on(eth, i) && !get_fields(i, next->functions))
			destroy_class(eth, i);
	return 0;
}

void devx_eth_hash_refresh_self_lb(struct devx_eth *eth)
{
	char why[DEVX_TEXT_BYTES + 64];
	int rc = 0;

	for (int i = 0; !rc && i < DEVX_ETH_N_CLASSES; i++)
		if (is_class_on(eth, i))
			rc = devx_tir_refresh_self_lb(&eth->hash.classes[i].tir);
	if (!rc || eth->hash.self_lb_noticed)
		return;
	eth->hash.self_lb_noticed = true;
	devx_eth_log(eth, NOTICE,
		     "the port may receive frames of its new send queue while another program has "
		     "the device open: %s",
		     devx_strerror(&eth->dev, rc, why, sizeof(why)));
}

/* ---- start, stop, rules ---------------------------------------------------------------- */

static int create_table(struct devx_eth *eth)
{
	struct devx_eth_hash *hash = &eth->hash;
	int rc = devx_flow_table_create(&hash->table, &eth->dev, LOG2_ENTRIES);

	static_assert(DEVX_ETH_N_CLASSES <= 1 << LOG2_ENTRIES, "an entry for each class");
	for (int i = 0; !rc && i < DEVX_ETH_N_GROUPS; i++) {
		const uint8_t first = group_infos[i].first;

		rc = devx_flow_group_create(&hash->groups[i], &hash->table,
					    &class_infos[first].match, first,
					    (uint32_t)group_infos[i].last - first + 1);
	}
	return rc ? devx_eth_log_failure(eth, rc, "cannot create the flow table of RSS") : 0;
}

/* Returns as create_class(). */
static int create_classes(struct devx_eth *eth)
{
	const struct devx_eth_rss *rss = &eth->rss;
	int rc = 0;

	for (int i = 0; !rc && rss->on && i < DEVX_ETH_REST; i++)
		if (get_fields(i, rss->functions))
			rc = create_class(eth, i, rss->functions, rss->key);
	return rc ? rc : create_class(eth, DEVX_ETH_REST, 0, rss->key);
}

static void destroy_classes(struct devx_eth *eth)
{
	for (int i = 0; i < DEVX_ETH_N_CLASSES; i++)
		destroy_class(eth, i);
}

/* Creates all classes again, without inner headers, which the device refused. */
static int create_classes_without_inner(struct devx_eth *eth)
{
	char why[DEVX_TEXT_BYTES];
	int rc;

	devx_strerror(&eth->dev, eth->dev.refusal.rc, why, sizeof(why));
	destroy_classes(eth);
	eth->hash.inner_headers = false;
	rc = create_classes(eth);
	if (rc)
		return rc;
	eth->hash.inner_refused = true;
	devx_eth_log(eth, NOTICE,
		     "inner headers of tunnels: the device does not describe them (%s); packet "
		     "types and checksum flags are those of the outer headers",
		     why);
	return 0;
}

int devx_eth_hash_start(struct devx_eth *eth)
{
	int rc = devx_eth_hash_create_tables(eth);

	if (!rc && eth->rss.on)
		rc = create_table(eth);
	if (rc)
		return rc;
	eth->hash.inner_headers = devx_eth_hash_has_inner(eth);
	rc = create_classes(eth);
	return rc == INNER_REFUSED ? create_classes_without_inner(eth) : rc;
}

void devx_eth_hash_stop(struct devx_eth *eth)
{
	struct devx_eth_hash *hash = &eth->hash;

	destroy_classes(eth);
	for (int i = 0; i < DEVX_ETH_N_GROUPS; i++)
		devx_flow_group_destroy(&hash->groups[i]);
	devx_flow_table_destroy(&hash->table);
	devx_eth_hash_destroy_tables(eth);
}

int devx_eth_hash_create_rule(struct devx_eth *eth, struct devx_flow_rule *rule,
			      const struct devx_match *match)
{
	const struct devx_eth_hash *hash = &eth->hash;

	return hash->table.obj ? devx_flow_create_to_table(rule, &eth->dev, match, 0, &hash->table)
			       : devx_flow_create(rule, &eth->dev, match, 0,
						  &hash->classes[DEVX_ETH_REST].tir);
}
