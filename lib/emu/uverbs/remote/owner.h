/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_REMOTE_OWNER_H
#define EMU_UVERBS_REMOTE_OWNER_H

#include <stdbool.h>

#include "emu/uverbs/remote/rpc.h"

/**
 * DOC: The connection of this process to the owner of the adapter
 *
 * There is at most one connection. The caller of each function holds uv_front_lock().
 */

/** uv_owner_is_connected - check for a connection, which the owner may have broken already */
bool uv_owner_is_connected(void);
/** uv_owner_use - replace the connection by @sock, which is connected to the owner */
void uv_owner_use(int sock);
/** uv_owner_drop - close the connection without a message to the owner */
void uv_owner_drop(void);
/** uv_owner_connect - connect to the owner if necessary. Return: 0; -EIO: no owner */
int uv_owner_connect(void);
/**
 * uv_owner_call - send a request and wait for its answer
 * @m: the request; its body and descriptors belong to the caller
 * @answer: receives the answer, or zeros; the caller always calls uv_rpc_clear()
 *
 * Closes the connection if the owner has ended or refuses this process.
 *
 * Return: answer->rc, 0 or -errno; -EIO if the owner has ended
 */
int uv_owner_call(const struct uv_rpc *m, struct uv_rpc *answer);

/**
 * DOC: Socket and lock that the processes of one devx-emu share
 *
 * The owner of the adapter listens on a socket in the private directory of devx-emu. A process
 * holds the lock in that directory while it looks for an owner or becomes the owner.
 */

/** uv_place_lock - acquire the lock. Return: a descriptor for uv_place_unlock(), or -errno */
int uv_place_lock(void);
/** uv_place_unlock - release the lock; does nothing if @fd is negative */
void uv_place_unlock(int fd);
/** uv_place_listen - replace the socket of an old owner. Return: the new socket, or -errno */
int uv_place_listen(void);
/** uv_place_connect - connect to the owner. Return: a socket, or -errno: no owner */
int uv_place_connect(void);
/** uv_place_check - check (SO_PEERCRED) that @sock is of this user or root. Return: 0 or -EPERM */
int uv_place_check(int sock);

#endif
