/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory of a queue: its ring and its doorbell record, in a umem or at DMA addresses.
 *
 *     in a umem    the ring starts at umem_offset + page_offset / 64 pages of the umem
 *     page list    pas[] has pages of 4 KiB << log_page; the ring starts page_offset / 64 pages
 *                  after the start of pas[0]
 */
#include "emu/firmware/ring.h"

#include "emu/base/profile.h"
#include "emu/firmware/cmd.h"
#include "prm/wqe.h"

enum { RING_ALIGN_BYTES = 64 }; /* keeps CQEs, EQEs and WQEBBs (64 bytes) within a page */

static uint64_t get_pas_dma(const void *list, uint32_t i)
{
	const prm_be32 *pas = (const prm_be32 *)list + 2 * i;

	return (uint64_t)prm_be32_get(pas[0]) << 32 | prm_be32_get(pas[1]);
}

/*
 * PRM-CONTRADICTION: a ring may start at any multiple of 64 bytes of a umem. (A user of mlx5_ib who
 * passes no page sizes promises to use only offset 0. By default, DPDK's net_mlx5 25.11 packs the
 * rings of all its Tx queues into such a umem, mlx5_dev_allocate_consec_tx_mem.) With option
 * umem_strict the device accepts only multiples of the umem's page size.
 *
 * PRM-MISSING: a device refuses other offsets of a ring with BAD_PARAM. (No source names the status
 * or the syndrome.)
 *
 * PRM-MISSING: a ring is refused in a umem whose page_offset is not a multiple of 64 bytes.
 * (Entries would straddle pages; net_mlx5 registers memory that starts at a page.)
 *
 * PRM-MISSING: page_offset of a ring in a umem is added to its umem offset. (net_mlx5 sends 0.)
 *
 * PRM-MISSING: a ring is refused whose page is larger than the page of its umem. (net_mlx5
 * sends 4 KiB for queues, and the page of the host for CQs.)
 */
static uint8_t validate_place_in_umem(struct emu *emu, const struct emu_ring *ring, unsigned shift,
				      uint64_t in_page, const struct emu_span *umem)
{
	const uint64_t offset = ring->umem_offset;

	if (shift > umem->page_shift)
		return emu_refuse(
			emu, PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE,
			"ring: page size 1 << %u bytes is invalid (valid: at most 1 << %u, "
			"the page size of its umem)",
			shift, umem->page_shift);
	if (emu->profile->options.umem_strict && offset & ((1ull << umem->page_shift) - 1))
		return emu_refuse(
			emu, PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE,
			"ring: umem offset 0x%llx is invalid (valid: multiples of 1 << %u bytes, "
			"the page size of its umem)",
			(unsigned long long)offset, umem->page_shift);
	if (offset % RING_ALIGN_BYTES)
		return emu_refuse(
			emu, PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE,
			"ring: umem offset 0x%llx is invalid (valid: multiples of %u bytes)",
			(unsigned long long)offset, RING_ALIGN_BYTES);
	if (umem->first % RING_ALIGN_BYTES)
		return emu_refuse(
			emu, PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE,
			"ring: its umem has page_offset 0x%llx (valid: multiples of %u bytes)",
			(unsigned long long)umem->first, RING_ALIGN_BYTES);
	if (offset > umem->bytes || in_page > umem->bytes - offset ||
	    ring->bytes > umem->bytes - offset - in_page)
		return emu_refuse(
			emu, PRM_STATUS_BAD_PARAM, EMU_SYND_UMEM_RANGE,
			"ring: 0x%llx bytes at umem_offset 0x%llx + page_offset 0x%llx do "
			"not fit its umem (valid: up to 0x%llx bytes)",
			(unsigned long long)ring->bytes, (unsigned long long)offset,
			(unsigned long long)in_page, (unsigned long long)umem->bytes);
	return PRM_STATUS_OK;
}

/*
 * PRM-MISSING: a ring that the device writes is refused in a umem that the device may only read.
 * (net_mlx5 registers CQs with write access, mlx5_devx_cq_create.)
 */
static uint8_t open_in_umem(struct emu *emu, const struct emu_ring *ring, unsigned shift,
			    uint64_t in_page, struct emu_span *span, struct emu_umem **umem)
{
	struct emu_umem *u =
		emu_use_object(emu, EMU_UMEM, ring->umem_field, ring->umem_id, ring->uid);
	uint8_t status;

	if (!u)
		return PRM_STATUS_BAD_RES;
	status = validate_place_in_umem(emu, ring, shift, in_page, &u->span);
	if (status != PRM_STATUS_OK)
		return status;
	if (ring->write && !u->span.write)
		return emu_refuse(
			emu, PRM_STATUS_BAD_PARAM, EMU_SYND_UMEM_ACCESS,
			"ring: the device may not write umem 0x%x (valid: a umem with local "
			"write access)",
			ring->umem_id);
	emu_span_slice(span, &u->span, ring->umem_offset + in_page, ring->bytes);
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

	/* Accepts every uid: mlx5_ib sends page lists on behalf of users, who cannot send any. */
	if (ring->n_pas != n)
		return emu_refuse(
			emu, PRM_STATUS_BAD_INP_LEN, EMU_SYND_PAGE,
			"pas: lists %zu pages of 1 << %u bytes (valid: %llu for this ring)",
			ring->n_pas, shift, (unsigned long long)n);
	for (uint32_t i = 0; i < n; i++)
		if (get_pas_dma(ring->pas, i) & ((1ull << shift) - 1))
			return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE,
					  "pas[%u]: unaligned (valid: multiples of the page size, "
					  "1 << %u bytes)",
					  i, shift);
	if (emu_span_map(emu, span, &want, get_pas_dma, ring->pas))
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_HOST,
				  "pas: the host does not map every page of the ring");
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
				  "pas: lists %zu pages, but the ring is in a umem (valid: 0)",
				  ring->n_pas);
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
				  "doorbell record: address 0x%llx is invalid (valid: multiples of "
				  "%u bytes)",
				  (unsigned long long)addr, PRM_DBR_BYTES);
	if (!in_umem) {
		const struct emu_span want = {
			.page_shift = EMU_ADAPTER_PAGE_SHIFT,
			.bytes = PRM_DBR_BYTES,
			.first = addr & ((1ull << EMU_ADAPTER_PAGE_SHIFT) - 1),
		};

		if (emu_span_map(emu, span, &want, get_dbr_page, &addr))
			return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_HOST,
					  "doorbell record: the host does not map address 0x%llx",
					  (unsigned long long)addr);
		return PRM_STATUS_OK;
	}
	u = emu_use_object(emu, EMU_UMEM, "dbr_umem_id", umem_id, uid);
	if (!u)
		return PRM_STATUS_BAD_RES;
	if (u->span.first % PRM_DBR_BYTES)
		return emu_refuse(
			emu, PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE,
			"doorbell record: its umem has page_offset 0x%llx (valid: multiples "
			"of %u bytes)",
			(unsigned long long)u->span.first, PRM_DBR_BYTES);
	if (addr > u->span.bytes || u->span.bytes - addr < PRM_DBR_BYTES)
		return emu_refuse(
			emu, PRM_STATUS_BAD_PARAM, EMU_SYND_UMEM_RANGE,
			"doorbell record: %u bytes at 0x%llx do not fit its umem (valid: up "
			"to 0x%llx bytes)",
			PRM_DBR_BYTES, (unsigned long long)addr, (unsigned long long)u->span.bytes);
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
