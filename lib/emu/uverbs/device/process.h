/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_DEVICE_PROCESS_H
#define EMU_UVERBS_DEVICE_PROCESS_H

#include <stdbool.h>

/**
 * uv_is_launched - were we launched by devx-emu?
 *
 * The first call maps what the launcher left; it comes before anything else.
 */
bool uv_is_launched(void);

#endif
