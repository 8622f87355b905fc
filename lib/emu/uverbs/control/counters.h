/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_CONTROL_COUNTERS_H
#define EMU_UVERBS_CONTROL_COUNTERS_H

#include "emu/uverbs/emu_ctl.h"

/** uv_read_counters - see devx_emu_ctl.counters */
int uv_read_counters(unsigned port, struct devx_emu_counters *c, size_t bytes);

#endif
