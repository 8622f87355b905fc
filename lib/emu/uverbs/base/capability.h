/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_BASE_CAPABILITY_H
#define EMU_UVERBS_BASE_CAPABILITY_H

#include <stdbool.h>

/** uv_has_capability - does the process have a Linux capability ("net_raw", "sys_rawio")? */
bool uv_has_capability(const char *name);

#endif
