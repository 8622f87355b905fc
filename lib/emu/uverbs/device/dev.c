/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/device/dev.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emu/uverbs/base/exec.h"
#include "emu/uverbs/base/front.h"
#include "emu/uverbs/device/eq.h"
#include "emu/uverbs/steering/rule.h"

/* ---- capabilities --------------------------------------------------------------- */

static int query_caps(struct uv_dev *dev, unsigned type, unsigned which, void *caps, size_t bytes)
{
	struct prm_query_hca_cap_in in = { 0 };
	struct prm_query_hca_cap_out *out = calloc(1, sizeof(*out));
	int rc = out ? 0 : -ENOMEM;

	if (rc)
		return rc;
	prm_set(&in, opcode, PRM_OP_query_hca_cap);
	prm_set(&in, op_mod, type << 1 | which);
	rc = uv_exec_kernel(dev, &in, sizeof(in), out, sizeof(*out));
	if (!rc)
		memcpy(caps, (uint8_t *)out + sizeof(struct prm_general_obj_out_cmd_hdr), bytes);
	free(out);
	return rc;
}

int uv_dev_read_caps(struct uv_dev *dev)
{
	int rc = query_caps(dev, PRM_HCA_CAP_PAGE_GENERAL, PRM_HCA_CAP_OP_MOD_CURRENT,
			    &dev->general, sizeof(dev->general));

	if (!rc)
		rc = query_caps(dev, PRM_HCA_CAP_PAGE_GENERAL, PRM_HCA_CAP_OP_MOD_MAX,
				&dev->general_max, sizeof(dev->general_max));
	if (!rc)
		rc = query_caps(dev, PRM_HCA_CAP_PAGE_ETHERNET_OFFLOADS, PRM_HCA_CAP_OP_MOD_CURRENT,
				&dev->eth, sizeof(dev->eth));
	if (!rc)
		rc = query_caps(dev, PRM_HCA_CAP_PAGE_FLOW_TABLE, PRM_HCA_CAP_OP_MOD_CURRENT,
				&dev->flow, sizeof(dev->flow));
	if (!rc)
		rc = query_caps(dev, PRM_HCA_CAP_PAGE_QOS, PRM_HCA_CAP_OP_MOD_CURRENT, &dev->qos,
				sizeof(dev->qos));
	dev->event = (struct prm_device_event_cap){ 0 };
	if (!rc && prm_get(&dev->general, event_cap))
		rc = query_caps(dev, PRM_HCA_CAP_PAGE_DEV_EVENT, PRM_HCA_CAP_OP_MOD_CURRENT,
				&dev->event, sizeof(dev->event));
	return rc;
}

/* ---- open ----------------------------------------------------------------------- */

static int make_uar(struct uv_dev *dev)
{
	struct prm_alloc_uar_in in = { 0 };
	struct prm_alloc_uar_out out = { 0 };
	int rc;

	prm_set(&in, opcode, PRM_OP_alloc_uar);
	rc = UV_EXEC(dev, in, out);
	dev->uar = prm_get(&out, uar);
	return rc;
}

static int make_uctx(struct uv_dev *dev)
{
	struct prm_create_uctx_in in = { 0 };
	struct prm_create_uctx_out out = { 0 };
	int rc;

	prm_set(&in, opcode, PRM_OP_create_uctx);
	rc = UV_EXEC(dev, in, out);
	dev->whitelist_uid = (uint16_t)prm_get(&out, uid);
	return rc;
}

static void free_dev(struct uv_dev *dev)
{
	uv_eqs_close(dev);
	if (dev->uar) {
		struct prm_dealloc_uar_in in = { 0 };
		struct prm_dealloc_uar_out out = { 0 };

		prm_set(&in, opcode, PRM_OP_dealloc_uar);
		prm_set(&in, uar, dev->uar);
		UV_EXEC(dev, in, out);
	}
	uv_fs_close(dev);
	free(dev->rates);
	pthread_mutex_destroy(&dev->pins.lock);
	free(dev);
}

int uv_dev_open(unsigned port)
{
	struct uv_dev *dev = uv_front.dev[port];
	int rc = uv_power_on();

	if (rc || dev)
		return rc;
	dev = calloc(1, sizeof(*dev));
	if (!dev)
		return -ENOMEM;
	pthread_mutex_init(&dev->pins.lock, NULL);
	dev->port = port;
	dev->emu = emu_port(uv_front.adapter, port);
	uv_front.dev[port] = dev; /* the host operations in power.c use it from now on */
	rc = uv_dev_read_caps(dev);
	if (!rc)
		rc = make_uar(dev);
	if (!rc)
		rc = uv_eqs_open(dev);
	if (!rc)
		rc = uv_fs_open(dev);
	if (!rc)
		rc = make_uctx(dev);
	if (rc) {
		uv_front.dev[port] = NULL;
		free_dev(dev);
	}
	return rc;
}
