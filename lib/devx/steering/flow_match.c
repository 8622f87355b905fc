/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "devx/core/fail.h"
#include "devx/steering/flow_match.h"

static bool has_bit_set(const uint8_t *bytes, size_t n)
{
	while (n--)
		if (bytes[n])
			return true;
	return false;
}

static int validate_values(struct devx_dev *dev, const struct devx_match *m)
{
	enum { VID_MAX = 4095, IPV4 = 4, IPV6 = 6 };

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
				 "flow rule: a match on this field is unsupported (capability %s "
				 "is 0)",
				 missing);
	return 0;
}

int devx_match_validate(struct devx_dev *dev, const struct devx_match *m)
{
	const int rc = validate_values(dev, m);

	return rc ? rc : validate_caps(dev, m);
}

static void set_dmac(struct prm_fte_match_set_lyr_2_4 *set, const uint8_t *mac)
{
	prm_set(set, dmac_47_16,
		(uint32_t)mac[0] << 24 | (uint32_t)mac[1] << 16 | (uint32_t)mac[2] << 8 | mac[3]);
	prm_set(set, dmac_15_0, (uint32_t)mac[4] << 8 | mac[5]);
}

/* The kernel refuses a rule whose value has a bit outside the mask. */
void devx_match_fill(struct prm_fte_match_param *mask_param,
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

uint8_t devx_match_get_criteria(const struct prm_fte_match_param *mask)
{
	return has_bit_set((const uint8_t *)mask, sizeof(*mask)) ? PRM_MATCH_OUTER_HEADERS : 0;
}
