/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_REMOTE_RPC_H
#define EMU_UVERBS_REMOTE_RPC_H

#include <stddef.h>
#include <stdint.h>

/**
 * DOC: Messages between two processes that share an adapter
 *
 *     caller                          owner of the adapter
 *        | ---- request, descriptors --> |
 *        | <--- DESCRIBE ---             |   if the request registers memory: which files is it?
 *        | ---- segments, files -------> |
 *        | <--- answer, descriptors ---- |
 *
 * A stream socket carries them. Both processes have the same build of libdevx-emu.so, so a message
 * is a struct uv_rpc, its body of @bytes bytes, and descriptors beside the struct.
 */

/** enum uv_rpc_kind - what a message asks for. arg[]: as the comments say */
enum uv_rpc_kind {
	UV_RPC_OPEN,    /* port, flags of open(); the answer has the uverbs file */
	UV_RPC_IOCTL,   /* capabilities; body: marshal.h; fd 0: the uverbs file */
	UV_RPC_MAP,     /* offset, length, prot, flags of mmap(); fd 0: the uverbs file */
	UV_RPC_HOLD,    /* fd 0: a file that the process is going to use */
	UV_RPC_UNMAP,   /* inode of the uverbs file, offset */
	UV_RPC_READ,    /* length, not 0: O_NONBLOCK; fd 0: the event file; the answer has a body */
	UV_RPC_RELEASE, /* device and inode of a file that the caller has closed */
	UV_RPC_DESCRIBE, /* address, length, not 0: for writing; from the owner */
	UV_RPC_ANSWER,   /* @rc: 0 or -errno */
	UV_RPC_REFUSAL,  /* as ANSWER, from an owner that does not serve the caller */
};

enum { UV_RPC_ARGS = 4, UV_RPC_MAX_FDS = 64, UV_RPC_MAX_BYTES = 4 << 20 };

/** struct uv_rpc - a message */
struct uv_rpc {
	uint32_t kind, bytes, n_fds;
	int32_t rc;
	uint64_t arg[UV_RPC_ARGS];

	/* numbers in the process that sends or receives, not sent */
	int fd[UV_RPC_MAX_FDS];
	void *body; /* the receiver calls uv_rpc_clear() */
};

/** uv_rpc_send - send a message. Return: 0, or -EPIPE: the other process has closed the socket */
int uv_rpc_send(int sock, const struct uv_rpc *m);
/**
 * uv_rpc_receive - wait for a message
 * @m: receives it; its descriptors have numbers from 100 on, so that programs do not meet them
 *
 * Return: 0; -EPIPE: the other process has ended, or sent what it cannot mean; -EAGAIN: the time
 * limit of the socket; -ENOMEM. After a failure @m has no body and no descriptor
 */
int uv_rpc_receive(int sock, struct uv_rpc *m);
/** uv_rpc_clear - free the body, and close the descriptors that are not -1 */
void uv_rpc_clear(struct uv_rpc *m);
/** uv_rpc_raise_fd - move a descriptor to a number from 100 on. Return: the number, or @fd */
int uv_rpc_raise_fd(int fd);

#endif
