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
 * A kernel lends the firmware pages of its memory (QUERY_PAGES says how many, MANAGE_PAGES
 * gives and takes them). This firmware needs none: it keeps the addresses, and returns them
 * when it is asked to. The uverbs front never starts its function, and may use it at once.
 */
enum {
	EMU_PAGES_FOR_BOOT = 16, /* how many are asked for: any number would do */
	EMU_PAGES_FOR_INIT = 32,
};

/** emu_boot_reset - as before ENABLE_HCA: no pages, capabilities of the profile. Lock held */
void emu_boot_reset(struct emu *emu);

/** emu_boot_release - free what struct emu_boot holds */
void emu_boot_release(struct emu *emu);

#endif
