/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory of a queue: its ring and its doorbell record, in a umem or by physical address.
 *
 *     umem form   umem_offset + page_offset/64 page -> a slice of the umem
 *     PAS form    pas[] of 4 KiB << log_page bytes each, the ring starts page_offset/64 in
 */
#include "emu/firmware/ring.h"

#include "emu/firmware/handlers.h"
#include "prm/wqe.h"

static uint64_t get_pas_dma(const void *list, uint32_t i)
{
	const prm_be32 *pas = (const prm_be32 *)list + 2 * i;

	return (uint64_t)prm_be32_get(pas[0]) << 32 | prm_be32_get(pas[1]);
}

/*
 * PRM-MISSING: a ring in a umem is aligned to the umem's page (mlx5_ib documents that a plain
 * umem promises not to use another offset, because the kernel chooses the page size)
 *
 * PRM-MISSING: a ring that the device writes is refused in a umem that it may only read (a card
 * may accept it and fail at the first CQE)
 */
static uint8_t open_in_umem(struct emu *emu, const struct emu_ring *ring, unsigned shift,
			    uint64_t in_page, struct emu_span *span, struct emu_umem **umem)
{
	struct emu_umem *u = emu_use_object(emu, EMU_UMEM, ring->umem_id, ring->uid);
	const uint64_t at = ring->umem_offset + in_page;

	if (!u)
		return PRM_STATUS_BAD_RES;
	if (shift > u->span.page_shift || (ring->umem_offset & ((1ull << u->span.page_shift) - 1)))
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE,
				  "umem offset 0x%llx, page 1 << %u: the umem has pages of 1 << %u",
				  (unsigned long long)ring->umem_offset, shift, u->span.page_shift);
	if (at > u->span.bytes || ring->bytes > u->span.bytes - at)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_UMEM_RANGE,
				  "ring of 0x%llx bytes at 0x%llx, the umem has 0x%llx",
				  (unsigned long long)ring->bytes, (unsigned long long)at,
				  (unsigned long long)u->span.bytes);
	if (ring->write && !u->span.write)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_UMEM_ACCESS,
				  "the device writes this ring and may not write its umem");
	emu_span_slice(span, &u->span, at, ring->bytes);
	emu_ref(u);
	*umem = u;
	return PRM_STATUS_OK;
}

static uint8_t open_pages(struct emu *emu, const struct emu_ring *ring, unsigned shift,
			  uint64_t in_page, struct emu_span *span)
{
	const struct emu_span want = { .page_shift = (uint8_t)shift,
				       .first = in_page,
				       .bytes = ring->bytes,
				       .write = ring->write };
	const uint64_t n = (in_page + ring->bytes + (1ull << shift) - 1) >> shift;

	/* Of any uid: mlx5_ib sends these for users' verbs queues, and keeps users from it. */
	if (ring->n_pas != n)
		return emu_refuse(emu, PRM_STATUS_BAD_INP_LEN, EMU_SYND_PAGE,
				  "%zu pages of 1 << %u listed, the ring has %llu", ring->n_pas,
				  shift, (unsigned long long)n);
	for (uint32_t i = 0; i < n; i++)
		if (get_pas_dma(ring->pas, i) & ((1ull << shift) - 1))
			return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE,
					  "pas[%u] is not aligned to its page, 1 << %u", i, shift);
	if (emu_span_map(emu, span, &want, get_pas_dma, ring->pas))
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_HOST,
				  "the host does not map all pages of the ring");
	return PRM_STATUS_OK;
}

uint8_t emu_ring_open(struct emu *emu, const struct emu_ring *ring, struct emu_span *span,
		      struct emu_umem **umem)
{
	const unsigned shift = ring->log_page + EMU_ADAPTER_PAGE_SHIFT;
	const uint64_t in_page = ((uint64_t)ring->page_offset << shift) / EMU_PAGE_QUANTA;

	*umem = NULL;
	if (ring->in_umem && ring->n_pas)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE,
				  "a ring in a umem has no page list");
	if (ring->in_umem)
		return open_in_umem(emu, ring, shift, in_page, span, umem);
	return open_pages(emu, ring, shift, in_page, span);
}

static uint64_t get_dbr_page(const void *list, EMU_UNUSED uint32_t i)
{
	return *(const uint64_t *)list & ~((1ull << EMU_ADAPTER_PAGE_SHIFT) - 1);
}

uint8_t emu_dbr_open(struct emu *emu, uint16_t uid, bool in_umem, uint32_t umem_id, uint64_t addr,
		     struct emu_span *span, struct emu_umem **umem)
{
	struct emu_umem *u;

	*umem = NULL;
	if (addr % PRM_DBR_BYTES)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE,
				  "doorbell record at 0x%llx, it is aligned to 8 bytes",
				  (unsigned long long)addr);
	if (!in_umem) {
		const struct emu_span want = {
			.page_shift = EMU_ADAPTER_PAGE_SHIFT,
			.bytes = PRM_DBR_BYTES,
			.first = addr & ((1ull << EMU_ADAPTER_PAGE_SHIFT) - 1),
		};

		if (emu_span_map(emu, span, &want, get_dbr_page, &addr))
			return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_HOST,
					  "the host does not map the doorbell record");
		return PRM_STATUS_OK;
	}
	u = emu_use_object(emu, EMU_UMEM, umem_id, uid);
	if (!u)
		return PRM_STATUS_BAD_RES;
	if (addr > u->span.bytes || u->span.bytes - addr < PRM_DBR_BYTES)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_UMEM_RANGE,
				  "doorbell record at 0x%llx, the umem has 0x%llx bytes",
				  (unsigned long long)addr, (unsigned long long)u->span.bytes);
	emu_span_slice(span, &u->span, addr, PRM_DBR_BYTES);
	emu_ref(u);
	*umem = u;
	return PRM_STATUS_OK;
}

void emu_buffer_close(struct emu_span *span, struct emu_umem **umem)
{
	emu_span_drop(span);
	emu_unref(*umem);
	*umem = NULL;
}
