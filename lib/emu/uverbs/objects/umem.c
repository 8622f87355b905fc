/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/objects/umem.h"

#include <errno.h>
#include <stdlib.h>

#include "emu/uverbs/base/exec.h"
#include "emu/uverbs/memory/page_size.h"

static int umem_free(struct uv_obj *obj)
{
	struct uv_umem *u = (struct uv_umem *)obj;
	struct prm_destroy_umem_in in = { 0 };
	struct prm_destroy_umem_out out = { 0 };

	if (u->made) {
		prm_set(&in, opcode, PRM_OP_destroy_umem);
		prm_set(&in, uid, obj->file->uid);
		prm_set(&in, umem_id, u->id);
		const int rc = UV_EXEC(obj->file->dev, in, out);

		if (rc)
			return rc;
		u->made = false;
	}
	uv_pin_release(obj->file->dev, &u->pin);
	return 0;
}

const struct uv_type uv_type_umem = { "umem", umem_free };

int uv_umem_make(struct uv_umem *u, uint64_t page)
{
	const uint64_t n = uv_count_pages(u->pin.addr, u->pin.bytes, page);
	const size_t in_bytes = sizeof(struct prm_create_umem_in) + n * sizeof(struct prm_mtt);
	struct prm_create_umem_out out = { 0 };
	struct prm_create_umem_in *in;
	struct prm_umem *ctx;
	int rc;

	if (n >
	    prm_count(
		    ctx,
		    mtt)) /* a limit of emu: Linux leaves it to the device, and the PRM has none */
		return -ENOMEM;
	in = calloc(1, in_bytes);
	if (!in)
		return -ENOMEM;
	ctx = prm_sub(in, umem);
	prm_set(in, opcode, PRM_OP_create_umem);
	prm_set(in, uid, u->obj.file->uid);
	prm_set(ctx, num_of_mtt, n);
	prm_set(ctx, log_page_size, (unsigned)__builtin_ctzll(page) - UV_ADAPTER_PAGE_SHIFT);
	prm_set(ctx, page_offset, u->pin.addr % page);
	for (uint64_t i = 0; i < n; i++) {
		const uint64_t dma = (u->pin.addr & ~(page - 1)) + i * page;
		struct prm_mtt *mtt = prm_sub_at(ctx, mtt, i);

		prm_set(mtt, ptag_63_32, dma >> 32);
		prm_set(mtt, ptag_31_8, (uint32_t)dma >> 8);
		prm_set(mtt, rd_en, 1);
		prm_set(mtt, wr_en, u->pin.write);
	}
	rc = uv_exec_kernel(u->obj.file->dev, in, in_bytes, &out, sizeof(out));
	free(in);
	u->made = !rc;
	u->id = (uint32_t)prm_get(&out, umem_id);
	return rc;
}
