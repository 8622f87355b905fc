/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_REMOTE_PLACE_H
#define EMU_UVERBS_REMOTE_PLACE_H

/**
 * DOC: Where the processes of one devx-emu meet
 *
 * The owner of the adapter listens on a socket in the private directory of devx-emu. A lock beside
 * it lets only one process at a time look for an owner and become the owner.
 */

/** uv_place_lock - wait for the lock. Return: a descriptor for uv_place_unlock(), or -errno */
int uv_place_lock(void);
/** uv_place_unlock - release the lock; does nothing if @fd is negative */
void uv_place_unlock(int fd);
/** uv_place_listen - make the socket, in place of that of an old owner. Return: it, or -errno */
int uv_place_listen(void);
/** uv_place_connect - connect to the owner. Return: a socket; or -errno: there is no owner */
int uv_place_connect(void);
/** uv_place_check - 0 if this user or root connected @sock, as SO_PEERCRED says; else -EPERM */
int uv_place_check(int sock);

#endif
