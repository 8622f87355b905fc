/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/objects/matcher.h"

const struct uv_type uv_type_matcher = { "flow matcher", NULL };
