/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_METHODS_METHODS_H
#define EMU_UVERBS_METHODS_METHODS_H

#include <rdma/mlx5-abi.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>

#include "emu/uverbs/calls/call.h"
#include "emu/uverbs/device/dev.h"
#include "emu/uverbs/events/event.h"

/* Lists of methods, one a chapter (a file each), each ended by run == NULL. */
extern const struct uv_method uv_methods_device[], uv_methods_write[], uv_methods_pd[],
	uv_methods_mr[], uv_methods_cq[], uv_methods_uar[], uv_methods_umem[], uv_methods_devx[],
	uv_methods_devx_other[], uv_methods_devx_async[], uv_methods_event[], uv_methods_matcher[],
	uv_methods_flow[];

/* What a method that only destroys its object does after that. */
int uv_done(struct uv_call *c);

/* Driver data ride on core methods in these, either way any length. */
#define UV_ATTR_UHW                                                                         \
	{ .id = UVERBS_ATTR_UHW_IN, .kind = UV_IN, .max = UV_ANY_LENGTH, UV_OPTIONAL },     \
	{ .id = UVERBS_ATTR_UHW_OUT, .kind = UV_OUT, .max = UV_ANY_LENGTH, UV_OPTIONAL }

/** struct uv_pd - a protection domain */
struct uv_pd {
	struct uv_obj obj;
	uint32_t pdn;
};
extern const struct uv_type uv_type_pd, uv_type_mr, uv_type_cq, uv_type_uar, uv_type_umem,
	uv_type_devx, uv_type_matcher, uv_type_flow;

/* The write commands, which come as one method (write.c picks them apart). */
struct uv_write {
	struct uv_call *call;
	const uint8_t *in;          /* the command's struct */
	size_t in_bytes;
};
int uv_write_query_device(struct uv_write *w);
int uv_write_query_device_ex(struct uv_write *w);
int uv_write_alloc_pd(struct uv_write *w);
int uv_write_reg_mr(struct uv_write *w);
int uv_write_rereg_mr(struct uv_write *w);
int uv_write_create_comp_channel(struct uv_write *w);
int uv_write_modify_cq_ex(struct uv_write *w);

/** uv_fw_ver - firmware's version as ibv_query_device has it: 16 bits each */
uint64_t uv_fw_ver(const struct uv_dev *dev);
/** uv_guid - GUID that firmware has for a MAC, in the order of the wire */
uint64_t uv_guid(const uint8_t *mac);

#endif
