/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/objects/mr.h"

#include <errno.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <stdlib.h>

#include "emu/uverbs/base/exec.h"
#include "emu/uverbs/base/object.h"
#include "emu/uverbs/memory/page_size.h"

enum {
	LKEY_TAG_BITS = 8,
	WRITABLE = IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE |
		   IB_UVERBS_ACCESS_REMOTE_ATOMIC | IB_UVERBS_ACCESS_MW_BIND,
	NEEDS_LOCAL_WRITE = IB_UVERBS_ACCESS_REMOTE_WRITE | IB_UVERBS_ACCESS_REMOTE_ATOMIC,
	FLUSH = 1 << 8 | 1 << 9, /* Linux 6.2: IB_ACCESS_FLUSH_GLOBAL, IB_ACCESS_FLUSH_PERSISTENT */
	NO_CAP = IB_UVERBS_ACCESS_ON_DEMAND | FLUSH,
	SUPPORTED = NO_CAP | WRITABLE | IB_UVERBS_ACCESS_REMOTE_READ | IB_UVERBS_ACCESS_ZERO_BASED |
		    IB_UVERBS_ACCESS_HUGETLB | IB_UVERBS_ACCESS_OPTIONAL_RANGE,
};

int uv_mr_check_access(uint32_t access)
{
	if (access & ~(uint32_t)SUPPORTED)
		return -EINVAL;
	if ((access & NEEDS_LOCAL_WRITE) && !(access & IB_UVERBS_ACCESS_LOCAL_WRITE))
		return -EINVAL;
	return access & NO_CAP ? -EOPNOTSUPP : 0;
}

bool uv_mr_is_writable(uint32_t access)
{
	return access & WRITABLE;
}

static void fill_mkc(struct uv_dev *dev, struct prm_mkc *mkc, const struct uv_mr *mr, uint8_t tag)
{
	const bool relaxed = mr->access & IB_UVERBS_ACCESS_RELAXED_ORDERING;

	prm_set(mkc, access_mode_1_0, PRM_MKC_ACCESS_MODE_MTT);
	prm_set(mkc, lr, 1);
	prm_set(mkc, lw, !!(mr->access & IB_UVERBS_ACCESS_LOCAL_WRITE));
	prm_set(mkc, rr, !!(mr->access & IB_UVERBS_ACCESS_REMOTE_READ));
	prm_set(mkc, rw, !!(mr->access & IB_UVERBS_ACCESS_REMOTE_WRITE));
	prm_set(mkc, relaxed_ordering_write,
		relaxed && prm_get(&dev->general, relaxed_ordering_write));
	prm_set(mkc, relaxed_ordering_read,
		relaxed && prm_get(&dev->general, relaxed_ordering_read_pci_enabled));
	prm_set(mkc, qpn, PRM_MKC_QPN_ANY);
	prm_set(mkc, mkey_7_0, tag);
	prm_set(mkc, pd, mr->pd->pdn);
	prm_set(mkc, start_addr, mr->access & IB_UVERBS_ACCESS_ZERO_BASED ? 0 : mr->iova);
	prm_set(mkc, len, mr->bytes);
}

/* An octword is 16 bytes: two page addresses. */
int uv_mr_make_key(struct uv_mr *mr)
{
	struct uv_dev *dev = mr->obj.file->dev;
	static uint8_t next_tag; /* protected by uv_front_lock() */
	const uint64_t page = uv_choose_mr_page(mr->pin.addr, mr->bytes, mr->iova);
	const uint64_t n = page ? uv_count_pages(mr->pin.addr, mr->bytes, page) : 0,
		       octwords = (n + 1) / 2;
	const size_t in_bytes = sizeof(struct prm_create_mkey_in) + octwords * 2 * sizeof(prm_be64);
	struct prm_create_mkey_out out = { 0 };
	struct prm_create_mkey_in *in;
	struct prm_mkc *mkc;
	prm_be64 *pas;
	int rc;

	if (!page)
		return -EINVAL;
	in = calloc(1, in_bytes);
	if (!in)
		return -ENOMEM;
	mkc = prm_sub(in, memory_key_mkey_entry);
	pas = (prm_be64 *)(in + 1);
	prm_set(in, opcode, PRM_OP_create_mkey);
	prm_set(in, translations_octword_actual_size, octwords);
	fill_mkc(dev, mkc, mr, ++next_tag);
	prm_set(mkc, translations_octword_size, octwords);
	prm_set(mkc, log_page_size, (unsigned)__builtin_ctzll(page));
	for (uint64_t i = 0; i < n; i++)
		pas[i] = prm_be64_of((mr->pin.addr & ~(page - 1)) + i * page);
	rc = uv_exec_kernel(dev, in, in_bytes, &out, sizeof(out));
	free(in);
	if (rc)
		return rc;
	mr->has_key = true;
	mr->index = (uint32_t)prm_get(&out, mkey_index);
	mr->lkey = mr->index << LKEY_TAG_BITS | next_tag;
	return 0;
}

static int drop_mkey(struct uv_dev *dev, struct uv_mr *mr)
{
	struct prm_destroy_mkey_in in = { 0 };
	struct prm_destroy_mkey_out out = { 0 };
	int rc;

	if (!mr->has_key)
		return 0;
	prm_set(&in, opcode, PRM_OP_destroy_mkey);
	prm_set(&in, mkey_index, mr->index);
	rc = UV_EXEC(dev, in, out);
	if (!rc)
		mr->has_key = false;
	return rc;
}

static int mr_free(struct uv_obj *obj)
{
	struct uv_mr *mr = (struct uv_mr *)obj;
	const int rc = drop_mkey(obj->file->dev, mr);

	if (rc)
		return rc;
	uv_pin_release(obj->file->dev, &mr->pin);
	if (mr->pd)
		mr->pd->obj.users--;
	return 0;
}

const struct uv_type uv_type_mr = { "MR", mr_free };

struct uv_mr *uv_mr_alloc(struct uv_file *file, struct uv_pd *pd, uint64_t iova, uint64_t bytes,
			  uint32_t access)
{
	struct uv_mr *mr = uv_obj_alloc(file, &uv_type_mr, sizeof(*mr));

	if (mr) {
		mr->pd = pd;
		mr->pd->obj.users++;
		mr->iova = iova;
		mr->bytes = bytes;
		mr->access = access;
	}
	return mr;
}

int uv_mr_pin(struct uv_mr *mr, uint64_t start)
{
	return uv_pin_range(mr->obj.file->dev, &mr->pin, start, mr->bytes,
			    uv_mr_is_writable(mr->access));
}

int uv_mr_replace(struct uv_mr *mr, struct uv_mr *fresh)
{
	struct uv_dev *dev = mr->obj.file->dev;
	const int rc = drop_mkey(dev, mr);

	if (rc)
		return rc;
	uv_pin_release(dev, &mr->pin);
	uv_pin_move(dev, &mr->pin, &fresh->pin);
	mr->pd->obj.users--;
	mr->pd = fresh->pd; /* uv_mr_alloc() has incremented its users */
	mr->iova = fresh->iova;
	mr->bytes = fresh->bytes;
	mr->access = fresh->access;
	mr->has_key = true;
	mr->index = fresh->index;
	mr->lkey = fresh->lkey;
	uv_obj_free(&fresh->obj);
	return 0;
}
