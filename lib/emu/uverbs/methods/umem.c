/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DEVX umems: memory for queues.
 */
#include <errno.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <stdlib.h>

#include "emu/uverbs/memory/pin.h"
#include "emu/uverbs/methods/methods.h"

enum { ADAPTER_PAGE_SHIFT = 12 };

/** struct uv_umem - a DEVX umem */
struct uv_umem {
	struct uv_obj obj;
	struct uv_pin pin;
	bool made;
	uint32_t id;
};

static int umem_free(struct uv_obj *obj)
{
	struct uv_umem *u = (struct uv_umem *)obj;
	struct prm_destroy_umem_in in = {0};
	struct prm_destroy_umem_out out = {0};

	if (u->made) {
		prm_set(&in, opcode, PRM_OP_destroy_umem);
		prm_set(&in, uid, obj->file->uid);
		prm_set(&in, umem_id, u->id);
		const int rc = UV_EXEC(obj->file->dev, in, out);

		if (rc)
			return rc;
		u->made = false;
	}
	uv_unpin(obj->file->dev, &u->pin);
	return 0;
}

const struct uv_type uv_type_umem = { "umem", umem_free };

static int make(struct uv_umem *u, uint64_t page)
{
	const uint64_t n = uv_pages(u->pin.addr, u->pin.bytes, page);
	const size_t in_bytes = sizeof(struct prm_create_umem_in) + n * sizeof(struct prm_mtt);
	struct prm_create_umem_in *in = calloc(1, in_bytes);
	struct prm_create_umem_out out = {0};
	struct prm_umem *ctx;
	int rc;

	if (!in)
		return -ENOMEM;
	ctx = prm_sub(in, umem);
	prm_set(in, opcode, PRM_OP_create_umem);
	prm_set(in, uid, u->obj.file->uid);
	prm_set(ctx, num_of_mtt, n);
	prm_set(ctx, log_page_size, (unsigned)__builtin_ctzll(page) - ADAPTER_PAGE_SHIFT);
	prm_set(ctx, page_offset, u->pin.addr % page);
	for (uint64_t i = 0; i < n; i++) {
		const uint64_t dma = (u->pin.addr & ~(page - 1)) + i * page;
		struct prm_mtt *mtt = prm_sub_at(ctx, mtt, i);

		prm_set(mtt, ptag_63_32, dma >> 32);
		prm_set(mtt, ptag_31_8, (uint32_t)dma >> 8);
		prm_set(mtt, rd_en, 1);
		prm_set(mtt, wr_en, u->pin.write);
	}
	rc = uv_exec(u->obj.file->dev, in, in_bytes, &out, sizeof(out));
	free(in);
	u->made = !rc;
	u->id = (uint32_t)prm_get(&out, umem_id);
	return rc;
}

static int pin(struct uv_call *c, struct uv_umem *u, uint64_t access)
{
	const uint64_t addr = uv_num(c, MLX5_IB_ATTR_DEVX_UMEM_REG_ADDR, 0);
	const uint64_t bytes = uv_num(c, MLX5_IB_ATTR_DEVX_UMEM_REG_LEN, 0);
	const bool write = access & (IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE);
	const struct uv_attr *dmabuf = uv_attr(c, MLX5_IB_ATTR_DEVX_UMEM_REG_DMABUF_FD);

	if (dmabuf)
		return uv_pin_dmabuf(c->dev, &u->pin, (int)dmabuf->value, addr, bytes, write);
	return uv_pin(c->dev, &u->pin, addr, bytes, write);
}

static int umem_reg(struct uv_call *c)
{
	/* without a bitmap the user promises to use no offsets: any page size will do */
	const uint64_t bitmap = uv_num(c, MLX5_IB_ATTR_DEVX_UMEM_REG_PGSZ_BITMAP,
				       ~(uint64_t)((1 << ADAPTER_PAGE_SHIFT) - 1));
	struct uv_umem *u;
	uint64_t access, page;
	int rc = uv_flags(c, MLX5_IB_ATTR_DEVX_UMEM_REG_ACCESS,
			  IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE |
			  IB_UVERBS_ACCESS_REMOTE_READ | IB_UVERBS_ACCESS_RELAXED_ORDERING,
			  &access);

	if (!c->file->uid || rc)
		return -EINVAL;
	if (access & IB_UVERBS_ACCESS_REMOTE_WRITE && !(access & IB_UVERBS_ACCESS_LOCAL_WRITE))
		return -EINVAL;
	u = uv_obj_new(c->file, &uv_type_umem, sizeof(*u));
	if (!u)
		return -ENOMEM;
	rc = pin(c, u, access);
	if (!rc) {
		page = uv_umem_page(u->pin.addr, u->pin.bytes, bitmap);
		rc = page ? make(u, page) : -EINVAL;
	}
	if (!rc)
		rc = uv_out(c, MLX5_IB_ATTR_DEVX_UMEM_REG_OUT_ID, &u->id, sizeof(u->id));
	if (rc) {
		uv_obj_destroy(&u->obj);
		return rc;
	}
	return uv_publish(c, MLX5_IB_ATTR_DEVX_UMEM_REG_HANDLE, &u->obj);
}

const struct uv_method uv_methods_umem[] = {
	{ MLX5_IB_OBJECT_DEVX_UMEM, MLX5_IB_METHOD_DEVX_UMEM_REG, .run = umem_reg, .attrs = {
		UV_ATTR_OBJ(MLX5_IB_ATTR_DEVX_UMEM_REG_HANDLE, UV_NEW, &uv_type_umem),
		UV_ATTR_IN(MLX5_IB_ATTR_DEVX_UMEM_REG_ADDR, 8),
		UV_ATTR_IN(MLX5_IB_ATTR_DEVX_UMEM_REG_LEN, 8),
		UV_ATTR_OPT_FLAGS(MLX5_IB_ATTR_DEVX_UMEM_REG_ACCESS),
		{ MLX5_IB_ATTR_DEVX_UMEM_REG_DMABUF_FD, UV_RAW_FD, UV_OPTIONAL },
		UV_ATTR_OPT_CONST(MLX5_IB_ATTR_DEVX_UMEM_REG_PGSZ_BITMAP),
		UV_ATTR_OUT(MLX5_IB_ATTR_DEVX_UMEM_REG_OUT_ID, 4) } },
	{ MLX5_IB_OBJECT_DEVX_UMEM, MLX5_IB_METHOD_DEVX_UMEM_DEREG, .run = uv_done, .attrs = {
		UV_ATTR_OBJ(MLX5_IB_ATTR_DEVX_UMEM_DEREG_HANDLE, UV_DESTROY, &uv_type_umem) } },
	{ .run = NULL },
};
