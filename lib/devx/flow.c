/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <string.h>

#include "devx/fail.h"
#include "devx/flow.h"
#include "prm/prm.h"

/* struct mlx5dv_flow_match_parameters with a match buffer of the size that the kernel expects. */
struct match_parameters {
	size_t match_sz;
	struct prm_fte_match_param param;
};
_Static_assert(offsetof(struct match_parameters, param) ==
		       offsetof(struct mlx5dv_flow_match_parameters, match_buf),
	       "rdma-core's layout");

static bool has_bit_set(const uint8_t *bytes, size_t n)
{
	while (n--)
		if (bytes[n])
			return true;
	return false;
}

static int validate_rule(struct devx_dev *dev, const struct devx_match *m, uint16_t prio,
			 const struct devx_tir *tir)
{
	enum { VID_MAX = 4095, IPV4 = 4, IPV6 = 6 };

	if (prio > DEVX_FLOW_PRIO_MAX)
		return devx_fail(dev, -EINVAL, "flow rule: priority %u is invalid (valid: 0 to %u)",
				 prio, DEVX_FLOW_PRIO_MAX);
	if (!tir || !tir->obj)
		return devx_fail(dev, -EINVAL,
				 "flow rule: no TIR; pass one that devx_tir_create() made");
	for (size_t i = 0; i < DEVX_MAC_BYTES; i++)
		if (m->dmac[i] & ~m->dmac_mask[i])
			return devx_fail(dev, -EINVAL,
					 "flow rule: dmac has bits outside dmac_mask (valid: "
					 "0 in each bit that is 0 in the mask)");
	if (m->vid > VID_MAX || (m->vid && !m->vlan))
		return devx_fail(
			dev, -EINVAL,
			"flow rule: VLAN %u is invalid (valid: 0 to %u if vlan is true, else 0)",
			m->vid, VID_MAX);
	if (m->ip_version && m->ip_version != IPV4 && m->ip_version != IPV6)
		return devx_fail(dev, -EINVAL,
				 "flow rule: IP version %u is invalid (valid: 4, 6, or 0 for any)",
				 m->ip_version);
	if (m->ip_protocol && !m->ip_version)
		return devx_fail(dev, -EINVAL,
				 "flow rule: ip_protocol %u without ip_version (valid: with "
				 "ip_version 4 or 6)",
				 m->ip_protocol);
	return 0;
}

static int validate_caps(struct devx_dev *dev, const struct devx_match *m)
{
	const struct devx_caps *caps = &dev->caps;
	const char *missing = NULL;

	if (!caps->rx_tables || !caps->rx_user_rules)
		return devx_fail(dev, -ENOTSUP,
				 "flow rule: receive rules of users are unsupported (needed: "
				 "capabilities ft_support, flow_modify_en, modify_root, "
				 "identified_miss_table_mode and flow_table_modify of the receive "
				 "tables); update the firmware");
	if (has_bit_set(m->dmac_mask, DEVX_MAC_BYTES) && !caps->match_dmac)
		missing = "outer_dmac";
	else if (m->ethertype && !caps->match_ethertype)
		missing = "outer_ether_type";
	else if (m->vlan && !caps->match_vlan)
		missing = "outer_first_vid";
	else if (m->ip_version && !caps->match_ip_version)
		missing = "outer_ip_version";
	else if (m->ip_protocol && !caps->match_ip_protocol)
		missing = "outer_ip_protocol";
	if (missing)
		return devx_fail(dev, -ENOTSUP,
				 "flow rule: match on this field is unsupported (capability %s is "
				 "0)",
				 missing);
	return 0;
}

static void set_dmac(struct prm_fte_match_set_lyr_2_4 *set, const uint8_t *mac)
{
	prm_set(set, dmac_47_16,
		(uint32_t)mac[0] << 24 | (uint32_t)mac[1] << 16 | (uint32_t)mac[2] << 8 | mac[3]);
	prm_set(set, dmac_15_0, (uint32_t)mac[4] << 8 | mac[5]);
}

/* A bit of the value must be 0 where the bit of the mask is 0: else the kernel refuses the rule. */
static void fill_match(struct prm_fte_match_param *mask_param,
		       struct prm_fte_match_param *value_param, const struct devx_match *m)
{
	enum { ALL_ETHERTYPE = 0xffff, ALL_VID = 0xfff };
	enum { ALL_IP_VERSION = 0xf, ALL_IP_PROTOCOL = 0xff };
	struct prm_fte_match_set_lyr_2_4 *mask = prm_sub(mask_param, outer_headers);
	struct prm_fte_match_set_lyr_2_4 *value = prm_sub(value_param, outer_headers);

	set_dmac(mask, m->dmac_mask);
	set_dmac(value, m->dmac);
	prm_set(mask, ethertype, m->ethertype ? ALL_ETHERTYPE : 0);
	prm_set(value, ethertype, m->ethertype);
	prm_set(mask, cvlan_tag, m->vlan);
	prm_set(value, cvlan_tag, m->vlan);
	prm_set(mask, first_vid, m->vlan ? ALL_VID : 0);
	prm_set(value, first_vid, m->vid);
	prm_set(mask, ip_version, m->ip_version ? ALL_IP_VERSION : 0);
	prm_set(value, ip_version, m->ip_version);
	prm_set(mask, ip_protocol, m->ip_protocol ? ALL_IP_PROTOCOL : 0);
	prm_set(value, ip_protocol, m->ip_protocol);
}

static int create_flow_objects(struct devx_flow_rule *rule, const struct devx_match *match,
			       uint16_t prio, const struct devx_tir *tir)
{
	struct match_parameters mask = { .match_sz = sizeof(mask.param) };
	struct match_parameters value = { .match_sz = sizeof(value.param) };
	struct mlx5dv_flow_matcher_attr attr = { .type = IBV_FLOW_ATTR_NORMAL, .priority = prio };
	struct mlx5dv_flow_action_attr to = { .type = MLX5DV_FLOW_ACTION_DEST_DEVX,
					      .obj = tir->obj };
	struct devx_dev *dev = rule->dev;

	fill_match(&mask.param, &value.param, match);
	attr.match_mask = (struct mlx5dv_flow_match_parameters *)&mask;
	if (has_bit_set((const uint8_t *)&mask.param, sizeof(mask.param)))
		attr.match_criteria_enable = PRM_MATCH_OUTER_HEADERS;
	errno = 0;
	rule->matcher = mlx5dv_create_flow_matcher(dev->ctx, &attr);
	if (!rule->matcher)
		return devx_fail_sys(dev, errno ? errno : ENOMEM,
				     "flow rule: cannot create a matcher");
	errno = 0;
	rule->flow = mlx5dv_create_flow(rule->matcher,
					(struct mlx5dv_flow_match_parameters *)&value, 1, &to);
	if (!rule->flow) {
		const int err = errno ? errno : ENOMEM;

		return devx_fail_sys(dev, err, "flow rule: cannot add the rule at priority %u%s",
				     prio, err == EPERM ? " (this process needs CAP_NET_RAW)" : "");
	}
	return 0;
}

int devx_flow_create(struct devx_flow_rule *rule, struct devx_dev *dev,
		     const struct devx_match *match, uint16_t prio, const struct devx_tir *tir)
{
	int rc = validate_rule(dev, match, prio, tir);

	if (!rc)
		rc = validate_caps(dev, match);
	if (rc)
		return rc;
	rule->dev = dev;
	rc = create_flow_objects(rule, match, prio, tir);
	if (rc)
		devx_flow_destroy(rule);
	return rc;
}

void devx_flow_destroy(struct devx_flow_rule *rule)
{
	if (rule->flow && ibv_destroy_flow(rule->flow))
		rule->dev->n_stuck++;
	if (rule->matcher && mlx5dv_destroy_flow_matcher(rule->matcher))
		rule->dev->n_stuck++;
	*rule = (struct devx_flow_rule){ 0 };
}
