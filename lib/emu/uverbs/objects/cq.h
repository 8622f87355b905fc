/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_OBJECTS_CQ_H
#define EMU_UVERBS_OBJECTS_CQ_H

#include "emu/uverbs/base/uv.h"

/* Linux: MLX5_MAX_CQ_COUNT, MLX5_MAX_CQ_PERIOD */
enum { UV_MAX_CQ_COUNT = (1 << 16) - 1, UV_MAX_CQ_PERIOD = (1 << 12) - 1 };

/** uv_cq_number - firmware's number of a verbs CQ */
uint32_t uv_cq_number(const struct uv_obj *obj);

#endif
