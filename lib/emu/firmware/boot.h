/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_BOOT_H
#define EMU_FIRMWARE_BOOT_H

#include "emu/base/dev.h"

/**
 * DOC: Start and stop of a function
 *
 *     DISABLED --ENABLE_HCA--> ENABLED --INIT_HCA--> INITIALISED
 *              <-DISABLE_HCA--         <-TEARDOWN_HCA--
 *
 * A kernel lends pages of its memory to firmware: QUERY_PAGES returns how many firmware wants, and
 * MANAGE_PAGES lends or reclaims them. emu only stores their addresses, and does not use the pages.
 * The uverbs front sends none of these commands; its function works at once.
 */
enum {
	EMU_PAGES_FOR_BOOT = 16, /* the answers of QUERY_PAGES; arbitrary numbers */
	EMU_PAGES_FOR_INIT = 32,
};

/**
 * emu_boot_reset - put the function into the state before ENABLE_HCA
 *
 * Forgets the kernel's pages and restores the capabilities of the profile. The caller holds the
 * adapter lock.
 */
void emu_boot_reset(struct emu *emu);

/** emu_boot_apply_profile - set capabilities and limits to those of the profile */
void emu_boot_apply_profile(struct emu *emu);

/** emu_boot_release - free the memory of emu->boot and zero it */
void emu_boot_release(struct emu *emu);

/** emu_vxlan_reset - forget all UDP ports of VXLAN except the default one */
void emu_vxlan_reset(struct emu *emu);

#endif
