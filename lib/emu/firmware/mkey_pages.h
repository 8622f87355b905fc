/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_MKEY_PAGES_H
#define EMU_FIRMWARE_MKEY_PAGES_H

#include "emu/base/mkey.h"

/** emu_mkey_check_pages - refuse a range and a list that do not fit each other */
uint8_t emu_mkey_check_pages(struct emu *emu, const struct prm_create_mkey_in *in, size_t in_bytes);
/** emu_mkey_open_pages - translate them, or none if UMRs will list them; @umem as above */
uint8_t emu_mkey_open_pages(struct emu *emu, uint16_t uid, const struct prm_create_mkey_in *in,
			    struct emu_span *span, struct emu_umem **umem);
/** emu_mkey_make_list - room for the pages that UMRs will list, if they may */
uint8_t emu_mkey_make_list(struct emu *emu, struct emu_mkey *key, const struct prm_mkc *mkc);

#endif
