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
 *        | <--- DESCRIBE ---             |   if the request registers memory: in which files?
 *        | ---- segments, files -------> |
 *        | <--- answer, descriptors ---- |
 *
 * Messages travel on a stream socket. Both processes run the same build of libdevx-emu.so, so a
 * message is a struct uv_rpc with ancillary descriptors, followed by a body of @bytes bytes.
 */

/** enum uv_rpc_kind - kind of a message. The comments list arg[], then descriptors and body */
enum uv_rpc_kind {
	UV_RPC_OPEN,     /* port, flags of open(); the answer has the uverbs file */
	UV_RPC_IOCTL,    /* capabilities; body: marshal.h; fd 0: the uverbs file */
	UV_RPC_MAP,      /* offset, length, prot, flags of mmap(); fd 0: the uverbs file */
	UV_RPC_HOLD,     /* fd 0: a file that the process is going to use */
	UV_RPC_UNMAP,    /* inode of the uverbs file, offset */
	UV_RPC_READ,     /* length; fd 0: the event file; the answer has the message as its body */
	UV_RPC_RELEASE,  /* device and inode of a file that the caller has closed */
	UV_RPC_DESCRIBE, /* address, length, 1: for writing; sent by the owner */
	UV_RPC_ANSWER,   /* @rc: 0 or -errno */
	UV_RPC_REFUSAL,  /* as ANSWER; the owner does not serve the caller */
};

enum { UV_RPC_ARGS = 4, UV_RPC_MAX_FDS = 64, UV_RPC_MAX_BYTES = 4 << 20 };

/** struct uv_rpc - a message */
struct uv_rpc {
	uint32_t kind, bytes, n_fds;
	int32_t rc;
	uint64_t arg[UV_RPC_ARGS];

	/* the struct on the wire ends here */
	int fd[UV_RPC_MAX_FDS]; /* descriptors, by their numbers in this process */
	void *body;             /* the receiver calls uv_rpc_clear() */
};

/** uv_rpc_send - send a message. Return: 0, or -EPIPE: the other process has closed the socket */
int uv_rpc_send(int sock, const struct uv_rpc *m);
/**
 * uv_rpc_receive - wait for a message
 * @m: receives the message; its descriptors are 100 or higher, where programs rarely see them
 *
 * Return: 0; -EPIPE: the other process has ended, or sent a malformed message; -EAGAIN: timeout of
 * the socket; -ENOMEM. After a failure @m has no body and no descriptor
 */
int uv_rpc_receive(int sock, struct uv_rpc *m);
/** uv_rpc_clear - free the body, and close the descriptors that are not -1 */
void uv_rpc_clear(struct uv_rpc *m);
/** uv_rpc_raise_fd - move a descriptor to 100 or higher. Return: the new number; @fd on failure */
int uv_rpc_raise_fd(int fd);

#endif
