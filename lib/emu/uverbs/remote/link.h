/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_REMOTE_LINK_H
#define EMU_UVERBS_REMOTE_LINK_H

#include <stdbool.h>

#include "emu/uverbs/remote/rpc.h"

/**
 * DOC: The connection of this process to the owner of the adapter
 *
 * There is at most one. All functions need uv_front_lock().
 */

/** uv_link_is_up - check whether the process has a connection, which may be broken already */
bool uv_link_is_up(void);
/** uv_link_use - use @sock, which is connected, from now on */
void uv_link_use(int sock);
/** uv_link_drop - close the socket; sends no message to the owner */
void uv_link_drop(void);
/** uv_link_connect - connect to the owner, if necessary. Return: 0; or -EIO: no owner */
int uv_link_connect(void);
/**
 * uv_link_call - send a request and wait for its answer
 * @m: the request, whose body and descriptors belong to the caller
 * @answer: receives the answer, or zeros; call uv_rpc_clear() in any case
 *
 * Return: answer->rc, which is 0 or -errno; -EIO without an answer: the owner has ended. Then the
 * connection is closed.
 */
int uv_link_call(const struct uv_rpc *m, struct uv_rpc *answer);

/**
 * DOC: Socket and lock of the processes of one devx-emu
 *
 * The owner of the adapter listens on a socket in the private directory of devx-emu. A process
 * holds the lock beside it while it looks for an owner, or becomes the owner.
 */

/** uv_place_lock - wait for the lock. Return: a descriptor for uv_place_unlock(), or -errno */
int uv_place_lock(void);
/** uv_place_unlock - release the lock; does nothing if @fd is negative */
void uv_place_unlock(int fd);
/** uv_place_listen - replace the socket of an old owner. Return: the new socket, or -errno */
int uv_place_listen(void);
/** uv_place_connect - connect to the owner. Return: a socket, or -errno without an owner */
int uv_place_connect(void);
/** uv_place_check - 0 if this user or root connected @sock, as SO_PEERCRED says; else -EPERM */
int uv_place_check(int sock);

#endif
