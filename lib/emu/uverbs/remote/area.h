/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_REMOTE_AREA_H
#define EMU_UVERBS_REMOTE_AREA_H

#include <stdbool.h>

#include "emu/uverbs/base/front.h"

/**
 * uv_area_map - map memory of the process behind a socket in this one
 * @sock: the process waits there for the answer of its request
 * @write: true: also for writing
 *
 * Return: 0; -EPIPE: the process has ended; else as uv_caller.map_memory
 */
int uv_area_map(int sock, uint64_t addr, uint64_t bytes, bool write, struct uv_area *area);

#endif
