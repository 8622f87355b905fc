/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/methods/methods.h"

#include <errno.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <string.h>

#include "emu/uverbs/calls/attr.h"

/*
 * Returns the code of the largest RoCE MTU that fits into the port's MTU together with the headers;
 * 0: none fits. Source: Linux, iboe_get_mtu().
 */
static uint8_t encode_mtu(uint16_t mtu)
{
	enum { ROCE_HEADERS = 96, MTU_4096 = 5 };
	uint8_t code = 0;

	while (code < MTU_4096 && (256u << code) + ROCE_HEADERS <= mtu)
		code++;
	return code;
}

/* Source: Linux, mlx5_port_type_cap_to_rdma_ll(). */
static uint8_t get_link_layer(const struct uv_dev *dev)
{
	enum { INFINIBAND = 1, ETHERNET = 2 };

	return prm_get(&dev->general, port_type) == PRM_HCA_CAP_PORT_TYPE_ETH ? ETHERNET
									      : INFINIBAND;
}

static int query_port(struct uv_call *c)
{
	enum {
		ACTIVE = 4,
		DOWN = 1,
		PHYS_UP = 5,
		PHYS_DISABLED = 3,
		MTU_4096 = 5,
		WIDTH_4X = 2,
		SPEED_EDR = 32,
		SPEED_QDR = 4, /* mlx5_ib's answer for a link that is down */
	};
	struct ib_uverbs_query_port_resp_ex resp = { 0 };
	struct emu_link link;

	if (uv_attr_get_number(c, UVERBS_ATTR_QUERY_PORT_PORT_NUM, 0) != 1)
		return -EINVAL;
	emu_get_link(c->dev->emu, &link);
	resp.legacy_resp = (struct ib_uverbs_query_port_resp){
		.max_msg_sz = 1u << prm_get(&c->dev->general, log_max_msg),
		.pkey_tbl_len = 1,
		.state = link.up ? ACTIVE : DOWN,
		.max_mtu = MTU_4096,
		.active_mtu = encode_mtu(link.mtu),
		.active_width = WIDTH_4X,
		.active_speed = link.up ? SPEED_EDR : SPEED_QDR,
		.phys_state = link.up ? PHYS_UP : PHYS_DISABLED,
		.link_layer = get_link_layer(c->dev),
	};
	return uv_attr_write_struct(c, UVERBS_ATTR_QUERY_PORT_RESP, &resp, sizeof(resp));
}

/* Answers mlx5's QUERY_PORT with 0 in every field: emu has no eswitch to report. */
static int query_vport(struct uv_call *c)
{
	const struct mlx5_ib_uapi_query_port resp = { 0 };

	if (uv_attr_get_number(c, MLX5_IB_ATTR_QUERY_PORT_PORT_NUM, 0) != 1)
		return -EINVAL;
	return uv_attr_write_struct(c, MLX5_IB_ATTR_QUERY_PORT, &resp, sizeof(resp));
}

/* Refuses every index: a port without RoCE has no GIDs. */
static int query_gid_entry(struct uv_call *c)
{
	(void)c;
	return -EINVAL;
}

static int query_gid_table(struct uv_call *c)
{
	static const uint64_t n;
	uint64_t flags;
	const int rc = uv_attr_get_flags(c, UVERBS_ATTR_QUERY_GID_TABLE_FLAGS, 0, &flags);

	if (rc)
		return rc;
	/* No library uses another entry size, for which ib_core would pad or truncate entries. */
	if (uv_attr_get_number(c, UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE, 0) !=
		    sizeof(struct ib_uverbs_gid_entry) ||
	    uv_attr_find(c, UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES)->bytes <
		    sizeof(struct ib_uverbs_gid_entry))
		return -EINVAL;
	return uv_attr_write(c, UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES, &n, sizeof(n));
}

/* From Linux 6.12; the headers of rdma-core 44 lack them. */
enum { METHOD_GET_DATA_DIRECT_SYSFS_PATH = MLX5_IB_METHOD_QUERY_PORT + 1 };
enum { ATTR_DATA_DIRECT_SYSFS_PATH = 1 << UVERBS_ID_NS_SHIFT };

/* The adapter has no Data Direct function. */
static int get_data_direct_path(struct uv_call *c)
{
	(void)c;
	return -ENODEV;
}

const struct uv_method uv_methods_device[] = {
	{ UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_PORT, .run = query_port,
	  .attrs = { UV_ATTR_CONST(UVERBS_ATTR_QUERY_PORT_PORT_NUM),
		     UV_ATTR_OUT_MIN(UVERBS_ATTR_QUERY_PORT_RESP,
				     sizeof(struct ib_uverbs_query_port_resp)) } },
	{ UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_GID_ENTRY, .run = query_gid_entry,
	  .attrs = { UV_ATTR_CONST(UVERBS_ATTR_QUERY_GID_ENTRY_PORT),
		     UV_ATTR_CONST(UVERBS_ATTR_QUERY_GID_ENTRY_GID_INDEX),
		     UV_ATTR_FLAGS(UVERBS_ATTR_QUERY_GID_ENTRY_FLAGS),
		     UV_ATTR_OUT_MIN(UVERBS_ATTR_QUERY_GID_ENTRY_RESP_ENTRY,
				     sizeof(struct ib_uverbs_gid_entry)) } },
	{ UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_GID_TABLE, .run = query_gid_table,
	  .attrs = { UV_ATTR_CONST(UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE),
		     UV_ATTR_OPT_FLAGS(UVERBS_ATTR_QUERY_GID_TABLE_FLAGS),
		     UV_ATTR_OUT_MIN(UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES, 0),
		     UV_ATTR_OUT(UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES, 8) } },
	{ UVERBS_OBJECT_DEVICE, MLX5_IB_METHOD_QUERY_PORT, .run = query_vport,
	  .attrs = { UV_ATTR_IN(MLX5_IB_ATTR_QUERY_PORT_PORT_NUM, 4),
		     UV_ATTR_OUT_MIN(MLX5_IB_ATTR_QUERY_PORT, sizeof(uint64_t)) } },
	{ UVERBS_OBJECT_DEVICE, METHOD_GET_DATA_DIRECT_SYSFS_PATH, .run = get_data_direct_path,
	  .attrs = { UV_ATTR_OUT_MIN(ATTR_DATA_DIRECT_SYSFS_PATH, 0) } },
	{ .run = NULL },
};
