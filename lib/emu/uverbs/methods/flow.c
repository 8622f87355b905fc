/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Methods of flows. A flow is a rule of a matcher.
 */
#include "emu/uverbs/methods/methods.h"

#include <errno.h>
#include <rdma/mlx5_user_ioctl_verbs.h>

#include "emu/uverbs/base/capability.h"
#include "emu/uverbs/calls/attr.h"
#include "emu/uverbs/objects/devx.h"
#include "emu/uverbs/objects/flow.h"

enum { MAX_TAG = 1 << 24 };

/*
 * Returns true if the rule matches only multicast frames. Linux places such a rule after all
 * unicast rules, regardless of its priority.
 */
static bool is_multicast(const struct uv_matcher *m, const struct prm_fte_match_param *value)
{
	enum { GROUP_BIT = 1 << 24, MULTICAST = 0xe };
	const struct prm_fte_match_set_lyr_2_4 *mask = prm_sub(&m->mask, outer_headers);
	const struct prm_fte_match_set_lyr_2_4 *v = prm_sub(value, outer_headers);
	const struct prm_ipv4_layout *ip_mask =
		prm_sub(prm_sub(mask, dst_ipv4_dst_ipv6), ipv4_layout);
	const struct prm_ipv4_layout *ip = prm_sub(prm_sub(v, dst_ipv4_dst_ipv6), ipv4_layout);

	if (!(m->criteria_enable & PRM_MATCH_OUTER_HEADERS))
		return false;
	if (prm_get(mask, dmac_47_16) & prm_get(v, dmac_47_16) & GROUP_BIT)
		return true;
	return prm_get(ip_mask, ipv4) >> 28 == MULTICAST && prm_get(ip, ipv4) >> 28 == MULTICAST;
}

/* Linux refuses a rule whose value has a bit outside the mask. */
static bool exceeds_mask(const struct prm_fte_match_param *mask,
			 const struct prm_fte_match_param *value)
{
	for (size_t i = 0; i < sizeof(mask->dw) / sizeof(mask->dw[0]); i++)
		if (value->dw[i].raw & ~mask->dw[i].raw)
			return true;
	return false;
}

/*
 * Sets destination and action of the rule, with checks in the order of get_dests in Linux
 * drivers/infiniband/hw/mlx5/fs.c. Also refuses a receive flow that has neither a destination nor a
 * flag; in Linux, firmware refuses it.
 */
static int add_destination(struct uv_call *c, const struct uv_matcher *m, struct uv_rule_spec *spec)
{
	const struct uv_devx *dest = uv_attr_get_obj(c, MLX5_IB_ATTR_CREATE_FLOW_DEST_DEVX);
	const bool rdma_rx = m->table_type == MLX5_IB_UAPI_FLOW_TABLE_TYPE_RDMA_RX;
	const bool nic_rx = m->table_type == MLX5_IB_UAPI_FLOW_TABLE_TYPE_NIC_RX;
	uint64_t flags;
	const int rc = uv_attr_get_flags(c, MLX5_IB_ATTR_CREATE_FLOW_FLAGS,
					 MLX5_IB_ATTR_CREATE_FLOW_FLAGS_DEFAULT_MISS |
						 MLX5_IB_ATTR_CREATE_FLOW_FLAGS_DROP,
					 &flags);

	if (rc ||
	    flags == (MLX5_IB_ATTR_CREATE_FLOW_FLAGS_DEFAULT_MISS |
		      MLX5_IB_ATTR_CREATE_FLOW_FLAGS_DROP) ||
	    (nic_rx && !!dest == !!flags) || (rdma_rx && !dest))
		return -EINVAL;
	spec->default_miss = flags & MLX5_IB_ATTR_CREATE_FLOW_FLAGS_DEFAULT_MISS;
	if (flags & MLX5_IB_ATTR_CREATE_FLOW_FLAGS_DROP)
		spec->action |= PRM_FLOW_CONTEXT_ACTION_DROP;
	if (!dest) {
		if (!nic_rx && !(spec->action & PRM_FLOW_CONTEXT_ACTION_DROP))
			spec->action |= PRM_FLOW_CONTEXT_ACTION_ALLOW;
		return 0;
	}
	if (dest->created_by == PRM_OP_create_tir && nic_rx)
		spec->dest_type = PRM_FLOW_DESTINATION_TYPE_TIR;
	else if (dest->created_by == PRM_OP_create_flow_table)
		spec->dest_type = PRM_FLOW_DESTINATION_TYPE_FLOW_TABLE;
	else
		return -EINVAL;
	spec->has_dest = true;
	spec->dest = dest->id;
	spec->action |= PRM_FLOW_CONTEXT_ACTION_FWD_DEST;
	return 0;
}

static int add_counter(struct uv_call *c, struct uv_rule_spec *spec)
{
	const struct uv_attr *a = uv_attr_find(c, MLX5_IB_ATTR_CREATE_FLOW_ARR_COUNTERS_DEVX);
	const struct uv_attr *at =
		uv_attr_find(c, MLX5_IB_ATTR_CREATE_FLOW_ARR_COUNTERS_DEVX_OFFSET);
	const uint32_t offset = at ? (uint32_t)at->value : 0;
	const struct uv_devx *o;

	if (!a)
		return 0;
	o = (const struct uv_devx *)a->objs[0];
	if (at && at->bytes != sizeof(offset))
		return -EINVAL;
	if (o->created_by != PRM_OP_alloc_flow_counter || (offset && offset >= o->bulk))
		return -EINVAL;
	spec->action |= PRM_FLOW_CONTEXT_ACTION_COUNT;
	spec->counter = o->id + offset;
	return 0;
}

static int add_tag(struct uv_call *c, struct uv_rule_spec *spec)
{
	spec->has_tag = uv_attr_find(c, MLX5_IB_ATTR_CREATE_FLOW_TAG);
	spec->tag = (uint32_t)uv_attr_get_number(c, MLX5_IB_ATTR_CREATE_FLOW_TAG, 0);
	return spec->tag < MAX_TAG ? 0 : -EINVAL;
}

/* Checks in Linux' order, so that a call with two errors fails with the same errno. */
static int make_spec(struct uv_call *c, const struct uv_matcher *m,
		     const struct prm_fte_match_param *value, struct uv_rule_spec *spec)
{
	int rc;

	*spec = (struct uv_rule_spec){
		.criteria_enable = m->criteria_enable,
		.mask = &m->mask,
		.value = value,
	};
	rc = add_destination(c, m, spec);
	if (!rc)
		rc = add_counter(c, spec);
	if (!rc)
		rc = add_tag(c, spec);
	if (rc)
		return rc;
	if (m->flow_type != MLX5_IB_FLOW_TYPE_NORMAL ||
	    m->table_type > MLX5_IB_UAPI_FLOW_TABLE_TYPE_NIC_TX)
		return -EOPNOTSUPP; /* unsupported: sniffer flows, default flows, RDMA tables */
	if (m->priority > UV_FS_LAST_PRIORITY)
		return -ENOMEM;
	spec->slot = is_multicast(m, value) ? UV_FS_MULTICAST_SLOT : 2u * m->priority + 1;
	return exceeds_mask(&m->mask, value) ? -EINVAL : 0;
}

static int flow_create(struct uv_call *c)
{
	struct uv_matcher *m = uv_attr_get_obj(c, MLX5_IB_ATTR_CREATE_FLOW_MATCHER);
	struct prm_fte_match_param value;
	struct uv_rule_spec spec;
	struct uv_flow *f;
	int rc;

	if (!uv_has_capability("net_raw"))
		return -EPERM;
	if (!uv_copy_match(c, MLX5_IB_ATTR_CREATE_FLOW_MATCH_VALUE, &value) || !m->usable)
		return -EINVAL;
	rc = make_spec(c, m, &value, &spec);
	if (rc)
		return rc;
	if (m->table_type == MLX5_IB_UAPI_FLOW_TABLE_TYPE_NIC_TX)
		return -EOPNOTSUPP; /* emu has no flow tables on the send side */
	rc = uv_flow_create(c->file, m, &spec, &f);
	if (rc)
		return rc;
	return uv_attr_publish_obj(c, MLX5_IB_ATTR_CREATE_FLOW_HANDLE, &f->obj);
}

const struct uv_method uv_methods_flow[] = {
	{ UVERBS_OBJECT_FLOW, MLX5_IB_METHOD_CREATE_FLOW, .run = flow_create,
	  .attrs = { UV_ATTR_OBJ(MLX5_IB_ATTR_CREATE_FLOW_HANDLE, UV_NEW, &uv_type_flow),
		     UV_ATTR_IN_RANGE(MLX5_IB_ATTR_CREATE_FLOW_MATCH_VALUE, 1, UV_MATCH_BYTES),
		     UV_ATTR_OBJ(MLX5_IB_ATTR_CREATE_FLOW_MATCHER, UV_READ, &uv_type_matcher),
		     { MLX5_IB_ATTR_CREATE_FLOW_DEST_DEVX, UV_IDR, UV_READ, UV_OPTIONAL,
		       .type = &uv_type_devx },
		     { MLX5_IB_ATTR_CREATE_FLOW_TAG, UV_IN, .min = 4, .max = 4, UV_OPTIONAL },
		     { MLX5_IB_ATTR_CREATE_FLOW_ARR_COUNTERS_DEVX, UV_IDRS, UV_READ, UV_OPTIONAL,
		       .min = 1, .max = 1, .type = &uv_type_devx },
		     { MLX5_IB_ATTR_CREATE_FLOW_ARR_COUNTERS_DEVX_OFFSET, UV_IN, UV_READ,
		       UV_OPTIONAL, .min = 4, .max = UV_ANY_LENGTH },
		     UV_ATTR_OPT_FLAGS(MLX5_IB_ATTR_CREATE_FLOW_FLAGS) } },
	{ UVERBS_OBJECT_FLOW, MLX5_IB_METHOD_DESTROY_FLOW, .run = uv_call_succeed,
	  .attrs = { UV_ATTR_OBJ(MLX5_IB_ATTR_DESTROY_FLOW_HANDLE, UV_DESTROY, &uv_type_flow) } },
	{ UVERBS_OBJECT_FLOW, UVERBS_METHOD_FLOW_DESTROY, .run = uv_call_succeed,
	  .attrs = { UV_ATTR_OBJ(UVERBS_ATTR_DESTROY_FLOW_HANDLE, UV_DESTROY, &uv_type_flow) } },
	{ .run = NULL },
};
