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

/** uv_link_is_up - tell whether the process has a connection, which may be broken already */
bool uv_link_is_up(void);
/** uv_link_use - take a connected socket over */
void uv_link_use(int sock);
/** uv_link_drop - close the socket, without a word to the owner */
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

#endif
