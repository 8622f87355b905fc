/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_TIS_H
#define EMU_QUEUE_TIS_H

#include "emu/base/obj.h"

/** struct emu_td - transport domain; has no state of its own */
struct emu_td {
	struct emu_obj obj;
};

/** struct emu_tis - transport interface send, which an SQ needs to send frames */
struct emu_tis {
	struct emu_obj obj;
	struct emu_td *td;
	struct prm_tisc ctx;
};

#endif
