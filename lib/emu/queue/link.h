/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_LINK_H
#define EMU_QUEUE_LINK_H

#include "emu/emu.h"

/** emu_change_link - do emu_set_link() for a caller that holds the adapter's lock */
void emu_change_link(struct emu *emu, const struct emu_link *link);

#endif
