/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_MKEY_H
#define EMU_FIRMWARE_MKEY_H

#include "emu/base/mkey.h"

/** emu_mkey_check_pages - check the address range of an mkey against its list of pages */
uint8_t emu_mkey_check_pages(struct emu *emu, const struct prm_create_mkey_in *in, size_t in_bytes);
/**
 * emu_mkey_open_pages - translate the pages of an mkey to host memory
 * @span: zeroed; receives the pages. It stays empty for a free mkey, whose pages a UMR WQE lists
 * @umem: receives the umem of the pages, with a reference, if the mkey is on a umem
 *
 * Return: enum prm_status
 */
uint8_t emu_mkey_open_pages(struct emu *emu, uint16_t uid, const struct prm_create_mkey_in *in,
			    struct emu_span *span, struct emu_umem **umem);
/** emu_mkey_make_list - allocate the list that UMR WQEs write, if umr_en allows them */
uint8_t emu_mkey_make_list(struct emu *emu, struct emu_mkey *key, const struct prm_mkc *mkc);

/**
 * emu_mkey_open_klms - check the list of an indirect mkey, and read it
 * @list: receives the list; NULL for a free mkey, whose list a UMR WQE would write
 *
 * Return: enum prm_status
 */
uint8_t emu_mkey_open_klms(struct emu *emu, const struct prm_create_mkey_in *in, size_t in_bytes,
			   struct emu_klm_list **list);

#endif
