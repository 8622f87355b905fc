/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/base/caps.h"
#include "emu/base/profile.h"

void emu_profile_fill_mlx5ctl(struct emu_caps *caps)
{
#define GENERAL(field, value) prm_set(&caps->general, field, value);
#define ETHERNET(field, value) prm_set(&caps->eth, field, value);
#define LEFT(value, field)
#define UNKNOWN(field)
#include "emu/base/profile_mlx5ctl.def"
}
