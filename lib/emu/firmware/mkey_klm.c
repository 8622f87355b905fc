/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The list of an indirect mkey, in the input of CREATE_MKEY.
 *
 * The mkeys that its entries name need not exist: the device looks them up at each access, not in
 * CREATE_MKEY. Source: DPDK, mlx5_devx_cmd_mkey_create, pads lists with entries of key 0.
 */
#include "emu/firmware/mkey.h"

#include <stdlib.h>
#include <string.h>

#include "emu/base/profile.h"
#include "emu/firmware/refuse.h"
#include "prm/klm.h"

enum { LOG_PAGE_MIN = 12 };

/* Copies entry @i of the list to @entry, a struct of PRM_KLM_BYTES. */
static void copy_entry(const struct prm_create_mkey_in *in, uint32_t i, void *entry)
{
	memcpy(entry, (const uint8_t *)in + sizeof(*in) + (size_t)i * PRM_KLM_BYTES, PRM_KLM_BYTES);
}

/*
 * Checks the length of the list in the mailbox against the two fields that announce it. The
 * mailbox may have more entries than announced. Source: libdpcp, pattern_mkey::create.
 */
static uint8_t check_lengths(struct emu *emu, const struct prm_create_mkey_in *in, size_t in_bytes)
{
	const struct prm_mkc *mkc = prm_sub(in, memory_key_mkey_entry);
	const uint64_t room = prm_get(mkc, translations_octword_size);
	const uint64_t actual = prm_get(in, translations_octword_actual_size);
	const uint64_t max = 1ull << emu_cap(emu, log_max_klm_list_size);
	const size_t listed = (in_bytes - sizeof(*in)) / PRM_KLM_BYTES;

	if ((in_bytes - sizeof(*in)) % PRM_KLM_BYTES || actual > listed)
		return emu_refuse(emu, PRM_STATUS_BAD_INP_LEN, EMU_SYND_LENGTH,
				  "klm_pas_mtt: %zu bytes do not hold the %llu entries of "
				  "translations_octword_actual_size (valid: 16 bytes per entry)",
				  in_bytes - sizeof(*in), (unsigned long long)actual);
	if (!room)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_MKEY_ZERO_SIZE,
				  "translations_octword_size: 0 is invalid (valid: enough for %llu "
				  "entries)",
				  (unsigned long long)actual);
	if (room < actual || room > max)
		return emu_refuse_range(emu, EMU_SYND_SIZE, "translations_octword_size", room,
					actual, max);
	return PRM_STATUS_OK;
}

static uint8_t check_fields(struct emu *emu, const struct prm_create_mkey_in *in)
{
	const struct prm_mkc *mkc = prm_sub(in, memory_key_mkey_entry);
	const bool ksm = prm_get(mkc, access_mode_1_0) == PRM_MKC_ACCESS_MODE_KSM;
	const uint64_t start = prm_get(mkc, start_addr), len = prm_get(mkc, len);
	const unsigned shift = (unsigned)prm_get(mkc, log_page_size);

	if (prm_get(in, mkey_umem_valid) || prm_get(in, pg_access))
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_TYPE,
				  "%s: 1 is invalid (valid: 0 for an indirect mkey)",
				  prm_get(in, pg_access) ? "pg_access" : "mkey_umem_valid");
	if (ksm && !emu_cap(emu, fixed_buffer_size))
		return emu_refuse_feature(emu, "access_mode_1_0", "fixed_buffer_size");
	if (!ksm && shift)
		return emu_refuse_value(emu, EMU_SYND_PAGE, "log_page_size", shift,
					"0 for a list of KLM entries");
	if (prm_get(mkc, free))
		return PRM_STATUS_OK;
	if (prm_get(mkc, length64) || !len || start + len < start)
		return emu_refuse(
			emu, PRM_STATUS_BAD_PARAM, EMU_SYND_SIZE,
			"range of the mkey: invalid (valid: length64 0, len at least 1, no "
			"overflow of start_addr + len)");
	/*
	 * PRM-MISSING: start_addr of a list of KSM entries is aligned to them. (Linux lists KSM
	 * entries only in free mkeys, mlx5e_create_umr_mkey; net_mlx5 lists none.)
	 */
	if (ksm && (shift < LOG_PAGE_MIN || start & ((1ull << shift) - 1)))
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE,
				  "log_page_size: %u is invalid (valid: at least %d, start_addr "
				  "aligned to it)",
				  shift, LOG_PAGE_MIN);
	return PRM_STATUS_OK;
}

static uint8_t refuse_entry(struct emu *emu, uint32_t i, const char *why)
{
	return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_KLM, "klm_pas_mtt: entry %u: %s", i,
			  why);
}

/* Adds @bytes to the length of a list. Returns false if it would exceed 2^64 - 1 bytes. */
static bool add_bytes(struct emu_klm_list *list, uint64_t bytes)
{
	return !__builtin_add_overflow(list->bytes, bytes, &list->bytes);
}

/* PRM-MISSING: an entry of 0 bytes covers none (DPDK pads the end of a list with zeroes). */
static bool add_piece(struct emu_klm_list *list, const struct prm_klm *klm, uint32_t bytes)
{
	struct emu_klm_block *block = &list->blocks[list->n_blocks];

	if (!bytes)
		return true;
	*block = (struct emu_klm_block){ list->bytes, bytes, list->n_entries, 1 };
	list->n_blocks++;
	list->entries[list->n_entries++] = (struct emu_klm){ .addr = prm_be64_get(klm->addr),
							     .key = prm_be32_get(klm->key),
							     .bytes = bytes };
	return add_bytes(list, bytes);
}

/* Reads a strided block: its head, which is entry @i, and its entries. Source: libdpcp. */
static uint8_t add_strided(struct emu *emu, const struct prm_create_mkey_in *in, uint32_t i,
			   uint32_t n_listed, struct emu_klm_list *list)
{
	struct emu_klm_block *block = &list->blocks[list->n_blocks];
	struct prm_stride_block head;
	uint64_t sum = 0;
	uint32_t n, cycle;

	copy_entry(in, i, &head);
	n = prm_be16_get(head.n_entries);
	cycle = prm_be32_get(head.cycle_bytes);
	if (prm_be16_get(head.rsvd0c))
		return refuse_entry(emu, i, "reserved bits of the strided block are not 0");
	if (!n || n > n_listed - i - 1)
		return refuse_entry(emu, i, "n_entries of the strided block is 0 or too large");
	*block = (struct emu_klm_block){ list->bytes, cycle, list->n_entries, n };
	for (uint32_t k = 0; k < n; k++) {
		struct prm_stride_entry e;

		copy_entry(in, i + 1 + k, &e);
		list->entries[list->n_entries++] = (struct emu_klm){
			.addr = prm_be64_get(e.addr),
			.key = prm_be32_get(e.key),
			.bytes = prm_be16_get(e.byte_count),
			.first = (uint32_t)sum,
			.stride = prm_be16_get(e.stride),
		};
		sum += prm_be16_get(e.byte_count);
	}
	if (!cycle || sum != cycle || !prm_be32_get(head.repeat_count) ||
	    !add_bytes(list, (uint64_t)cycle * prm_be32_get(head.repeat_count)))
		return refuse_entry(emu, i,
				    "cycle_bytes of the strided block is not the sum of its "
				    "entries, or it repeats 0 times");
	list->n_blocks++;
	return PRM_STATUS_OK;
}

static uint8_t read_list(struct emu *emu, const struct prm_create_mkey_in *in, uint32_t n_listed,
			 struct emu_klm_list *list)
{
	const struct prm_mkc *mkc = prm_sub(in, memory_key_mkey_entry);
	const bool ksm = prm_get(mkc, access_mode_1_0) == PRM_MKC_ACCESS_MODE_KSM;

	for (uint32_t i = 0; i < n_listed; i++) {
		const uint32_t before = list->n_entries;
		struct prm_klm klm;
		uint32_t bytes;
		uint8_t status;

		copy_entry(in, i, &klm);
		bytes = prm_be32_get(klm.byte_count);
		if (!ksm && prm_be32_get(klm.key) == PRM_STRIDE_BLOCK_OP) {
			status = add_strided(emu, in, i, n_listed, list);
			if (status != PRM_STATUS_OK)
				return status;
			i += list->n_entries - before;
			continue;
		}
		if (ksm && bytes)
			return refuse_entry(emu, i, "byte_count is not 0, which KSM requires");
		if (!add_piece(list, &klm, ksm ? 1u << prm_get(mkc, log_page_size) : bytes))
			return refuse_entry(emu, i, "the list is longer than 2^64 - 1 bytes");
	}
	if (list->bytes < prm_get(mkc, len))
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_KLM,
				  "len: 0x%llx bytes are more than the 0x%llx bytes of the list",
				  (unsigned long long)prm_get(mkc, len),
				  (unsigned long long)list->bytes);
	return PRM_STATUS_OK;
}

uint8_t emu_mkey_open_klms(struct emu *emu, const struct prm_create_mkey_in *in, size_t in_bytes,
			   struct emu_klm_list **list)
{
	const struct prm_mkc *mkc = prm_sub(in, memory_key_mkey_entry);
	const uint32_t n = (uint32_t)prm_get(in, translations_octword_actual_size);
	uint8_t status = check_lengths(emu, in, in_bytes);

	if (status == PRM_STATUS_OK)
		status = check_fields(emu, in);
	if (status != PRM_STATUS_OK || prm_get(mkc, free))
		return status;
	if (!n)
		return emu_refuse_value(emu, EMU_SYND_KLM, "translations_octword_actual_size", n,
					"at least 1; 0 if free is 1");
	*list = calloc(1, sizeof(**list));
	if (!*list)
		return emu_refuse_memory(emu);
	(*list)->blocks = calloc(n, sizeof(*(*list)->blocks));
	(*list)->entries = calloc(n, sizeof(*(*list)->entries));
	status = (*list)->blocks && (*list)->entries ? read_list(emu, in, n, *list)
						     : emu_refuse_memory(emu);
	if (status != PRM_STATUS_OK) {
		emu_klm_free(*list);
		*list = NULL;
	}
	return status;
}
