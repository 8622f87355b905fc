/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_CONTROL_FAILURE_H
#define EMU_UVERBS_CONTROL_FAILURE_H

#include "emu/uverbs/emu_ctl.h"

/** uv_arm_failure - devx_emu_ctl.fail() */
void uv_arm_failure(enum devx_emu_fail what, int64_t k, int how);
/** uv_query_failure - devx_emu_ctl.fail_pending() */
int64_t uv_query_failure(enum devx_emu_fail what);

#endif
