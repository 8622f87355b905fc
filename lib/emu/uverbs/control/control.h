/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_CONTROL_CONTROL_H
#define EMU_UVERBS_CONTROL_CONTROL_H

#include "emu/uverbs/emu_ctl.h"
#include "emu/uverbs/base/uv.h"

/** uv_ctl_emu - the function of a port, NULL before it was powered on */
struct emu *uv_ctl_emu(unsigned port);
/** uv_ctl_counters - struct devx_emu_ctl's counters */
int uv_ctl_counters(unsigned port, struct devx_emu_counters *c, size_t bytes);

#endif
