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
 * Called in a turn that moved a frame, in the turn after another port delivered one, at a reset,
 * and when the adapter is destroyed. The launcher can read the sums even after kill -9 has ended
 * the program that had the adapter.
 *
 * The caller holds the adapter lock, or destroys the adapter. A port without struct emu_traffic
 * publishes nothing.
 */
void emu_publish_traffic(struct emu *emu);

#endif
