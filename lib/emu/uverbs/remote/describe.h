/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_REMOTE_DESCRIBE_H
#define EMU_UVERBS_REMOTE_DESCRIBE_H

#include "emu/uverbs/remote/rpc.h"

/** struct uv_segment - a part of a range of memory, and the file that it shows */
struct uv_segment {
	uint64_t addr, bytes;
	uint64_t off; /* offset of @addr in the file */
	uint32_t fd;  /* number in the message */
	uint32_t unused;
};

/**
 * uv_describe_memory - find the files that the memory of this process shows
 * @m: DESCRIBE; becomes the answer: segments in ascending order from the address on, as many as
 * have descriptors in one message. m->rc: 0; -EFAULT: not mapped, or not writable; -EOPNOTSUPP: no
 * shared memory, or its file cannot be opened; -ENOMEM
 */
void uv_describe_memory(struct uv_rpc *m);

#endif
