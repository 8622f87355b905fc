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

#endif
