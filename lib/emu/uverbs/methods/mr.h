/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_METHODS_MR_H
#define EMU_UVERBS_METHODS_MR_H

#include "emu/uverbs/methods/write_command.h"

extern const struct uv_method uv_methods_mr[];

int uv_write_reg_mr(struct uv_write *w);
int uv_write_rereg_mr(struct uv_write *w);

#endif
