/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_CQ_H
#define EMU_UVERBS_CQ_H

#include "emu/uverbs/uv.h"

/** uv_cq_number - firmware's number of a verbs CQ */
uint32_t uv_cq_number(const struct uv_obj *obj);

#endif
