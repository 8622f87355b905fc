/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/objects/uar.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "emu/uverbs/base/exec.h"
#include "emu/uverbs/base/front.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/base/mapping.h"
#include "emu/uverbs/base/object.h"
#include "prm/wqe.h"

/*
 * An mmap() offset in pages: bits 7:0 are the low byte of the index, bits 15:8 the command, and
 * bits 16 and up the rest of the index. libmlx5 does not interpret an offset; DPDK interprets only
 * the command.
 * Source: Linux drivers/infiniband/hw/mlx5/main.c, mlx5_entry_to_mmap_offset;
 * mlx5_ib.h, MLX5_IB_MMAP_OFFSET_START.
 */
enum { MMAP_COMMAND = 9, COMMAND_SHIFT = 8, INDEX_SHIFT = 16, INDEX_LOW = 0xff, MAX_INDEX = 4096 };

static uint64_t get_offset(unsigned index)
{
	return ((uint64_t)(index >> 8) << INDEX_SHIFT | MMAP_COMMAND << COMMAND_SHIFT |
		(index & INDEX_LOW)) *
	       PRM_UAR_BYTES;
}

bool uv_uar_combines_writes(const struct uv_dev *dev)
{
	return prm_get(&dev->general, bf) && !uv_front.shared->no_write_combining;
}

uint64_t uv_uar_get_offset(const struct uv_uar *u)
{
	return get_offset(u->index);
}

/* Reserves the lowest index that no UAR has and whose page the user no longer maps. */
static int take_index(struct uv_file *f, unsigned *index)
{
	if (!f->uar_map)
		f->uar_map = calloc(MAX_INDEX / 64, sizeof(*f->uar_map));
	if (!f->uar_map)
		return -ENOMEM;
	for (unsigned i = 0; i < MAX_INDEX; i++) {
		if (f->uar_map[i / 64] >> i % 64 & 1 || uv_mapping_has_offset(f, get_offset(i)))
			continue;
		*index = i;
		f->uar_map[i / 64] |= 1ull << i % 64;
		return 0;
	}
	return -ENOMEM;
}

/*
 * Destroys the object even if firmware refuses DEALLOC_UAR because a queue uses the UAR, as Linux
 * does. Afterwards nobody can free that UAR or destroy its user context; the page stays mapped and
 * the index stays reserved.
 */
static int uar_free(struct uv_obj *obj)
{
	struct uv_uar *u = (struct uv_uar *)obj;
	struct uv_dev *dev = obj->file->dev;
	struct prm_dealloc_uar_in in = { 0 };
	struct prm_dealloc_uar_out out = { 0 };

	if (u->made) {
		prm_set(&in, opcode, PRM_OP_dealloc_uar);
		prm_set(&in, uid, obj->file->uid);
		prm_set(&in, uar, u->page_id);
		if (UV_EXEC(dev, in, out))
			return 0;
	}
	if (u->page) {
		/* the next UAR with this index starts with a zeroed page */
		memset(u->page, 0, PRM_UAR_BYTES);
		uv_real_munmap(u->page, PRM_UAR_BYTES);
	}
	obj->file->uar_map[u->index / 64] &= ~(1ull << u->index % 64);
	return 0;
}

/* Source: Linux drivers/infiniband/core/uverbs_main.c, uverbs_user_mmap_disassociate. */
static void take_page(const struct uv_obj *obj)
{
	const struct uv_uar *u = (const struct uv_uar *)obj;

	if (u->made)
		emu_uar_attach(obj->file->dev->emu, u->page_id, NULL);
}

const struct uv_type uv_type_uar = { "UAR", uar_free, take_page, true };

static int make_uar(struct uv_uar *u, int fd)
{
	struct prm_alloc_uar_in in = { 0 };
	struct prm_alloc_uar_out out = { 0 };
	struct uv_file *file = u->obj.file;
	int rc;

	u->page = uv_real_mmap(NULL, PRM_UAR_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			       (off_t)uv_uar_get_offset(u));
	if (u->page == MAP_FAILED) {
		u->page = NULL;
		return -ENOMEM;
	}
	prm_set(&in, opcode, PRM_OP_alloc_uar);
	prm_set(&in, uid, file->uid);
	rc = UV_EXEC(file->dev, in, out);
	if (rc)
		return rc;
	u->made = true;
	u->page_id = (uint32_t)prm_get(&out, uar);
	emu_uar_attach(file->dev->emu, u->page_id, u->page);
	return 0;
}

int uv_uar_create(struct uv_file *file, int fd, struct uv_uar **uar)
{
	struct uv_uar *u;
	unsigned index;
	int rc = take_index(file, &index);

	if (rc)
		return rc;
	u = uv_obj_alloc(file, &uv_type_uar, sizeof(*u));
	if (!u) {
		file->uar_map[index / 64] &= ~(1ull << index % 64);
		return -ENOMEM;
	}
	u->index = index;
	rc = make_uar(u, fd);
	if (rc) {
		uv_obj_destroy(&u->obj);
		return rc;
	}
	*uar = u;
	return 0;
}

/* Source: Linux drivers/infiniband/core/ib_core_uverbs.c, rdma_user_mmap_io. */
int uv_uar_check_map(const struct uv_file *file, uint64_t off, size_t bytes, int flags)
{
	const struct uv_obj *o = file->ready ? file->newest : NULL;

	while (o && (o->type != &uv_type_uar || uv_uar_get_offset((const struct uv_uar *)o) != off))
		o = o->older;
	if (!o || (flags & MAP_TYPE) == MAP_PRIVATE || bytes > PRM_UAR_BYTES)
		return -EINVAL;
	return 0;
}
