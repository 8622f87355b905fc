/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_MKEY_H
#define EMU_FIRMWARE_MKEY_H

#include "emu/base/mkey.h"

/** emu_mkey_check_pages - check that the page list of an mkey covers its address range */
uint8_t emu_mkey_check_pages(struct emu *emu, const struct prm_create_mkey_in *in, size_t in_bytes);
/**
 * emu_mkey_open_pages - translate the pages of an mkey to host memory
 * @span: zeroed; receives the pages. Stays empty for a free mkey; a UMR WQE lists its pages later
 * @umem: receives the umem of the pages, with a reference, if the mkey is on a umem
 *
 * Return: enum prm_status
 */
uint8_t emu_mkey_open_pages(struct emu *emu, uint16_t uid, const struct prm_create_mkey_in *in,
			    struct emu_span *span, struct emu_umem **umem);
/** emu_mkey_make_list - with umr_en: allocate the list of pages that UMR WQEs write */
uint8_t emu_mkey_make_list(struct emu *emu, struct emu_mkey *key, const struct prm_mkc *mkc);

/**
 * emu_mkey_open_klms - check the list of an indirect mkey, and read it
 * @list: receives the list; NULL for a free mkey: a UMR WQE would write its list
 *
 * Return: enum prm_status
 */
uint8_t emu_mkey_open_klms(struct emu *emu, const struct prm_create_mkey_in *in, size_t in_bytes,
			   struct emu_klm_list **list);

#endif
