/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pages that a kernel lends to firmware. emu stores their addresses until the kernel reclaims them.
 */
#include <stdlib.h>

#include "emu/firmware/boot.h"
#include "emu/firmware/cmd.h"

enum { PAGE_BYTES = 4096, PAGES_MAX = 1 << 16 };

uint8_t emu_fw_query_pages(EMU_FW_ARGS(query_pages))
{
	static const uint16_t wanted[] = {
		[PRM_QUERY_PAGES_OP_MOD_BOOT] = EMU_PAGES_FOR_BOOT,
		[PRM_QUERY_PAGES_OP_MOD_INIT] = EMU_PAGES_FOR_BOOT + EMU_PAGES_FOR_INIT,
		[PRM_QUERY_PAGES_OP_MOD_REGULAR] = 0,
	};
	const unsigned ask = (unsigned)prm_get(in, op_mod);

	if (ask < PRM_QUERY_PAGES_OP_MOD_BOOT || ask > PRM_QUERY_PAGES_OP_MOD_REGULAR)
		return emu_refuse_value(emu, EMU_SYND_OP_MOD, "op_mod", ask,
					"1 = boot, 2 = init, 3 = regular");
	if (wanted[ask] > emu->boot.n_pages)
		prm_set(out, num_pages, wanted[ask] - emu->boot.n_pages);
	return PRM_STATUS_OK;
}

static bool make_room(struct emu_boot *boot, uint32_t n)
{
	uint64_t *pages = realloc(boot->pages, (n ? n : 1) * sizeof(*pages));

	boot->pages = pages ? pages : boot->pages;
	return pages;
}

static uint8_t give_pages(struct emu *emu, const struct prm_manage_pages_in *in, uint32_t n)
{
	struct emu_boot *boot = &emu->boot;

	if (n > PAGES_MAX - boot->n_pages || !make_room(boot, boot->n_pages + n))
		return emu_refuse(
			emu, PRM_STATUS_LIM_ERR, EMU_SYND_LIMIT,
			"input_num_entries: no room for %u pages in addition to %u (valid: "
			"%d in all)",
			n, boot->n_pages, PAGES_MAX);
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t addr = prm_get_at(in, pas, i);

		if (addr % PAGE_BYTES || !emu->ops->map(emu->host, addr, PAGE_BYTES, true))
			return emu_refuse(
				emu, PRM_STATUS_BAD_PARAM, EMU_SYND_HOST,
				"pas[%u]: 0x%llx is unaligned to 4 KiB, or the host does not "
				"map it",
				i, (unsigned long long)addr);
		boot->pages[boot->n_pages + i] = addr;
	}
	boot->n_pages += n;
	return PRM_STATUS_OK;
}

static uint8_t take_pages(struct emu *emu, uint32_t n, struct prm_manage_pages_out *out,
			  size_t out_bytes)
{
	struct emu_boot *boot = &emu->boot;

	if (n > boot->n_pages)
		n = boot->n_pages;
	if ((out_bytes - sizeof(*out)) / sizeof(uint64_t) < n)
		return emu_refuse_output(emu, out_bytes, sizeof(*out) + n * sizeof(uint64_t));
	for (uint32_t i = 0; i < n; i++)
		prm_set_at(out, pas, i, boot->pages[--boot->n_pages]);
	prm_set(out, output_num_entries, n);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_manage_pages(EMU_FW_ARGS(manage_pages))
{
	const uint32_t n = (uint32_t)prm_get(in, input_num_entries);
	const unsigned what = (unsigned)prm_get(in, op_mod);

	if (what == PRM_MANAGE_PAGES_OP_MOD_ALLOCATION_SUCCESS &&
	    (in_bytes - sizeof(*in)) / sizeof(uint64_t) != n)
		return emu_refuse_list(emu, PRM_STATUS_BAD_INP_LEN, EMU_SYND_LENGTH,
				       "input_num_entries", n,
				       (in_bytes - sizeof(*in)) / sizeof(uint64_t));
	switch (what) {
	case PRM_MANAGE_PAGES_OP_MOD_ALLOCATION_FAIL:
		return PRM_STATUS_OK; /* the kernel has no pages left; emu needs none */
	case PRM_MANAGE_PAGES_OP_MOD_ALLOCATION_SUCCESS:
		return give_pages(emu, in, n);
	case PRM_MANAGE_PAGES_OP_MOD_HCA_RETURN_PAGES:
		return take_pages(emu, n, out, out_bytes);
	default:
		return emu_refuse_value(emu, EMU_SYND_OP_MOD, "op_mod", what,
					"0 = none to give, 1 = give, 2 = reclaim");
	}
}
