/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "devx/cmd.h"
#include "devx/core/fail.h"
#include "devx/mkey.h"
#include "prm/klm.h"
#include "prm/prm.h"

enum { LOG2_FIXED_MIN = 12, LOG2_FIXED_MAX = 31, LIST_ALIGN = 4 };

/* struct list - the input of CREATE_MKEY with its list */
struct list {
	struct prm_create_mkey_in *in;
	size_t bytes;
	struct prm_klm *klm; /* the entries; zeroes pad them to a multiple of LIST_ALIGN */
};

static int validate_list(struct devx_dev *dev, size_t n, size_t n_heads)
{
	const size_t device = (size_t)1 << dev->caps.log_max_klm_list_size;
	const size_t max = (device < DEVX_MKEY_PIECES_MAX ? device : DEVX_MKEY_PIECES_MAX);

	if (!dev->caps.max_indirection)
		return devx_fail(dev, -ENOTSUP,
				 "indirect mkey: unsupported (capability max_indirection is 0)");
	if (!n || n > max - n_heads)
		return devx_fail(dev, -EINVAL,
				 "indirect mkey: %zu pieces are invalid (valid: 1 to %zu)", n,
				 max - n_heads);
	return 0;
}

static int fail_range(struct devx_dev *dev, uint64_t addr, uint64_t bytes)
{
	return devx_fail(dev, -EINVAL,
			 "indirect mkey: %llu bytes at %#llx wrap at 2^64; choose a lower address",
			 (unsigned long long)bytes, (unsigned long long)addr);
}

/* Allocates room for @n_more entries beyond those that the command counts. */
static int make_list(struct list *list, struct devx_dev *dev, unsigned mode, size_t n,
		     size_t n_more)
{
	/* Linux pads a list in the same way (drivers/vdpa/mlx5/core/mr.c). */
	const size_t padded = (n + LIST_ALIGN - 1) / LIST_ALIGN * LIST_ALIGN;
	struct prm_mkc *mkc;

	list->bytes = sizeof(*list->in) + (padded + n_more) * PRM_KLM_BYTES;
	list->in = calloc(1, list->bytes);
	if (!list->in)
		return devx_fail_sys(dev, ENOMEM, "indirect mkey: cannot allocate %zu bytes",
				     list->bytes);
	list->klm = (struct prm_klm *)(list->in + 1);
	mkc = prm_sub(list->in, memory_key_mkey_entry);
	prm_set(list->in, opcode, PRM_OP_create_mkey);
	prm_set(list->in, translations_octword_actual_size, padded);
	prm_set(mkc, translations_octword_size, padded);
	prm_set(mkc, access_mode_1_0, mode);
	prm_set(mkc, lr, 1);
	prm_set(mkc, lw, 1);
	prm_set(mkc, relaxed_ordering_write, dev->caps.mkc_order_write_after_write_ro_only);
	prm_set(mkc, qpn, PRM_MKC_QPN_ANY);
	prm_set(mkc, pd, dev->pdn);
	return 0;
}

/* Frees the list, even on failure. */
static int send_list(struct devx_mkey *mkey, struct devx_dev *dev, struct list *list, uint64_t addr,
		     uint64_t bytes)
{
	struct prm_mkc *mkc = prm_sub(list->in, memory_key_mkey_entry);
	struct prm_create_mkey_out out = { 0 };
	int rc;

	prm_set(mkc, start_addr, addr);
	prm_set(mkc, len, bytes);
	rc = devx_cmd_create(dev, list->in, list->bytes, &out, sizeof(out), &mkey->obj);
	free(list->in);
	if (rc)
		return rc;
	mkey->dev = dev;
	mkey->addr = addr;
	mkey->bytes = bytes;
	mkey->lkey = (uint32_t)prm_get(&out, mkey_index) << 8; /* mkey_7_0 is 0 */
	return 0;
}

int devx_mkey_create_list(struct devx_mkey *mkey, struct devx_dev *dev, uint64_t addr,
			  const struct devx_mkey_piece *pieces, size_t n)
{
	struct list list;
	uint64_t bytes = 0;
	int rc = validate_list(dev, n, 0);

	for (size_t i = 0; !rc && i < n; i++) {
		if (!pieces[i].bytes || pieces[i].bytes > DEVX_MKEY_PIECE_BYTES_MAX)
			rc = devx_fail(dev, -EINVAL,
				       "indirect mkey: piece %zu has %u bytes (valid: 1 to %u)", i,
				       pieces[i].bytes, DEVX_MKEY_PIECE_BYTES_MAX);
		bytes += pieces[i].bytes;
	}
	if (!rc && addr + bytes < addr)
		rc = fail_range(dev, addr, bytes);
	if (!rc)
		rc = make_list(&list, dev, PRM_MKC_ACCESS_MODE_KLMS, n, 0);
	if (rc)
		return rc;
	for (size_t i = 0; i < n; i++)
		list.klm[i] =
			(struct prm_klm){ prm_be32_of(pieces[i].bytes), prm_be32_of(pieces[i].lkey),
					  prm_be64_of(pieces[i].addr) };
	return send_list(mkey, dev, &list, addr, bytes);
}

int devx_mkey_create_fixed(struct devx_mkey *mkey, struct devx_dev *dev, uint64_t addr,
			   unsigned log2_bytes, const struct devx_mkey_piece *pieces, size_t n)
{
	struct list list;
	int rc = validate_list(dev, n, 0);

	if (rc)
		return rc;
	if (!dev->caps.fixed_buffer_size)
		return devx_fail(dev, -ENOTSUP,
				 "indirect mkey: pieces of a fixed length are unsupported "
				 "(capability fixed_buffer_size is 0)");
	if (log2_bytes < LOG2_FIXED_MIN || log2_bytes > LOG2_FIXED_MAX ||
	    addr & ((1ull << log2_bytes) - 1))
		return devx_fail(dev, -EINVAL,
				 "indirect mkey: pieces of 2^%u bytes at address %#llx are invalid "
				 "(valid: 2^%d to 2^%d, with the address aligned to them)",
				 log2_bytes, (unsigned long long)addr, LOG2_FIXED_MIN,
				 LOG2_FIXED_MAX);
	for (size_t i = 0; i < n; i++)
		if (pieces[i].bytes)
			return devx_fail(dev, -EINVAL,
					 "indirect mkey: piece %zu has %u bytes (valid: 0; "
					 "log2_bytes is the length of every piece)",
					 i, pieces[i].bytes);
	if (addr + ((uint64_t)n << log2_bytes) < addr)
		return fail_range(dev, addr, (uint64_t)n << log2_bytes);
	rc = make_list(&list, dev, PRM_MKC_ACCESS_MODE_KSM, n, 0);
	if (rc)
		return rc;
	prm_set(prm_sub(list.in, memory_key_mkey_entry), log_page_size, log2_bytes);
	for (size_t i = 0; i < n; i++)
		list.klm[i] = (struct prm_klm){ .key = prm_be32_of(pieces[i].lkey),
						.addr = prm_be64_of(pieces[i].addr) };
	return send_list(mkey, dev, &list, addr, (uint64_t)n << log2_bytes);
}

static void write_strides(struct prm_klm *to, uint32_t cycle_bytes, uint32_t cycles,
			  const struct devx_mkey_stride *strides, size_t n)
{
	const struct prm_stride_block head = { .cycle_bytes = prm_be32_of(cycle_bytes),
					       .op = prm_be32_of(PRM_STRIDE_BLOCK_OP),
					       .repeat_count = prm_be32_of(cycles),
					       .n_entries = prm_be16_of((uint16_t)n) };

	memcpy(to, &head, sizeof(head));
	for (size_t i = 0; i < n; i++) {
		const struct prm_stride_entry e = {
			.stride = prm_be16_of(strides[i].stride),
			.byte_count = prm_be16_of(strides[i].bytes),
			.key = prm_be32_of(strides[i].lkey),
			.addr = prm_be64_of(strides[i].addr),
		};

		memcpy(to + 1 + i, &e, sizeof(e));
	}
}

int devx_mkey_create_strided(struct devx_mkey *mkey, struct devx_dev *dev, uint64_t addr,
			     uint32_t cycles, const struct devx_mkey_stride *strides, size_t n)
{
	struct list list;
	uint64_t cycle = 0;
	int rc = validate_list(dev, n, 1);

	for (size_t i = 0; !rc && i < n; i++) {
		if (!strides[i].bytes)
			rc = devx_fail(dev, -EINVAL,
				       "strided mkey: piece %zu has 0 bytes (valid: at least 1)",
				       i);
		cycle += strides[i].bytes;
	}
	if (!rc && !cycles)
		rc = devx_fail(dev, -EINVAL, "strided mkey: 0 cycles (valid: at least 1)");
	if (!rc && addr + cycle * cycles < addr)
		rc = fail_range(dev, addr, cycle * cycles);
	/* One entry more than the mailbox announces, as in libdpcp, which runs on adapters. */
	if (!rc)
		rc = make_list(&list, dev, PRM_MKC_ACCESS_MODE_KLMS, n + 1, 1);
	if (rc)
		return rc;
	write_strides(list.klm, (uint32_t)cycle, cycles, strides, n);
	return send_list(mkey, dev, &list, addr, cycle * cycles);
}

void devx_mkey_destroy(struct devx_mkey *mkey)
{
	devx_cmd_destroy(mkey->dev, mkey->obj);
	*mkey = (struct devx_mkey){ 0 };
}
