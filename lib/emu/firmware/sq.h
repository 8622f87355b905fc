/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_SQ_H
#define EMU_FIRMWARE_SQ_H

#include "emu/base/obj.h"

/** emu_drop_sq - release the references of an SQ, or of the send queue of a QP: an emu_drop_fn */
void emu_drop_sq(struct emu *emu, struct emu_obj *obj);

#endif
