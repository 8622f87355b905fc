/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The pages of an mkey. CREATE_MKEY lists them or names a umem; or UMR WQEs list them later.
 */
#include "emu/firmware/mkey.h"

#include <stdlib.h>

#include "emu/firmware/object.h"
#include "emu/firmware/refuse.h"
#include "prm/wqe.h"

enum { LOG_PAGE_MIN = 12, MTTS_PER_OCTWORD = 2 };

/* With pg_access, an entry has access flags in its low bits, and a page may be absent. */
static uint64_t get_listed_page(const void *list, uint32_t i)
{
	const struct prm_create_mkey_in *in = list;
	const uint64_t page =
		prm_get_at(in, klm_pas_mtt, 2 * i) << 32 | prm_get_at(in, klm_pas_mtt, 2 * i + 1);

	if (!prm_get(in, pg_access))
		return page;
	return page & PRM_MTT_READ ? page & ~(uint64_t)(PRM_MTT_READ | PRM_MTT_WRITE)
				   : EMU_DMA_ABSENT;
}

static uint64_t count_pages(const struct prm_mkc *mkc)
{
	const unsigned shift = (unsigned)prm_get(mkc, log_page_size);
	const uint64_t first = prm_get(mkc, start_addr) & ((1ull << shift) - 1);

	return (first + prm_get(mkc, len) + (1ull << shift) - 1) >> shift;
}

uint8_t emu_mkey_check_pages(struct emu *emu, const struct prm_create_mkey_in *in, size_t in_bytes)
{
	const struct prm_mkc *mkc = prm_sub(in, memory_key_mkey_entry);
	const uint64_t start = prm_get(mkc, start_addr), len = prm_get(mkc, len);
	const uint64_t listed = (in_bytes - sizeof(*in)) / sizeof(uint64_t);
	const unsigned shift = (unsigned)prm_get(mkc, log_page_size);
	uint64_t n;

	/* A UMR WQE will set the range and the pages of a free mkey. */
	if (prm_get(mkc, free) && prm_get(mkc, umr_en) && !listed &&
	    prm_get(mkc, translations_octword_size))
		return PRM_STATUS_OK;
	if (prm_get(mkc, length64) || !len || start + len < start)
		return emu_refuse(
			emu, PRM_STATUS_BAD_PARAM, EMU_SYND_SIZE,
			"range of the mkey: invalid (valid: length64 0, len at least 1, no "
			"overflow of start_addr + len)");
	if (shift < LOG_PAGE_MIN)
		return emu_refuse(
			emu, PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE,
			"log_page_size: %u is invalid (valid: at least %u; here it is the log2 of "
			"bytes)",
			shift, LOG_PAGE_MIN);
	n = count_pages(mkc);
	if (!prm_get(mkc, translations_octword_size))
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_MKEY_ZERO_SIZE,
				  "translations_octword_size: 0 is invalid (valid: enough for %llu "
				  "pages)",
				  (unsigned long long)n);
	if (prm_get(mkc, translations_octword_size) * MTTS_PER_OCTWORD < n)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE,
				  "translations_octword_size: room for %llu pages is too small "
				  "(valid: at least %llu)",
				  (unsigned long long)prm_get(mkc, translations_octword_size) *
					  MTTS_PER_OCTWORD,
				  (unsigned long long)n);
	if (prm_get(mkc, free) ? listed != 0 : !prm_get(in, mkey_umem_valid) && listed < n)
		return emu_refuse(
			emu, PRM_STATUS_BAD_INP_LEN, EMU_SYND_PAGE,
			"klm_pas_mtt: lists %llu pages (valid: at least %llu; 0 if free is "
			"1)",
			(unsigned long long)listed, (unsigned long long)n);
	for (uint32_t i = 0; listed && i < n; i++) {
		const uint64_t page = get_listed_page(in, i);

		if (page != EMU_DMA_ABSENT && page & ((1ull << shift) - 1))
			return emu_refuse(
				emu, PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE,
				"klm_pas_mtt: page %u is unaligned (valid: multiples of 1 << "
				"%u bytes)",
				i, shift);
	}
	return PRM_STATUS_OK;
}

/* Makes the mkey a slice of a umem. Its pages may be smaller than those of the umem. */
static uint8_t open_umem(struct emu *emu, uint16_t uid, const struct prm_create_mkey_in *in,
			 struct emu_span *span, struct emu_umem **umem)
{
	const struct prm_mkc *mkc = prm_sub(in, memory_key_mkey_entry);
	struct emu_umem *u = emu_use_field(emu, EMU_UMEM, in, mkey_umem_id, uid);
	const unsigned shift = (unsigned)prm_get(mkc, log_page_size);
	const uint64_t offset = prm_get(in, mkey_umem_offset), len = prm_get(mkc, len);

	if (!u)
		return PRM_STATUS_BAD_RES;
	if (shift > u->span.page_shift || ((offset | u->span.first) & ((1ull << shift) - 1)) ||
	    (prm_get(mkc, start_addr) & ((1ull << shift) - 1)))
		return emu_refuse(
			emu, PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE,
			"log_page_size: %u with mkey_umem_offset 0x%llx is invalid (valid: "
			"up to the umem's %u, range and umem aligned to it)",
			shift, (unsigned long long)offset, u->span.page_shift);
	if (offset > u->span.bytes || len > u->span.bytes - offset)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_UMEM_RANGE,
				  "range of the mkey: 0x%llx bytes at 0x%llx do not fit its umem "
				  "(valid: up to 0x%llx bytes)",
				  (unsigned long long)len, (unsigned long long)offset,
				  (unsigned long long)u->span.bytes);
	if (prm_get(mkc, lw) && !u->span.write)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_UMEM_ACCESS,
				  "lw: is 1, but the device may not write umem 0x%x (valid: a umem "
				  "with local write access)",
				  u->obj.id);
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

	if (emu_span_map(emu, span, &want, get_listed_page, in))
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_HOST,
				  "klm_pas_mtt: the host does not map every page of the mkey");
	return PRM_STATUS_OK;
}

uint8_t emu_mkey_open_pages(struct emu *emu, uint16_t uid, const struct prm_create_mkey_in *in,
			    struct emu_span *span, struct emu_umem **umem)
{
	if (prm_get(prm_sub(in, memory_key_mkey_entry), free))
		return PRM_STATUS_OK;
	return prm_get(in, mkey_umem_valid) ? open_umem(emu, uid, in, span, umem)
					    : open_list(emu, in, span);
}

uint8_t emu_mkey_make_list(struct emu *emu, struct emu_mkey *key, const struct prm_mkc *mkc)
{
	const uint32_t n = (uint32_t)prm_get(mkc, translations_octword_size) * MTTS_PER_OCTWORD;

	if (!prm_get(mkc, umr_en))
		return PRM_STATUS_OK;
	key->list = calloc(n, sizeof(*key->list));
	if (!key->list)
		return emu_refuse_memory(emu);
	key->n_list = n;
	return PRM_STATUS_OK;
}
