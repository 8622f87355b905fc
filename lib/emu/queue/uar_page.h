/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_UAR_PAGE_H
#define EMU_QUEUE_UAR_PAGE_H

struct emu;

/**
 * emu_take_doorbells - take what was rung on every watched page; @emu's adapter is locked
 *
 * The engine's turn begins with it, and so does every firmware command: on a bus a doorbell
 * cannot be overtaken by the command that was written after it.
 */
void emu_take_doorbells(struct emu *emu);

#endif
