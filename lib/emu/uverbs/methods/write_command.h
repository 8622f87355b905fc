/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_METHODS_WRITE_COMMAND_H
#define EMU_UVERBS_METHODS_WRITE_COMMAND_H

#include "emu/uverbs/calls/call.h"

/** struct uv_write - a command of the write() interface, inside method INVOKE_WRITE (write.c) */
struct uv_write {
	struct uv_call *call;
	const uint8_t *in; /* the command's struct */
	size_t in_bytes;
};

#endif
