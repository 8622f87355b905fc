/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DEVX: commands of users, with and without an object.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "emu/uverbs/cq.h"
#include "emu/uverbs/devx.h"

enum { HDR_BYTES = sizeof(struct prm_general_obj_in_cmd_hdr), MAX_ASYNC_BYTES = 1 << 20,
       COUNTERS_PER_BULK_BIT = 128 };

/* ---- who asks -------------------------------------------------------------------- */

/* Some questions are free to contexts without DEVX: they borrow an id of the device's. */
static int uid_for(const struct uv_call *c, const struct prm_general_obj_in_cmd_hdr *in)
{
	const uint64_t opcode = prm_get(in, opcode);
	enum { QUERY_ESW_VPORT_CONTEXT = 0x752, QUERY_HCA_VPORT_CONTEXT = 0x762 };

	if (c->file->uid)
		return c->file->uid;
	if (opcode != PRM_OP_query_hca_cap && opcode != QUERY_ESW_VPORT_CONTEXT &&
	    opcode != QUERY_HCA_VPORT_CONTEXT)
		return -EINVAL;
	return c->dev->whitelist_uid ? c->dev->whitelist_uid : -EOPNOTSUPP;
}

/* Marks the command with the user's id. Return: 0 or -errno */
static int sign(struct uv_call *c, struct prm_general_obj_in_cmd_hdr *in, bool is_object)
{
	const int uid = uid_for(c, in);

	if (is_object && prm_get(in, vhca_tunnel_id))
		return -EINVAL;
	if (uid < 0)
		return uid;
	prm_set(in, uid, (unsigned)uid);
	return 0;
}

/* Runs it into a fresh output; whoever calls copies that out on success and on EREMOTEIO. */
static int execute(struct uv_call *c, const void *in, size_t in_bytes, uint16_t out_id, void **out)
{
	const size_t out_bytes = uv_attr(c, out_id)->bytes;

	*out = calloc(1, out_bytes);
	return *out ? uv_do(c->dev, in, in_bytes, *out, out_bytes) : -ENOMEM;
}

static int answer(struct uv_call *c, uint16_t out_id, int rc, void *out)
{
	if (!rc || rc == -EREMOTEIO) {
		const int rc_copy = uv_out(c, out_id, out, uv_attr(c, out_id)->bytes);

		if (rc_copy)
			rc = rc_copy;
	}
	free(out);
	return rc;
}

static int devx_other(struct uv_call *c)
{
	size_t in_bytes;
	void *in = uv_in(c, MLX5_IB_ATTR_DEVX_OTHER_CMD_IN, &in_bytes), *out = NULL;
	int rc = sign(c, in, false);

	if (rc)
		return rc;
	if (!uv_devx_may_general(in))
		return -EINVAL;
	rc = execute(c, in, in_bytes, MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT, &out);
	return answer(c, MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT, rc, out);
}

static int devx_query_eqn(struct uv_call *c)
{
	const int eqn = uv_dev_eqn(c->dev, uv_num(c, MLX5_IB_ATTR_DEVX_QUERY_EQN_USER_VEC, 0));

	if (eqn < 0)
		return eqn;
	return uv_out(c, MLX5_IB_ATTR_DEVX_QUERY_EQN_DEV_EQN, &eqn, sizeof(eqn));
}

/* ---- objects --------------------------------------------------------------------- */

static int devx_free(struct uv_obj *obj)
{
	struct uv_devx *o = (struct uv_devx *)obj;
	struct prm_general_obj_out_cmd_hdr out = {0};
	int rc = 0;

	if (o->destroy_bytes)
		rc = uv_exec(obj->file->dev, o->destroy, o->destroy_bytes, &out, sizeof(out));
	if (!rc)
		uv_sub_drop(obj);
	return rc;
}

const struct uv_type uv_type_devx = { "DEVX object", devx_free };

/* mlx5_core looks up the EQ before it asks firmware for a CQ. */
static int check_cq(const struct uv_call *c, const void *in, size_t bytes)
{
	const struct prm_create_cq_in *cq = in;

	if (bytes < sizeof(*cq))
		return 0;
	return uv_dev_has_eqn(c->dev, (uint32_t)prm_get(prm_sub(cq, cq_context), c_eqn_or_apu_element))
		? 0 : -ENOENT;
}

static int check_create(struct uv_call *c, void *in, size_t bytes)
{
	const uint64_t opcode = prm_get((struct prm_general_obj_in_cmd_hdr *)in, opcode);
	const size_t mkey_min = sizeof(struct prm_general_obj_in_cmd_hdr) + sizeof(struct prm_mkc);

	if (!uv_devx_may_create(in))
		return -EINVAL;
	if (opcode == PRM_OP_create_mkey && bytes < mkey_min)
		return -EINVAL;
	return opcode == PRM_OP_create_cq ? check_cq(c, in, bytes) : 0;
}

static int devx_create(struct uv_call *c)
{
	const uint16_t out_id = MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_OUT;
	size_t in_bytes;
	struct prm_general_obj_in_cmd_hdr *in = uv_in(c, MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_IN, &in_bytes);
	void *out = NULL;
	struct uv_devx *o;
	int rc = sign(c, in, true);

	if (!rc)
		rc = check_create(c, in, in_bytes);
	if (rc)
		return rc;
	o = uv_obj_new(c->file, &uv_type_devx, sizeof(*o));
	if (!o)
		return -ENOMEM;
	o->created_by = (uint16_t)prm_get(in, opcode);
	uv_devx_force_umem(in, in_bytes);
	rc = execute(c, in, in_bytes, out_id, &out);
	if (!rc) {
		uv_devx_plan_destroy(o, in, out);
		if (o->created_by == PRM_OP_alloc_flow_counter)
			o->bulk = COUNTERS_PER_BULK_BIT * (uint32_t)prm_get(
				(const struct prm_alloc_flow_counter_in *)in, flow_counter_bulk);
	}
	rc = answer(c, out_id, rc, out);
	if (rc) {
		uv_obj_destroy(&o->obj);
		return rc;
	}
	return uv_publish(c, MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE, &o->obj);
}

/* Is what the mailbox names the object of the handle? Verbs CQs may be asked about, too. */
static bool names(const struct uv_obj *obj, uint16_t created_by, uint32_t id)
{
	const struct uv_devx *o = (const struct uv_devx *)obj;

	if (obj->type == &uv_type_cq)
		return created_by == PRM_OP_create_cq && id == uv_cq_number(obj);
	if (obj->type != &uv_type_devx || o->created_by != created_by)
		return false;
	return id == o->id;
}

static int check_subject(const void *in, bool modify, const struct uv_obj *obj)
{
	uint16_t created_by;
	uint32_t id;

	if (!uv_devx_subject(in, modify, &created_by, &id))
		return -EINVAL;
	if (modify && created_by == PRM_OP_set_fte &&
	    prm_get((const struct prm_set_fte_in *)in, op_mod) != 1)
		return -EINVAL;
	return names(obj, created_by, id) ? 0 : -EINVAL;
}

static int modify_or_query(struct uv_call *c, uint16_t handle_id, uint16_t in_id, uint16_t out_id,
			   bool modify)
{
	size_t in_bytes;
	void *in = uv_in(c, in_id, &in_bytes), *out = NULL;
	int rc = sign(c, in, true);

	if (!rc)
		rc = check_subject(in, modify, uv_obj(c, handle_id));
	if (rc)
		return rc;
	if (modify)
		uv_devx_force_umem(in, in_bytes);
	rc = execute(c, in, in_bytes, out_id, &out);
	return answer(c, out_id, rc, out);
}

static int devx_modify(struct uv_call *c)
{
	return modify_or_query(c, MLX5_IB_ATTR_DEVX_OBJ_MODIFY_HANDLE,
			       MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_IN,
			       MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_OUT, true);
}

static int devx_query(struct uv_call *c)
{
	return modify_or_query(c, MLX5_IB_ATTR_DEVX_OBJ_QUERY_HANDLE,
			       MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_IN,
			       MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_OUT, false);
}

/* ---- asynchronous query ----------------------------------------------------------- */

/* Firmware answers at once here, so the reply is in the file when the ioctl returns. */
static int devx_query_async(struct uv_call *c)
{
	struct uv_channel *ch = uv_obj(c, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_FD);
	const int user_fd = (int)uv_attr(c, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_FD)->value;
	const uint64_t out_bytes = uv_num(c, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_OUT_LEN, 0);
	struct mlx5_ib_uapi_devx_async_cmd_hdr *msg;
	size_t in_bytes;
	void *in = uv_in(c, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_CMD_IN, &in_bytes);
	int rc = sign(c, in, true);

	if (!rc)
		rc = check_subject(in, false, uv_obj(c, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_HANDLE));
	if (rc || out_bytes < HDR_BYTES || out_bytes > UINT16_MAX)
		return rc ? rc : -EINVAL;
	if (uv_channel_pending(user_fd) + out_bytes > MAX_ASYNC_BYTES)
		return -EAGAIN;
	msg = calloc(1, sizeof(*msg) + out_bytes);
	if (!msg)
		return -ENOMEM;
	msg->wr_id = uv_num(c, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_WR_ID, 0);
	uv_do(c->dev, in, in_bytes, msg->out_data, out_bytes); /* a refusal is in the reply */
	rc = uv_channel_send(ch, msg, sizeof(*msg) + out_bytes);
	free(msg);
	return rc;
}

#define CMD_IN(id_) { .id = (id_), .kind = UV_IN, .min = HDR_BYTES, .max = UV_ANY_LENGTH }

const struct uv_method uv_methods_devx[] = {
	{ MLX5_IB_OBJECT_DEVX, MLX5_IB_METHOD_DEVX_OTHER, .run = devx_other, .attrs = {
		CMD_IN(MLX5_IB_ATTR_DEVX_OTHER_CMD_IN),
		UV_ATTR_OUT(MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT, HDR_BYTES) } },
	{ MLX5_IB_OBJECT_DEVX, MLX5_IB_METHOD_DEVX_QUERY_EQN, .run = devx_query_eqn, .attrs = {
		UV_ATTR_IN(MLX5_IB_ATTR_DEVX_QUERY_EQN_USER_VEC, 4),
		UV_ATTR_OUT(MLX5_IB_ATTR_DEVX_QUERY_EQN_DEV_EQN, 4) } },
	{ MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_CREATE, .run = devx_create, .attrs = {
		UV_ATTR_OBJ(MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE, UV_NEW, &uv_type_devx),
		CMD_IN(MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_IN),
		UV_ATTR_OUT(MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_OUT, HDR_BYTES) } },
	{ MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_DESTROY, .run = uv_done, .attrs = {
		UV_ATTR_OBJ(MLX5_IB_ATTR_DEVX_OBJ_DESTROY_HANDLE, UV_DESTROY, &uv_type_devx) } },
	{ MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_MODIFY, .run = devx_modify, .attrs = {
		UV_ATTR_OBJ(MLX5_IB_ATTR_DEVX_OBJ_MODIFY_HANDLE, UV_READ, NULL),
		CMD_IN(MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_IN),
		UV_ATTR_OUT(MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_OUT, HDR_BYTES) } },
	{ MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_QUERY, .run = devx_query, .attrs = {
		UV_ATTR_OBJ(MLX5_IB_ATTR_DEVX_OBJ_QUERY_HANDLE, UV_READ, NULL),
		CMD_IN(MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_IN),
		UV_ATTR_OUT(MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_OUT, HDR_BYTES) } },
	{ MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_ASYNC_QUERY, .run = devx_query_async,
	  .attrs = {
		UV_ATTR_OBJ(MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_HANDLE, UV_READ, NULL),
		CMD_IN(MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_CMD_IN),
		UV_ATTR_NUM(MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_OUT_LEN),
		UV_ATTR_FD(MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_FD, UV_READ, &uv_type_cmd_fd),
		UV_ATTR_IN(MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_WR_ID, 8) } },
	{ .run = NULL },
};
