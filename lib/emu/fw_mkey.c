/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "emu/fw.h"

enum { MODE_PA = 0, MODE_MTT = 1, ANY_QPN = 0xffffff, LOG_PAGE_MIN = 12, MTTS_PER_OCTWORD = 2 };
/*
 * PRM-MISSING: an mkey lists 2^22 pages at most, 16 GiB of them (a card keeps them in memory that
 * the kernel lent; no capability of the profile says how many)
 */
enum { MAX_OCTWORDS = 1 << 21 };
enum { LOG_PAGE_MAX = 31 }; /* the sixth bit needs the capability umr_log_entity_size_5 */

static uint64_t listed_page(const void *list, uint32_t i)
{
	const struct prm_create_mkey_in *in = list;

	return prm_get_at(in, klm_pas_mtt, 2 * i) << 32 | prm_get_at(in, klm_pas_mtt, 2 * i + 1);
}

static uint64_t n_pages(const struct prm_mkc *mkc)
{
	const unsigned shift = (unsigned)prm_get(mkc, log_page_size);
	const uint64_t first = prm_get(mkc, start_addr) & ((1ull << shift) - 1);

	return (first + prm_get(mkc, len) + (1ull << shift) - 1) >> shift;
}

/*
 * Physical addresses: the kernel's own key over its whole address space.
 * PRM-MISSING: a user context may not have one (kernels alone make them)
 */
static uint8_t check_pa(struct emu *emu, uint16_t uid, const struct prm_mkc *mkc)
{
	if (uid)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_KERNEL_ONLY,
				  "only the kernel (uid 0) has physical addresses");
	if (!prm_get(mkc, length64) || prm_get(mkc, len) || prm_get(mkc, start_addr))
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_SIZE,
				  "a physical mkey is length64 from 0, with len 0");
	return PRM_STATUS_OK;
}

static uint8_t check_mtt(struct emu *emu, const struct prm_create_mkey_in *in, size_t in_bytes)
{
	const struct prm_mkc *mkc = prm_sub(in, memory_key_mkey_entry);
	const uint64_t start = prm_get(mkc, start_addr), len = prm_get(mkc, len);
	const uint64_t listed = (in_bytes - sizeof(*in)) / sizeof(uint64_t);
	const unsigned shift = (unsigned)prm_get(mkc, log_page_size);
	uint64_t n;

	/* a free mkey will get its range, and its pages, by UMR */
	if (prm_get(mkc, free) && prm_get(mkc, umr_en) && !listed &&
	    prm_get(mkc, translations_octword_size))
		return PRM_STATUS_OK;
	if (prm_get(mkc, length64) || !len || start + len < start)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_SIZE,
				  "an mkey of pages has a len that fits behind start_addr");
	if (shift < LOG_PAGE_MIN)
		return emu_refuse(
			emu, PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE,
			"log_page_size %u, in an mkey it is the log of bytes: %u at least", shift,
			LOG_PAGE_MIN);
	n = n_pages(mkc);
	if (!prm_get(mkc, translations_octword_size))
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_MKEY_ZERO_SIZE,
				  "translations_octword_size is 0, the range has %llu pages",
				  (unsigned long long)n);
	if (prm_get(mkc, translations_octword_size) * MTTS_PER_OCTWORD < n)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE,
				  "translations_octword_size holds %llu pages, the range has %llu",
				  (unsigned long long)prm_get(mkc, translations_octword_size) *
					  MTTS_PER_OCTWORD,
				  (unsigned long long)n);
	if (prm_get(mkc, free) ? listed != 0 : !prm_get(in, mkey_umem_valid) && listed < n)
		return emu_refuse(emu, PRM_STATUS_BAD_INP_LEN, EMU_SYND_PAGE,
				  "%llu pages listed, the range has %llu (a free mkey lists none)",
				  (unsigned long long)listed, (unsigned long long)n);
	for (uint32_t i = 0; listed && i < n; i++)
		if (listed_page(in, i) & ((1ull << shift) - 1))
			return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE,
					  "page %u is not aligned to its size, 1 << %u", i, shift);
	return PRM_STATUS_OK;
}

/* The key's pages are the umem's own: same size, a whole number of them in. */
static uint8_t open_umem(struct emu *emu, uint16_t uid, const struct prm_create_mkey_in *in,
			 struct emu_span *span, struct emu_umem **umem)
{
	const struct prm_mkc *mkc = prm_sub(in, memory_key_mkey_entry);
	struct emu_umem *u = emu_use(emu, EMU_UMEM, (uint32_t)prm_get(in, mkey_umem_id), uid);
	const unsigned shift = (unsigned)prm_get(mkc, log_page_size);
	const uint64_t offset = prm_get(in, mkey_umem_offset), len = prm_get(mkc, len);

	if (!u)
		return PRM_STATUS_BAD_RES;
	if (shift > u->span.page_shift || ((offset | u->span.first) & ((1ull << shift) - 1)) ||
	    (prm_get(mkc, start_addr) & ((1ull << shift) - 1)))
		return emu_refuse(
			emu, PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE,
			"log_page_size %u and offset 0x%llx do not fit the umem's pages of 1 << %u",
			shift, (unsigned long long)offset, u->span.page_shift);
	if (offset > u->span.bytes || len > u->span.bytes - offset)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_UMEM_RANGE,
				  "0x%llx bytes at 0x%llx, the umem has 0x%llx",
				  (unsigned long long)len, (unsigned long long)offset,
				  (unsigned long long)u->span.bytes);
	if (prm_get(mkc, lw) && !u->span.write)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_UMEM_ACCESS,
				  "lw on a umem that the device may not write");
	emu_span_slice(span, &u->span, offset, len);
	emu_ref(u);
	*umem = u;
	return PRM_STATUS_OK;
}

static uint8_t open_list(struct emu *emu, const struct prm_create_mkey_in *in,
			 struct emu_span *span)
{
	const struct prm_mkc *mkc = prm_sub(in, memory_key_mkey_entry);
	const unsigned shift = (unsigned)prm_get(mkc, log_page_size);
	const struct emu_span want = {
		.page_shift = (uint8_t)shift,
		.first = prm_get(mkc, start_addr) & ((1ull << shift) - 1),
		.bytes = prm_get(mkc, len),
		.write = prm_get(mkc, lw),
	};

	if (emu_span_map(emu, span, &want, listed_page, in))
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_HOST,
				  "the host does not map all pages of the mkey");
	return PRM_STATUS_OK;
}

static uint8_t check_common(struct emu *emu, uint16_t uid, const struct prm_mkc *mkc,
			    struct emu_pd **pd)
{
	const unsigned mode = (unsigned)prm_get(mkc, access_mode_1_0);

	if (mode != MODE_PA && mode != MODE_MTT)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_TYPE,
				  "access mode %u, there are 0 (physical) and 1 (MTT)", mode);
	if (prm_get(mkc, qpn) != ANY_QPN)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_TYPE,
				  "qpn 0x%x, it is 0xffffff: any queue",
				  (unsigned)prm_get(mkc, qpn));
	if (prm_get(mkc, log_page_size) > LOG_PAGE_MAX)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE,
				  "log_page_size %u, at most %u without umr_log_entity_size_5",
				  (unsigned)prm_get(mkc, log_page_size), LOG_PAGE_MAX);
	if (prm_get(mkc, translations_octword_size) > MAX_OCTWORDS)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_SIZE,
				  "translations_octword_size %u, at most %d",
				  (unsigned)prm_get(mkc, translations_octword_size), MAX_OCTWORDS);
	*pd = emu_use(emu, EMU_PD, (uint32_t)prm_get(mkc, pd), uid);
	return *pd ? PRM_STATUS_OK : PRM_STATUS_BAD_RES;
}

static void fill(struct emu_mkey *key, const struct prm_mkc *mkc)
{
	key->ctx = *mkc;
	key->start_addr = prm_get(mkc, start_addr);
	key->bytes = prm_get(mkc, len);
	key->pd = (uint32_t)prm_get(mkc, pd);
	key->tag = (uint8_t)prm_get(mkc, mkey_7_0);
	key->lr = prm_get(mkc, lr);
	key->lw = prm_get(mkc, lw);
	key->rr = prm_get(mkc, rr);
	key->rw = prm_get(mkc, rw);
	key->free = prm_get(mkc, free);
	key->length64 = prm_get(mkc, length64);
}

EMU_FW(create_mkey)
{
	const struct prm_mkc *mkc = prm_sub(in, memory_key_mkey_entry);
	struct emu_span span = {0};
	struct emu_umem *umem = NULL;
	struct emu_mkey *key;
	struct emu_pd *pd = NULL;
	uint8_t status = check_common(emu, uid, mkc, &pd);

	if (status == PRM_STATUS_OK)
		status = prm_get(mkc, access_mode_1_0) == MODE_PA ? check_pa(emu, uid, mkc)
								  : check_mtt(emu, in, in_bytes);
	if (status == PRM_STATUS_OK && prm_get(mkc, access_mode_1_0) == MODE_MTT &&
	    !prm_get(mkc, free))
		status = prm_get(in, mkey_umem_valid) ? open_umem(emu, uid, in, &span, &umem)
						      : open_list(emu, in, &span);
	if (status != PRM_STATUS_OK)
		return status;
	key = emu_make(emu, EMU_MKEY, uid, sizeof(*key));
	if (!key) {
		emu_buffer_close(&span, &umem);
		return PRM_STATUS_LIM_ERR;
	}
	if (prm_get(mkc, umr_en) && prm_get(mkc, access_mode_1_0) == MODE_MTT) {
		const uint32_t n =
			(uint32_t)prm_get(mkc, translations_octword_size) * MTTS_PER_OCTWORD;

		key->list = calloc(n, sizeof(*key->list));
		if (!key->list) {
			emu_obj_free(emu, &key->obj);
			emu_buffer_close(&span, &umem);
			return emu_refuse(emu, PRM_STATUS_NO_RES_ERR, EMU_SYND_NO_MEMORY,
					  "no memory for a list of %u pages", n);
		}
		key->n_list = n;
	}
	fill(key, mkc);
	key->span = span;
	key->umem = umem;
	emu_ref(pd);
	prm_set(out, mkey_index, key->obj.id);
	return PRM_STATUS_OK;
}

EMU_FW(query_mkey)
{
	const struct emu_mkey *key = emu_use(emu, EMU_MKEY, (uint32_t)prm_get(in, mkey_index), uid);

	if (!key)
		return PRM_STATUS_BAD_RES;
	*prm_sub(out, memory_key_mkey_entry) = key->ctx;
	return PRM_STATUS_OK;
}

void emu_drop_mkey(struct emu *emu, struct emu_obj *obj)
{
	struct emu_mkey *key = (struct emu_mkey *)obj;

	free(key->list);
	emu_buffer_close(&key->span, &key->umem);
	emu_unref(emu_obj_at(&emu->table[EMU_PD], key->pd));
}

EMU_FW(destroy_mkey)
{
	return emu_destroy(emu, EMU_MKEY, (uint32_t)prm_get(in, mkey_index), uid);
}
