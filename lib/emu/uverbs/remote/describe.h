/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_REMOTE_DESCRIBE_H
#define EMU_UVERBS_REMOTE_DESCRIBE_H

#include "emu/uverbs/remote/rpc.h"

/** struct uv_segment - a part of a memory range, and the file that is mapped there */
struct uv_segment {
	uint64_t addr, bytes;
	uint64_t off; /* offset of @addr in the file */
	uint32_t fd;  /* index of the file in uv_rpc.fd */
	uint32_t unused;
};

/**
 * uv_describe_memory - find the files that are mapped in a memory range of this process
 * @m: a DESCRIBE request, replaced by the answer: segments in ascending order, as many as fit into
 * one message. m->rc: 0; -EFAULT: not mapped, or not writable; -EOPNOTSUPP: not shared memory, or
 * its file cannot be opened; -ENOMEM
 */
void uv_describe_memory(struct uv_rpc *m);

#endif
