/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_DEVICE_ENGINE_H
#define EMU_DEVICE_ENGINE_H

#include "emu/base/dev.h"

/**
 * emu_finish_sends - execute the WQEs whose doorbell was rung before this call
 *
 * Leaves those that wait: for a receiver (pause=on), for their rate, or because the engine is
 * paused. The caller holds the adapter lock.
 */
void emu_finish_sends(struct emu_adapter *a);

/**
 * emu_publish_traffic - add what a port counted since the last call to its struct emu_traffic
 *
 * The caller holds the adapter lock, or destroys the adapter. A port without struct emu_traffic
 * publishes nothing.
 */
void emu_publish_traffic(struct emu *emu);

#endif
