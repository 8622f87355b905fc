/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/base/mkey.h"
#include "emu/firmware/cmd.h"

enum { LOG_PAGE_MAX = 40 }; /* 1 TiB, more than a host maps in one piece */

static uint64_t get_mtt_dma(const void *list, uint32_t i)
{
	const struct prm_umem *umem = list;
	const struct prm_mtt *mtt = prm_sub_at(umem, mtt, i);

	return prm_get(mtt, ptag_63_32) << 32 | prm_get(mtt, ptag_31_8) << 8;
}

/* Checks that all pages are aligned and readable, and that either all or none are writable. */
static uint8_t check_pages(struct emu *emu, const struct prm_umem *umem, uint32_t n, unsigned shift,
			   bool *write)
{
	*write = prm_get(prm_sub_at(umem, mtt, 0), wr_en);
	for (uint32_t i = 0; i < n; i++) {
		const struct prm_mtt *mtt = prm_sub_at(umem, mtt, i);

		if (get_mtt_dma(umem, i) & ((1ull << shift) - 1))
			return emu_refuse(
				emu, PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE,
				"mtt[%u]: address 0x%llx is invalid (valid: multiples of the "
				"page size, 1 << %u bytes)",
				i, (unsigned long long)get_mtt_dma(umem, i), shift);
		if (!prm_get(mtt, rd_en) || (bool)prm_get(mtt, wr_en) != *write)
			return emu_refuse(
				emu, PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE,
				"mtt[%u]: rd_en %u, wr_en %u are invalid (valid: 1, %u as in "
				"mtt[0])",
				i, (unsigned)prm_get(mtt, rd_en), (unsigned)prm_get(mtt, wr_en),
				*write);
	}
	return PRM_STATUS_OK;
}

static void drop_umem(EMU_UNUSED struct emu *emu, struct emu_obj *obj)
{
	emu_span_drop(&((struct emu_umem *)obj)->span);
}

uint8_t emu_fw_create_umem(EMU_FW_ARGS(create_umem))
{
	const struct prm_umem *ctx = prm_sub(in, umem);
	const uint64_t n = prm_get(ctx, num_of_mtt), offset = prm_get(ctx, page_offset);
	const unsigned shift = (unsigned)prm_get(ctx, log_page_size) + EMU_ADAPTER_PAGE_SHIFT;
	struct emu_span span, want = { .page_shift = (uint8_t)shift, .first = offset };
	struct emu_umem *umem;
	uint8_t status;

	if (!n || n != (in_bytes - sizeof(*in)) / prm_mtt_bytes)
		return emu_refuse_list(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE, "num_of_mtt", n,
				       (in_bytes - sizeof(*in)) / prm_mtt_bytes);
	if (shift > LOG_PAGE_MAX)
		return emu_refuse_range(emu, EMU_SYND_PAGE, "log_page_size",
					shift - EMU_ADAPTER_PAGE_SHIFT, 0,
					LOG_PAGE_MAX - EMU_ADAPTER_PAGE_SHIFT);
	if (offset >> shift)
		return emu_refuse_range(emu, EMU_SYND_PAGE, "page_offset", offset, 0,
					(1ull << shift) - 1);
	status = check_pages(emu, ctx, (uint32_t)n, shift, &want.write);
	if (status != PRM_STATUS_OK)
		return status;
	want.bytes = (n << shift) - offset;
	if (emu_span_map(emu, &span, &want, get_mtt_dma, ctx))
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_HOST,
				  "mtt: the host does not map every page of the umem");
	umem = emu_make_object(emu, EMU_UMEM, uid, sizeof(*umem), drop_umem);
	if (!umem) {
		emu_span_drop(&span);
		return PRM_STATUS_LIM_ERR;
	}
	umem->span = span;
	prm_set(out, umem_id, umem->obj.id);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_destroy_umem(EMU_FW_ARGS(destroy_umem))
{
	return emu_destroy_field(emu, EMU_UMEM, in, umem_id, uid);
}
