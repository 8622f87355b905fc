/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_METHODS_PP_H
#define EMU_UVERBS_METHODS_PP_H

#include "emu/uverbs/calls/call.h"

extern const struct uv_method uv_methods_pp[];

#endif
