/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "emu/firmware/cmd.h"
#include "emu/firmware/mkey.h"
#include "emu/firmware/ring.h"

/*
 * A limit of emu: an mkey has at most 2^22 pages, which is 16 GiB in pages of 4 KiB. Adapters allow
 * more: mlx5_ib creates an mkey for memory of any size (reg_create).
 */
enum { MAX_OCTWORDS = 1 << 21 };
enum { LOG_PAGE_MAX = 31 }; /* larger values need capability umr_log_entity_size_5 */

/*
 * Checks an mkey for physical addresses, which covers all memory. Every uid may create one. Source:
 * Linux, mlx5_vdpa, create_dma_mr and mlx5_vdpa_create_mkey.
 *
 * PRM-MISSING: a physical mkey over a umem is refused. (mlx5_ib requests a umem for each direct
 * mkey of a user, devx_handle_mkey_create.)
 */
static uint8_t check_pa(struct emu *emu, const struct prm_create_mkey_in *in)
{
	const struct prm_mkc *mkc = prm_sub(in, memory_key_mkey_entry);

	if (prm_get(in, mkey_umem_valid))
		return emu_refuse(
			emu, PRM_STATUS_BAD_PARAM, EMU_SYND_KERNEL_ONLY,
			"access_mode_1_0: 0 (physical) is invalid with mkey_umem_valid (valid: 1 "
			"= MTT)");
	if (!prm_get(mkc, length64) || prm_get(mkc, len) || prm_get(mkc, start_addr))
		return emu_refuse(
			emu, PRM_STATUS_BAD_PARAM, EMU_SYND_SIZE,
			"physical mkey: its range is invalid (valid: length64 1, start_addr "
			"0, len 0)");
	return PRM_STATUS_OK;
}

/*
 * relaxed_ordering_write is order_write_after_write of the PRM; some devices require it to be 1.
 * Source: mstflint, tools_layouts/adb/prm/hca/ext/hca_cap_table.adb, which lists for each
 * capability the values that "MKeys support setting".
 *
 * PRM-MISSING: a value that the device does not offer is refused. (DPDK 26.07 sets each only with
 * its capability, because future firmware refuses others: mlx5_devx_mkey_attr_set_ordering.)
 */
static uint8_t check_ordering(struct emu *emu, const struct prm_mkc *mkc)
{
	if (prm_get(mkc, relaxed_ordering_write) && !emu_cap(emu, relaxed_ordering_write))
		return emu_refuse_feature(emu, "relaxed_ordering_write", "relaxed_ordering_write");
	if (prm_get(mkc, relaxed_ordering_read) && !emu_cap(emu, relaxed_ordering_read) &&
	    !emu_cap(emu, relaxed_ordering_read_pci_enabled))
		return emu_refuse_feature(emu, "relaxed_ordering_read", "relaxed_ordering_read*");
	if (prm_get(mkc, order_read_after_write) && !emu_cap(emu, mkc_order_read_after_write))
		return emu_refuse_feature(emu, "order_read_after_write",
					  "mkc_order_read_after_write");
	if (!prm_get(mkc, relaxed_ordering_write) &&
	    emu_cap(emu, mkc_order_write_after_write_ro_only))
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_NO_CAP,
				  "relaxed_ordering_write: 0 is invalid (valid: 1, capability "
				  "mkc_order_write_after_write_ro_only)");
	return PRM_STATUS_OK;
}

static uint8_t check_common(struct emu *emu, uint16_t uid, const struct prm_mkc *mkc,
			    struct emu_pd **pd)
{
	if (prm_get(mkc, qpn) != PRM_MKC_QPN_ANY)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_TYPE,
				  "qpn: 0x%x is invalid (valid: 0x%x = every queue)",
				  (unsigned)prm_get(mkc, qpn), PRM_MKC_QPN_ANY);
	if (prm_get(mkc, log_page_size) > LOG_PAGE_MAX)
		return emu_refuse_range(emu, EMU_SYND_PAGE, "log_page_size",
					prm_get(mkc, log_page_size), 0, LOG_PAGE_MAX);
	if (prm_get(mkc, translations_octword_size) > MAX_OCTWORDS)
		return emu_refuse_range(emu, EMU_SYND_SIZE, "translations_octword_size",
					prm_get(mkc, translations_octword_size), 0, MAX_OCTWORDS);
	if (check_ordering(emu, mkc))
		return PRM_STATUS_BAD_PARAM;
	*pd = emu_use_field(emu, EMU_PD, mkc, pd, uid);
	return *pd ? PRM_STATUS_OK : PRM_STATUS_BAD_RES;
}

static void fill_mkey(struct emu_mkey *key, const struct prm_mkc *mkc)
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

/* Gives a new mkey its pages, or the list of an indirect mkey. */
static uint8_t open_memory(struct emu *emu, uint16_t uid, const struct prm_create_mkey_in *in,
			   size_t in_bytes, struct emu_mkey *key)
{
	const struct prm_mkc *mkc = prm_sub(in, memory_key_mkey_entry);
	uint8_t status;

	switch (prm_get(mkc, access_mode_1_0)) {
	case PRM_MKC_ACCESS_MODE_PA:
		return check_pa(emu, in);
	case PRM_MKC_ACCESS_MODE_MTT:
		status = emu_mkey_check_pages(emu, in, in_bytes);
		if (status == PRM_STATUS_OK)
			status = emu_mkey_open_pages(emu, uid, in, &key->span, &key->umem);
		return status == PRM_STATUS_OK ? emu_mkey_make_list(emu, key, mkc) : status;
	default: /* KLMS and KSM: the field has two bits */
		return emu_mkey_open_klms(emu, in, in_bytes, &key->klms);
	}
}

static void close_memory(struct emu_mkey *key)
{
	free(key->list);
	emu_klm_free(key->klms);
	emu_buffer_close(&key->span, &key->umem);
}

static void drop_mkey(struct emu *emu, struct emu_obj *obj)
{
	struct emu_mkey *key = (struct emu_mkey *)obj;

	close_memory(key);
	emu_unref(emu_obj_at(&emu->table[EMU_PD], key->pd));
}

uint8_t emu_fw_create_mkey(EMU_FW_ARGS(create_mkey))
{
	const struct prm_mkc *mkc = prm_sub(in, memory_key_mkey_entry);
	struct emu_mkey parts = { 0 }, *key;
	struct emu_pd *pd = NULL;
	uint8_t status = check_common(emu, uid, mkc, &pd);

	if (prm_get(in, pg_access) && !emu_cap(emu, pg))
		return emu_refuse_feature(emu, "pg_access", "pg");
	if (status == PRM_STATUS_OK)
		status = open_memory(emu, uid, in, in_bytes, &parts);
	if (status != PRM_STATUS_OK) {
		close_memory(&parts);
		return status;
	}
	key = emu_make_object(emu, EMU_MKEY, uid, sizeof(*key), drop_mkey);
	if (!key) {
		close_memory(&parts);
		return PRM_STATUS_LIM_ERR;
	}
	parts.obj = key->obj;
	*key = parts;
	fill_mkey(key, mkc);
	emu_ref(pd);
	prm_set(out, mkey_index, key->obj.id);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_query_mkey(EMU_FW_ARGS(query_mkey))
{
	const struct emu_mkey *key = emu_use_field(emu, EMU_MKEY, in, mkey_index, uid);

	if (!key)
		return PRM_STATUS_BAD_RES;
	*prm_sub(out, memory_key_mkey_entry) = key->ctx;
	return PRM_STATUS_OK;
}

uint8_t emu_fw_destroy_mkey(EMU_FW_ARGS(destroy_mkey))
{
	return emu_destroy_field(emu, EMU_MKEY, in, mkey_index, uid);
}
