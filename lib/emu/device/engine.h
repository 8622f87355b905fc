/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_DEVICE_ENGINE_H
#define EMU_DEVICE_ENGINE_H

#include "emu/base/dev.h"

/**
 * emu_finish_sends - execute the WQEs whose doorbell was rung before this call
 *
 * Skips WQEs that wait for a receiver (pause=on) or for their rate limit; does nothing while the
 * engine is paused. The caller holds the adapter lock.
 */
void emu_finish_sends(struct emu_adapter *a);

/**
 * emu_publish_traffic - add the counts since the last call to the port's struct emu_traffic
 *
 * Called in a turn that moved a frame, in the turn after another port delivered one, at a reset,
 * and when the adapter is destroyed. The launcher can read the sums even after kill -9 has ended
 * the program with the adapter.
 *
 * The caller holds the adapter lock, or destroys the adapter. Does nothing for a port without
 * struct emu_traffic.
 */
void emu_publish_traffic(struct emu *emu);

#endif
