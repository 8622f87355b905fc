/* SPDX-License-Identifier: BSD-3-Clause
 *
 * UARs: pages of doorbell registers. The user maps them from the uverbs file; the engine
 * watches the same page through a mapping of ours.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "emu/uverbs/methods/methods.h"
#include "emu/uverbs/base/libc.h"
#include "prm/wqe.h"

/*
 * mmap offsets, in pages: low byte of the index, command, rest of the index. libmlx5 and
 * DPDK only carry them, but DPDK looks at the command.
 * Source: Linux drivers/infiniband/hw/mlx5/main.c, mlx5_entry_to_mmap_offset;
 * mlx5_ib.h, MLX5_IB_MMAP_OFFSET_START.
 */
enum { MMAP_COMMAND = 9, COMMAND_SHIFT = 8, INDEX_SHIFT = 16, INDEX_LOW = 0xff, MAX_INDEX = 4096 };

/** struct uv_uar - a UAR */
struct uv_uar {
	struct uv_obj obj;
	unsigned index;
	uint32_t page_id;
	bool made;
	void *page;
};

static uint64_t mmap_offset(unsigned index)
{
	return ((uint64_t)(index >> 8) << INDEX_SHIFT | MMAP_COMMAND << COMMAND_SHIFT |
		(index & INDEX_LOW)) * PRM_UAR_BYTES;
}

static int index_get(struct uv_file *f, unsigned *index)
{
	if (!f->uar_map)
		f->uar_map = calloc(MAX_INDEX / 64, sizeof(*f->uar_map));
	if (!f->uar_map)
		return -ENOMEM;
	for (unsigned i = 0; i < MAX_INDEX / 64; i++) {
		if (f->uar_map[i] == UINT64_MAX)
			continue;
		*index = i * 64 + (unsigned)__builtin_ctzll(~f->uar_map[i]);
		f->uar_map[i] |= 1ull << *index % 64;
		return 0;
	}
	return -ENOMEM;
}

/*
 * Linux gives its UAR up even where firmware keeps it, because a queue uses it: nobody can
 * free it then, and it holds the user context. The page stays ours and the slot taken.
 */
static int uar_free(struct uv_obj *obj)
{
	struct uv_uar *u = (struct uv_uar *)obj;
	struct uv_dev *dev = obj->file->dev;
	struct prm_dealloc_uar_in in = {0};
	struct prm_dealloc_uar_out out = {0};

	if (u->made) {
		prm_set(&in, opcode, PRM_OP_dealloc_uar);
		prm_set(&in, uid, obj->file->uid);
		prm_set(&in, uar, u->page_id);
		if (UV_EXEC(dev, in, out))
			return 0;
	}
	if (u->page) {
		/* the next owner of the slot gets a fresh page */
		memset(u->page, 0, PRM_UAR_BYTES);
		munmap(u->page, PRM_UAR_BYTES);
	}
	obj->file->uar_map[u->index / 64] &= ~(1ull << u->index % 64);
	return 0;
}

const struct uv_type uv_type_uar = { "UAR", uar_free };

static int make(struct uv_call *c, struct uv_uar *u)
{
	struct prm_alloc_uar_in in = {0};
	struct prm_alloc_uar_out out = {0};
	int rc;

	u->page = uv_real_mmap(NULL, PRM_UAR_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, c->fd,
			       (off_t)mmap_offset(u->index));
	if (u->page == MAP_FAILED) {
		u->page = NULL;
		return -ENOMEM;
	}
	prm_set(&in, opcode, PRM_OP_alloc_uar);
	prm_set(&in, uid, c->file->uid);
	rc = UV_EXEC(c->dev, in, out);
	if (rc)
		return rc;
	u->made = true;
	u->page_id = (uint32_t)prm_get(&out, uar);
	emu_uar_attach(c->dev->emu, u->page_id, u->page);
	return 0;
}

static int out_uar(struct uv_call *c, const struct uv_uar *u)
{
	const uint64_t offset = mmap_offset(u->index);
	const uint32_t bytes = PRM_UAR_BYTES;
	int rc = uv_out(c, MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET, &offset, sizeof(offset));

	if (!rc)
		rc = uv_out(c, MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_LENGTH, &bytes, sizeof(bytes));
	if (!rc)
		rc = uv_out(c, MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID, &u->page_id, sizeof(u->page_id));
	return rc;
}

static int uar_alloc(struct uv_call *c)
{
	const uint64_t type = uv_num(c, MLX5_IB_ATTR_UAR_OBJ_ALLOC_TYPE, 0);
	struct uv_uar *u;
	unsigned index;
	int rc;

	if (type > UINT32_MAX)
		return -EINVAL;
	if (type != MLX5_IB_UAPI_UAR_ALLOC_TYPE_BF && type != MLX5_IB_UAPI_UAR_ALLOC_TYPE_NC)
		return -EOPNOTSUPP;
	rc = index_get(c->file, &index);
	if (rc)
		return rc;
	u = uv_obj_new(c->file, &uv_type_uar, sizeof(*u));
	if (!u) {
		c->file->uar_map[index / 64] &= ~(1ull << index % 64);
		return -ENOMEM;
	}
	u->index = index;
	rc = make(c, u);
	if (!rc)
		rc = out_uar(c, u);
	if (rc) {
		uv_obj_destroy(&u->obj);
		return rc;
	}
	return uv_publish(c, MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE, &u->obj);
}

const struct uv_method uv_methods_uar[] = {
	{ MLX5_IB_OBJECT_UAR, MLX5_IB_METHOD_UAR_OBJ_ALLOC, .run = uar_alloc, .attrs = {
		UV_ATTR_OBJ(MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE, UV_NEW, &uv_type_uar),
		UV_ATTR_CONST(MLX5_IB_ATTR_UAR_OBJ_ALLOC_TYPE),
		UV_ATTR_OUT(MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET, 8),
		UV_ATTR_OUT(MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_LENGTH, 4),
		UV_ATTR_OUT(MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID, 4) } },
	{ MLX5_IB_OBJECT_UAR, MLX5_IB_METHOD_UAR_OBJ_DESTROY, .run = uv_done, .attrs = {
		UV_ATTR_OBJ(MLX5_IB_ATTR_UAR_OBJ_DESTROY_HANDLE, UV_DESTROY, &uv_type_uar) } },
	{ .run = NULL },
};
