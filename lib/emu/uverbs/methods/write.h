/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_METHODS_WRITE_H
#define EMU_UVERBS_METHODS_WRITE_H

#include "emu/uverbs/calls/call.h"

extern const struct uv_method uv_methods_write[];

#endif
