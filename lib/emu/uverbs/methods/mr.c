/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/methods/methods.h"

#include <errno.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <string.h>

#include "emu/uverbs/base/object.h"
#include "emu/uverbs/calls/attr.h"
#include "emu/uverbs/objects/mr.h"

enum {
	PAGE = 4096,
	/* IB_MR_REREG_*: what REREG_MR changes */
	REREG_TRANS = 1 << 0,
	REREG_PD = 1 << 1,
	REREG_ACCESS = 1 << 2,
	/* MLX5_IB_ATTR_REG_DMABUF_MR_ACCESS_FLAGS and its flag, new in the headers of Linux 6.12 */
	ATTR_REG_DMABUF_MR_ACCESS_FLAGS = 1 << UVERBS_ID_NS_SHIFT,
	DATA_DIRECT = 1 << 0,
};

/* Finds an object by the handle in a write() command. Return: 0, -ENOENT; -EINVAL: other type */
static int find_object(const struct uv_file *file, uint32_t handle, const struct uv_type *type,
		       void *obj)
{
	struct uv_obj *o = uv_obj_find(file, handle);

	*(struct uv_obj **)obj = o;
	if (!o)
		return -ENOENT;
	return o->type == type ? 0 : -EINVAL;
}

int uv_write_reg_mr(struct uv_write *w)
{
	struct uv_call *c = w->call;
	struct ib_uverbs_reg_mr_resp resp = { 0 };
	struct ib_uverbs_reg_mr cmd;
	struct uv_pd *pd;
	struct uv_mr *mr;
	int rc;

	memcpy(&cmd, w->in, sizeof(cmd));
	if ((cmd.start ^ cmd.hca_va) % PAGE)
		return -EINVAL;
	rc = uv_mr_check_access(cmd.access_flags);
	if (!rc)
		rc = find_object(c->file, cmd.pd_handle, &uv_type_pd, &pd);
	if (rc)
		return rc;
	mr = uv_mr_alloc(c->file, pd, cmd.hca_va, cmd.length, cmd.access_flags);
	if (!mr)
		return -ENOMEM;
	rc = uv_mr_pin(mr, cmd.start);
	if (!rc)
		rc = uv_mr_make_key(mr);
	if (!rc)
		rc = uv_obj_add(&mr->obj);
	if (!rc) {
		resp = (struct ib_uverbs_reg_mr_resp){ .mr_handle = mr->obj.handle,
						       .lkey = mr->lkey,
						       .rkey = mr->lkey };
		rc = uv_attr_write(c, UVERBS_ATTR_CORE_OUT, &resp, sizeof(resp));
	}
	if (rc)
		uv_obj_destroy(&mr->obj);
	return rc;
}

/* Checks in the order of Linux' uverbs_cmd.c, ib_uverbs_rereg_mr. */
static int check_rereg(const struct uv_file *file, const struct ib_uverbs_rereg_mr *cmd,
		       struct uv_mr **mr, struct uv_pd **pd)
{
	int rc;

	if (!cmd->flags)
		return -EINVAL;
	if (cmd->flags & ~(uint32_t)(REREG_TRANS | REREG_PD | REREG_ACCESS))
		return -EOPNOTSUPP;
	if (cmd->flags & REREG_TRANS && (cmd->start ^ cmd->hca_va) % PAGE)
		return -EINVAL;
	rc = find_object(file, cmd->mr_handle, &uv_type_mr, mr);
	if (!rc && cmd->flags & REREG_ACCESS)
		rc = uv_mr_check_access(cmd->access_flags);
	if (!rc && cmd->flags & REREG_PD)
		rc = find_object(file, cmd->pd_handle, &uv_type_pd, pd);
	else if (!rc)
		*pd = (*mr)->pd;
	/* pages that were pinned read-only do not become writable */
	if (!rc && (cmd->flags & (REREG_ACCESS | REREG_TRANS)) == REREG_ACCESS &&
	    uv_mr_is_writable(cmd->access_flags) && !(*mr)->pin.write)
		return -EACCES;
	return rc;
}

/* Creates a new key over new pins before it removes the old ones. A failure leaves the MR valid. */
int uv_write_rereg_mr(struct uv_write *w)
{
	struct uv_call *c = w->call;
	struct ib_uverbs_rereg_mr_resp resp = { 0 };
	struct ib_uverbs_rereg_mr cmd;
	struct uv_mr *mr, *fresh;
	struct uv_pd *pd;
	bool trans;
	int rc;

	memcpy(&cmd, w->in, sizeof(cmd));
	trans = cmd.flags & REREG_TRANS;
	rc = check_rereg(c->file, &cmd, &mr, &pd);
	if (rc)
		return rc;
	if (!mr->pin.user_addr)
		return -EOPNOTSUPP; /* an MR over a dma-buf cannot be registered again */

	fresh = uv_mr_alloc(c->file, pd, trans ? cmd.hca_va : mr->iova,
			    trans ? cmd.length : mr->bytes,
			    cmd.flags & REREG_ACCESS ? cmd.access_flags : mr->access);
	if (!fresh)
		return -ENOMEM;
	rc = uv_mr_pin(fresh, trans ? cmd.start : mr->pin.user_addr);
	if (!rc)
		rc = uv_mr_make_key(fresh);
	if (!rc)
		rc = uv_mr_replace(mr, fresh);
	if (rc) {
		uv_obj_destroy(&fresh->obj);
		return rc;
	}
	resp.lkey = resp.rkey = mr->lkey;
	return uv_attr_write(c, UVERBS_ATTR_CORE_OUT, &resp, sizeof(resp));
}

static int write_keys(struct uv_call *c, const struct uv_mr *mr, uint16_t lkey_id, uint16_t rkey_id)
{
	const int rc = uv_attr_write(c, lkey_id, &mr->lkey, sizeof(mr->lkey));

	return rc ? rc : uv_attr_write(c, rkey_id, &mr->lkey, sizeof(mr->lkey));
}

/* Source: Linux drivers/infiniband/core/uverbs_std_types_mr.c; hw/mlx5/mr.c, reg_user_mr_dmabuf. */
static int reg_dmabuf_mr(struct uv_call *c)
{
	const uint64_t off = uv_attr_get_number(c, UVERBS_ATTR_REG_DMABUF_MR_OFFSET, 0);
	const uint64_t bytes = uv_attr_get_number(c, UVERBS_ATTR_REG_DMABUF_MR_LENGTH, 0);
	const uint64_t iova = uv_attr_get_number(c, UVERBS_ATTR_REG_DMABUF_MR_IOVA, 0);
	uint64_t access, mlx5_flags;
	struct uv_mr *mr;
	int rc = uv_attr_get_flags(c, UVERBS_ATTR_REG_DMABUF_MR_ACCESS_FLAGS,
				   IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_READ |
					   IB_UVERBS_ACCESS_REMOTE_WRITE |
					   IB_UVERBS_ACCESS_REMOTE_ATOMIC |
					   IB_UVERBS_ACCESS_RELAXED_ORDERING,
				   &access);

	if (!rc)
		rc = uv_attr_get_flags(c, ATTR_REG_DMABUF_MR_ACCESS_FLAGS, DATA_DIRECT,
				       &mlx5_flags);
	if (rc || (off ^ iova) % PAGE || uv_mr_check_access((uint32_t)access))
		return -EINVAL;
	if (mlx5_flags & DATA_DIRECT)
		return -EINVAL; /* the adapter has no Data Direct function */
	mr = uv_mr_alloc(c->file, uv_attr_get_obj(c, UVERBS_ATTR_REG_DMABUF_MR_PD_HANDLE), iova,
			 bytes, (uint32_t)access);
	if (!mr)
		return -ENOMEM;
	rc = uv_pin_dmabuf(c->dev, &mr->pin,
			   (int)uv_attr_get_number(c, UVERBS_ATTR_REG_DMABUF_MR_FD, 0), off, bytes,
			   uv_mr_is_writable(mr->access));
	if (!rc)
		rc = uv_mr_make_key(mr);
	if (!rc)
		rc = write_keys(c, mr, UVERBS_ATTR_REG_DMABUF_MR_RESP_LKEY,
				UVERBS_ATTR_REG_DMABUF_MR_RESP_RKEY);
	if (rc) {
		uv_obj_destroy(&mr->obj);
		return rc;
	}
	return uv_attr_publish_obj(c, UVERBS_ATTR_REG_DMABUF_MR_HANDLE, &mr->obj);
}

static int query_mr(struct uv_call *c)
{
	const struct uv_mr *mr = uv_attr_get_obj(c, UVERBS_ATTR_QUERY_MR_HANDLE);
	int rc = write_keys(c, mr, UVERBS_ATTR_QUERY_MR_RESP_LKEY, UVERBS_ATTR_QUERY_MR_RESP_RKEY);

	if (!rc)
		rc = uv_attr_write(c, UVERBS_ATTR_QUERY_MR_RESP_LENGTH, &mr->bytes,
				   sizeof(mr->bytes));
	if (!rc)
		rc = uv_attr_write(c, UVERBS_ATTR_QUERY_MR_RESP_IOVA, &mr->iova, sizeof(mr->iova));
	return rc == -ENOENT ? 0 : rc;
}

const struct uv_method uv_methods_mr[] = {
	{ UVERBS_OBJECT_MR, UVERBS_METHOD_MR_DESTROY, .run = uv_call_succeed,
	  .attrs = { UV_ATTR_OBJ(UVERBS_ATTR_DESTROY_MR_HANDLE, UV_DESTROY, &uv_type_mr) } },
	{ UVERBS_OBJECT_MR, UVERBS_METHOD_QUERY_MR, .run = query_mr,
	  .attrs = { UV_ATTR_OBJ(UVERBS_ATTR_QUERY_MR_HANDLE, UV_READ, &uv_type_mr),
		     UV_ATTR_OUT(UVERBS_ATTR_QUERY_MR_RESP_LKEY, 4),
		     UV_ATTR_OUT(UVERBS_ATTR_QUERY_MR_RESP_RKEY, 4),
		     UV_ATTR_OUT(UVERBS_ATTR_QUERY_MR_RESP_LENGTH, 8),
		     { UVERBS_ATTR_QUERY_MR_RESP_IOVA, UV_OUT, .min = 8, .max = 8,
		       UV_OPTIONAL } } },
	{ UVERBS_OBJECT_MR, UVERBS_METHOD_REG_DMABUF_MR, .run = reg_dmabuf_mr,
	  .attrs = { UV_ATTR_OBJ(UVERBS_ATTR_REG_DMABUF_MR_HANDLE, UV_NEW, &uv_type_mr),
		     UV_ATTR_OBJ(UVERBS_ATTR_REG_DMABUF_MR_PD_HANDLE, UV_READ, &uv_type_pd),
		     UV_ATTR_IN(UVERBS_ATTR_REG_DMABUF_MR_OFFSET, 8),
		     UV_ATTR_IN(UVERBS_ATTR_REG_DMABUF_MR_LENGTH, 8),
		     UV_ATTR_IN(UVERBS_ATTR_REG_DMABUF_MR_IOVA, 8),
		     UV_ATTR_OPT_FLAGS(UVERBS_ATTR_REG_DMABUF_MR_ACCESS_FLAGS),
		     { UVERBS_ATTR_REG_DMABUF_MR_FD, UV_IN, .min = 4, .max = 4, .is_fd = true },
		     UV_ATTR_OUT(UVERBS_ATTR_REG_DMABUF_MR_RESP_LKEY, 4),
		     UV_ATTR_OUT(UVERBS_ATTR_REG_DMABUF_MR_RESP_RKEY, 4),
		     UV_ATTR_OPT_FLAGS(ATTR_REG_DMABUF_MR_ACCESS_FLAGS) } },
	{ .run = NULL },
};
