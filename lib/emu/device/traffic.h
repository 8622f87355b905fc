/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_DEVICE_TRAFFIC_H
#define EMU_DEVICE_TRAFFIC_H

#include "emu/base/dev.h"

/**
 * emu_publish_traffic - add what a port counted since the last call to its struct emu_traffic
 *
 * The caller holds the adapter lock, or destroys the adapter. A port without struct emu_traffic
 * publishes nothing.
 */
void emu_publish_traffic(struct emu *emu);

#endif
