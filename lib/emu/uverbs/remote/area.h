/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_REMOTE_AREA_H
#define EMU_UVERBS_REMOTE_AREA_H

#include <stdbool.h>

#include "emu/uverbs/base/front.h"

/**
 * uv_area_map - map memory of the process at the other end of a socket
 * @sock: the process is waiting there for the answer to its request
 * @write: true: read and write; false: read only
 *
 * Return: 0; -EPIPE: the process has ended; else as uv_caller.map_memory
 */
int uv_area_map(int sock, uint64_t addr, uint64_t bytes, bool write, struct uv_area *area);

#endif
