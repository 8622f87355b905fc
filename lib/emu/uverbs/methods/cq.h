/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_METHODS_CQ_H
#define EMU_UVERBS_METHODS_CQ_H

#include "emu/uverbs/methods/write_command.h"

extern const struct uv_method uv_methods_cq[];

int uv_write_create_comp_channel(struct uv_write *w);
/* defined in cq_modify.c */
int uv_write_modify_cq_ex(struct uv_write *w);

#endif
