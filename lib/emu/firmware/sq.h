/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_SQ_H
#define EMU_FIRMWARE_SQ_H

#include "emu/base/obj.h"

/** emu_drop_sq - emu_drop_fn of SQs, and of the send queue of a QP */
void emu_drop_sq(struct emu *emu, struct emu_obj *obj);

#endif
