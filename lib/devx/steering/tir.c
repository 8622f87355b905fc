/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "devx/cmd.h"
#include "devx/core/fail.h"
#include "devx/tir.h"
#include "prm/prm.h"

enum {
	FIELDS_ALL = PRM_HASH_FIELD_SEL_SRC_IP | PRM_HASH_FIELD_SEL_DST_IP |
		     PRM_HASH_FIELD_SEL_L4_SPORT | PRM_HASH_FIELD_SEL_L4_DPORT,
};

static int validate_tunnel(struct devx_dev *dev, const struct devx_tir_attr *attr)
{
	const struct devx_caps *caps = &dev->caps;

	if (!attr->inner_headers || caps->tunnel_stateless_vxlan || caps->tunnel_stateless_gre ||
	    caps->tunnel_stateless_ip_over_ip)
		return 0;
	return devx_fail(
		dev, -ENOTSUP,
		"TIR: the device does not parse tunnels (capabilities tunnel_stateless_vxlan, "
		"tunnel_stateless_gre and tunnel_stateless_ip_over_ip are 0); clear "
		"attr->inner_headers");
}

static int validate_tir_attr(struct devx_dev *dev, const struct devx_tir_attr *attr)
{
	const bool direct = attr->rq && attr->rq->obj, hashing = attr->rqt && attr->rqt->obj;

	if (!attr->td || !attr->td->obj)
		return devx_fail(
			dev, -EINVAL,
			"TIR: no transport domain; set attr->td to one that devx_td_create() "
			"made");
	if (direct == hashing)
		return devx_fail(dev, -EINVAL,
				 "TIR: attr->rq and attr->rqt are %s (valid: exactly one created "
				 "object)",
				 direct ? "both set" : "both NULL or not created");
	if (direct && attr->fields)
		return devx_fail(dev, -EINVAL, "TIR: hash fields %#x without an RQT (valid: 0)",
				 attr->fields);
	if (hashing && attr->fields & ~(uint32_t)FIELDS_ALL)
		return devx_fail(dev, -EINVAL,
				 "TIR: hash fields %#x are invalid (valid: bits of %#x)",
				 attr->fields, FIELDS_ALL);
	if (hashing && ((unsigned)attr->l3 > PRM_L3_PROT_TYPE_IPV6 ||
			(unsigned)attr->l4 > PRM_L4_PROT_TYPE_UDP))
		return devx_fail(dev, -EINVAL,
				 "TIR: l3 %u or l4 %u is invalid (valid: l3 0 to %u, l4 0 to %u)",
				 attr->l3, attr->l4, PRM_L3_PROT_TYPE_IPV6, PRM_L4_PROT_TYPE_UDP);
	return validate_tunnel(dev, attr);
}

static void fill_hash(struct prm_tirc *tirc, const struct devx_tir_attr *attr)
{
	struct prm_rx_hash_field_select *select = prm_sub(tirc, rx_hash_field_selector_outer);

	prm_set(tirc, rx_hash_fn, PRM_RX_HASH_FN_TOEPLITZ);
	prm_set(tirc, rx_hash_symmetric, attr->symmetric);
	for (size_t i = 0; i < prm_count(tirc, rx_hash_toeplitz_key); i++) {
		const uint8_t *k = &attr->key[4 * i];

		prm_set_at(tirc, rx_hash_toeplitz_key, i,
			   (uint32_t)k[0] << 24 | (uint32_t)k[1] << 16 | (uint32_t)k[2] << 8 |
				   k[3]);
	}
	prm_set(select, l3_prot_type, attr->l3);
	prm_set(select, l4_prot_type, attr->l4);
	prm_set(select, selected_fields, attr->fields);
}

/* A set bit accepts the frames, although the field's name says "block" (mlx5e_refresh_tirs). */
static void set_self_lb(struct prm_tirc *tirc, bool own_unicast)
{
	prm_set(tirc, self_lb_block, own_unicast ? PRM_TIRC_SELF_LB_BLOCK_UNICAST : 0);
}

int devx_tir_create(struct devx_tir *tir, struct devx_dev *dev, const struct devx_tir_attr *attr)
{
	struct prm_create_tir_in in = { 0 };
	struct prm_create_tir_out out = { 0 };
	struct prm_tirc *tirc = prm_sub(&in, ctx);
	int rc = validate_tir_attr(dev, attr);

	if (rc)
		return rc;
	prm_set(&in, opcode, PRM_OP_create_tir);
	prm_set(tirc, transport_domain, attr->td->tdn);
	prm_set(tirc, tunneled_offload_en, attr->inner_headers);
	set_self_lb(tirc, attr->own_unicast);
	if (attr->rqt) {
		prm_set(tirc, disp_type, PRM_TIRC_DISP_TYPE_INDIRECT);
		prm_set(tirc, indirect_table, attr->rqt->rqtn);
		fill_hash(tirc, attr);
	} else {
		prm_set(tirc, disp_type, PRM_TIRC_DISP_TYPE_DIRECT);
		prm_set(tirc, rx_hash_fn, PRM_RX_HASH_FN_NONE);
		prm_set(tirc, inline_rqn, attr->rq->rqn);
	}
	rc = devx_cmd_create(dev, &in, sizeof(in), &out, sizeof(out), &tir->obj);
	if (rc)
		return rc;
	tir->dev = dev;
	tir->own_unicast = attr->own_unicast;
	tir->tirn = (uint32_t)prm_get(&out, tirn);
	return 0;
}

int devx_tir_modify_hash(struct devx_tir *tir, const struct devx_tir_attr *attr)
{
	struct prm_modify_tir_in in = { 0 };
	struct prm_modify_tir_out out = { 0 };
	const int rc = validate_tir_attr(tir->dev, attr);

	if (rc)
		return rc;
	if (!attr->rqt)
		return devx_fail(tir->dev, -EINVAL,
				 "TIR: attr->rqt is NULL (valid: the table of the TIR); a direct "
				 "TIR has no hash to change");
	prm_set(&in, opcode, PRM_OP_modify_tir);
	prm_set(&in, tirn, tir->tirn);
	prm_set(prm_sub(&in, bitmask), hash, 1);
	fill_hash(prm_sub(&in, ctx), attr);
	return devx_cmd_modify(tir->dev, tir->obj, &in, sizeof(in), &out, sizeof(out));
}

int devx_tir_refresh_self_lb(struct devx_tir *tir)
{
	struct prm_modify_tir_in in = { 0 };
	struct prm_modify_tir_out out;

	if (tir->dev->caps.tis_tir_td_order)
		return 0;
	if (!tir->dev->caps.self_lb_en_modifiable)
		return devx_fail(tir->dev, -ENOTSUP,
				 "TIR: the device cannot change the filter of its own frames "
				 "(capability self_lb_en_modifiable is 0)");
	prm_set(&in, opcode, PRM_OP_modify_tir);
	prm_set(&in, tirn, tir->tirn);
	prm_set(prm_sub(&in, bitmask), self_lb_en, 1);
	set_self_lb(prm_sub(&in, ctx), tir->own_unicast); /* as at creation */
	return devx_cmd_modify(tir->dev, tir->obj, &in, sizeof(in), &out, sizeof(out));
}

void devx_tir_destroy(struct devx_tir *tir)
{
	devx_cmd_destroy(tir->dev, tir->obj);
	*tir = (struct devx_tir){ 0 };
}
