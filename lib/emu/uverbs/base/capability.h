/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_BASE_CAPABILITY_H
#define EMU_UVERBS_BASE_CAPABILITY_H

#include <stdbool.h>
#include <stdint.h>

/**
 * uv_has_granted - check whether DEVX_EMU_CAPS names a Linux capability; without it none is named
 *
 * For ipc_lock, because a program that has it is not bound by devx-emu --memlock.
 */
bool uv_has_granted(const char *name);
/**
 * uv_has_capability - check whether the program has a Linux capability, "net_raw" or "sys_rawio"
 *
 * The environment variable DEVX_EMU_CAPS lists the capabilities; without it the program has all.
 */
bool uv_has_capability(const char *name);

/** uv_get_capabilities - get all of them as one number, for a process of the same build */
uint32_t uv_get_capabilities(void);

#endif
