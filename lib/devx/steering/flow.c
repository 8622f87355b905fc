/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <infiniband/mlx5dv.h>

#include "devx/core/fail.h"
#include "devx/flow_table.h"
#include "devx/steering/flow_match.h"

/* struct mlx5dv_flow_match_parameters with a match buffer of the size that the kernel expects */
struct match_parameters {
	size_t match_sz;
	struct prm_fte_match_param param;
};
_Static_assert(offsetof(struct match_parameters, param) ==
		       offsetof(struct mlx5dv_flow_match_parameters, match_buf),
	       "rdma-core's layout");

static int create_flow_objects(struct devx_flow_rule *rule, const struct devx_match *match,
			       uint16_t prio, struct mlx5dv_devx_obj *to)
{
	struct match_parameters mask = { .match_sz = sizeof(mask.param) };
	struct match_parameters value = { .match_sz = sizeof(value.param) };
	struct mlx5dv_flow_matcher_attr attr = { .type = IBV_FLOW_ATTR_NORMAL, .priority = prio };
	struct mlx5dv_flow_action_attr action = { .type = MLX5DV_FLOW_ACTION_DEST_DEVX, .obj = to };
	struct devx_dev *dev = rule->dev;

	devx_match_fill(&mask.param, &value.param, match);
	attr.match_mask = (struct mlx5dv_flow_match_parameters *)&mask;
	attr.match_criteria_enable = devx_match_get_criteria(&mask.param);
	errno = 0;
	rule->matcher = mlx5dv_create_flow_matcher(dev->ctx, &attr);
	if (!rule->matcher)
		return devx_fail_sys(dev, errno ? errno : ENOMEM,
				     "flow rule: cannot create a matcher");
	errno = 0;
	rule->flow = mlx5dv_create_flow(rule->matcher,
					(struct mlx5dv_flow_match_parameters *)&value, 1, &action);
	if (!rule->flow) {
		const int err = errno ? errno : ENOMEM;

		return devx_fail_sys(dev, err, "flow rule: cannot add the rule at priority %u%s",
				     prio, err == EPERM ? " (this process needs CAP_NET_RAW)" : "");
	}
	return 0;
}

static int create_rule(struct devx_flow_rule *rule, struct devx_dev *dev,
		       const struct devx_match *match, uint16_t prio, struct mlx5dv_devx_obj *to)
{
	int rc;

	if (prio > DEVX_FLOW_PRIO_MAX)
		return devx_fail(dev, -EINVAL, "flow rule: priority %u is invalid (valid: 0 to %u)",
				 prio, DEVX_FLOW_PRIO_MAX);
	rc = devx_match_validate(dev, match);
	if (rc)
		return rc;
	rule->dev = dev;
	rc = create_flow_objects(rule, match, prio, to);
	if (rc)
		devx_flow_destroy(rule);
	return rc;
}

int devx_flow_create(struct devx_flow_rule *rule, struct devx_dev *dev,
		     const struct devx_match *match, uint16_t prio, const struct devx_tir *tir)
{
	if (!tir || !tir->obj)
		return devx_fail(dev, -EINVAL,
				 "flow rule: no TIR; pass one that devx_tir_create() made");
	return create_rule(rule, dev, match, prio, tir->obj);
}

int devx_flow_create_to_table(struct devx_flow_rule *rule, struct devx_dev *dev,
			      const struct devx_match *match, uint16_t prio,
			      const struct devx_flow_table *table)
{
	if (!table || !table->obj)
		return devx_fail(dev, -EINVAL,
				 "flow rule: no flow table; pass one that devx_flow_table_create() "
				 "made");
	return create_rule(rule, dev, match, prio, table->obj);
}

void devx_flow_destroy(struct devx_flow_rule *rule)
{
	if (rule->flow && ibv_destroy_flow(rule->flow))
		devx_stuck_count(rule->dev);
	if (rule->matcher && mlx5dv_destroy_flow_matcher(rule->matcher))
		devx_stuck_count(rule->dev);
	*rule = (struct devx_flow_rule){ 0 };
}
