/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/files/file.h"

#include <errno.h>

#include "emu/uverbs/base/capability.h"
#include "emu/uverbs/base/exec.h"

static int open_uctx(struct uv_file *file)
{
	struct uv_dev *dev = file->dev;
	const uint32_t offered = (uint32_t)prm_get(&dev->general, uctx_cap);
	struct prm_create_uctx_in in = { 0 };
	struct prm_create_uctx_out out = { 0 };
	uint32_t cap = 0;
	int rc;

	if (!prm_get(&dev->general, log_max_uctx))
		return -EINVAL;
	if (uv_has_capability("net_raw"))
		cap |= offered & PRM_UCTX_CAP_RAW_TX;
	if (uv_has_capability("sys_rawio"))
		cap |= offered & PRM_UCTX_CAP_INTERNAL_DEV_RES;
	prm_set(&in, opcode, PRM_OP_create_uctx);
	prm_set(prm_sub(&in, uctx), cap, cap);
	rc = UV_EXEC(dev, in, out);
	file->uid = (uint16_t)prm_get(&out, uid);
	return rc;
}

/* As Linux' mlx5_nic_vport_update_local_lb. */
static int set_loopback(struct uv_dev *dev, bool on)
{
	struct prm_modify_nic_vport_context_in in = { 0 };
	struct prm_modify_nic_vport_context_out out = { 0 };
	struct prm_nic_vport_context *ctx = prm_sub(&in, nic_vport_context);
	int rc;

	if (dev->loopback == on)
		return 0;
	prm_set(&in, opcode, PRM_OP_modify_nic_vport_context);
	prm_set(prm_sub(&in, field_select), disable_uc_local_lb, 1);
	prm_set(prm_sub(&in, field_select), disable_mc_local_lb, 1);
	prm_set(ctx, disable_uc_local_lb, !on);
	prm_set(ctx, disable_mc_local_lb, !on);
	rc = UV_EXEC(dev, in, out);
	if (!rc)
		dev->loopback = on;
	return rc;
}

/*
 * Counts contexts that have a transport domain. Local loopback is on while there are two or more,
 * because they can send to each other. Domains that users create do not count.
 * Source: Linux drivers/infiniband/hw/mlx5/main.c, mlx5_ib_enable_lb.
 */
static int count_td(struct uv_dev *dev, int change)
{
	dev->n_tds += (unsigned)change;
	return set_loopback(dev, dev->n_tds >= 2);
}

static int open_td(struct uv_file *file)
{
	struct prm_alloc_transport_domain_in in = { 0 };
	struct prm_alloc_transport_domain_out out = { 0 };
	int rc;

	prm_set(&in, opcode, PRM_OP_alloc_transport_domain);
	prm_set(&in, uid, file->uid);
	rc = UV_EXEC(file->dev, in, out);
	file->owns_td = !rc;
	file->td = prm_get(&out, transport_domain);
	return rc ? rc : count_td(file->dev, 1);
}

int uv_context_open(struct uv_file *file, bool devx)
{
	int rc = devx ? open_uctx(file) : 0;

	if (!rc)
		rc = open_td(file);
	if (rc)
		uv_context_close(file);
	else
		file->ready = true;
	return rc;
}

void uv_context_close(struct uv_file *file)
{
	if (file->owns_td) {
		struct prm_dealloc_transport_domain_in in = { 0 };
		struct prm_dealloc_transport_domain_out out = { 0 };

		prm_set(&in, opcode, PRM_OP_dealloc_transport_domain);
		prm_set(&in, uid, file->uid);
		prm_set(&in, transport_domain, file->td);
		UV_EXEC(file->dev, in, out);
		count_td(file->dev, -1);
	}
	if (file->uid) {
		struct prm_destroy_uctx_in in = { 0 };
		struct prm_destroy_uctx_out out = { 0 };

		prm_set(&in, opcode, PRM_OP_destroy_uctx);
		prm_set(&in, uid, file->uid);
		UV_EXEC(file->dev, in, out);
	}
	file->owns_td = file->ready = false;
	file->uid = 0;
}
