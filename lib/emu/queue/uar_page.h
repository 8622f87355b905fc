/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_UAR_PAGE_H
#define EMU_QUEUE_UAR_PAGE_H

struct emu;

/**
 * emu_take_doorbells - execute the doorbells on every UAR page; the caller holds the adapter's lock
 *
 * Each turn of the engine and each firmware command begins with this call: on a bus, a command
 * cannot overtake a doorbell that the driver wrote before it.
 */
void emu_take_doorbells(struct emu *emu);

#endif
