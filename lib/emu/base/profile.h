/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PROFILE_H
#define EMU_PROFILE_H

#include "emu/base/caps.h"

/** emu_profile_cx6dx - a ConnectX-6 Dx, as far as emu models it */
extern const struct emu_profile emu_profile_cx6dx;
/** emu_profile_small - the same with tiny limits: catches a driver that assumes large ones */
extern const struct emu_profile emu_profile_small;
/** emu_profile_roce - emu_profile_cx6dx with what a kernel does to start RoCE, and no transport */
extern const struct emu_profile emu_profile_roce;

#endif
