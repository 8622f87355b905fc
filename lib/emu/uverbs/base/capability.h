/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_BASE_CAPABILITY_H
#define EMU_UVERBS_BASE_CAPABILITY_H

#include <stdbool.h>
#include <stdint.h>

/**
 * uv_has_granted - check whether DEVX_EMU_CAPS names a Linux capability; false if it is not set
 *
 * Needed for "ipc_lock", which exempts a program from devx-emu --memlock only if it is named.
 */
bool uv_has_granted(const char *name);
/**
 * uv_has_capability - check whether the program has a Linux capability, "net_raw" or "sys_rawio"
 *
 * The environment variable DEVX_EMU_CAPS lists the capabilities. If it is not set, the program has
 * all of them.
 */
bool uv_has_capability(const char *name);

/** uv_get_capabilities - get all capabilities as one number, for a process of the same build */
uint32_t uv_get_capabilities(void);

#endif
