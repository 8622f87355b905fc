/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ASYNC_H
#define DEVX_ASYNC_H

#include <stddef.h>
#include <stdint.h>

#include "devx/dev.h"

/**
 * DOC: Asynchronous queries
 *
 *     devx_async_query(obj, wr_id) --> firmware --> reply: | wr_id | status, syndrome, ... |
 *                                                     '--> file @fd --> devx_async_take()
 *
 * devx_async_query() only starts a query; the reply arrives later in the file of a channel. The
 * file never blocks: devx_async_take() returns -EAGAIN if it holds no reply. To wait for a reply,
 * poll @fd for POLLIN with poll(2) or epoll(7). Replies of several queries arrive in any order.
 *
 * A channel stores the reason of a failure itself (devx_async_strerror()). One thread at a time
 * uses a channel; this may be another thread than that of the device.
 *
 * Source: rdma-core man pages mlx5dv_devx_obj_query_async(3), mlx5dv_devx_create_cmd_comp(3);
 * Linux drivers/infiniband/hw/mlx5/devx.c, devx_async_cmd_event_read().
 */

struct mlx5dv_devx_cmd_comp;
struct mlx5dv_devx_obj;

enum {
	DEVX_ASYNC_WR_ID_BYTES = 8,     /* length of the wr_id in front of a reply */
	DEVX_ASYNC_MAX_BYTES = 1 << 20, /* all replies in a channel, without their wr_ids */
};

/**
 * struct devx_async - a channel for replies
 * @fd: file that is readable while a reply is pending; for poll(2) and epoll(7) only
 * @comp: handle of rdma-core, or NULL
 * @refusal: reason why the last call on this channel failed
 */
struct devx_async {
	int fd;
	struct mlx5dv_devx_cmd_comp *comp;
	struct devx_refusal refusal;
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_async_create - create a channel
 * @async: all zero; all zero again on failure
 * @dev: open device; must outlive @async; stores the reason of a failure
 *
 * Context: control path; one thread per @dev; may sleep.
 *
 * Return: 0, or
 *   -ENOMEM   out of memory
 *   -EMFILE, -ENFILE   the process, or the machine, has no free file descriptor
 *   others    as the kernel returned them
 */
int devx_async_create(struct devx_async *async, struct devx_dev *dev);

/**
 * devx_async_destroy - undo devx_async_create()
 * @async: a channel, or all zero; all zero afterwards
 *
 * The kernel waits for queries that firmware has not answered, and drops all replies.
 *
 * Context: control path; one thread per @async; may sleep.
 */
void devx_async_destroy(struct devx_async *async);

/**
 * devx_async_query - start a query of an object
 * @async: the channel that receives the reply
 * @obj: handle of the object
 * @in: the mailbox, with its opcode set; the kernel copies it
 * @in_bytes: length of @in
 * @out_bytes: length of the reply, 16 to 65535
 * @wr_id: any number; the reply begins with it
 *
 * Does not wait for firmware. The caller may destroy @obj before the reply arrives; the reply then
 * contains the object's last state or a refusal.
 *
 * Context: any thread; one per @async. Makes one system call.
 *
 * Return: 0, or
 *   -EAGAIN   the replies in the channel and those to unanswered queries would exceed
 *             DEVX_ASYNC_MAX_BYTES
 *   -EINVAL   the kernel does not allow users to send this command, the object number in @in is
 *             not that of @obj, or @out_bytes is invalid
 *   -ENOMEM   out of memory
 *   -EIO      the device was removed
 *   others    as the kernel returned them
 */
int devx_async_query(struct devx_async *async, struct mlx5dv_devx_obj *obj, const void *in,
		     size_t in_bytes, size_t out_bytes, uint64_t wr_id);

/**
 * devx_async_take - take the oldest reply from a channel
 * @async: the channel
 * @reply: receives the wr_id of the query (DEVX_ASYNC_WR_ID_BYTES, host byte order), then the
 *         mailbox; unchanged if no reply was taken. 4-byte aligned
 * @reply_bytes: size of @reply, at least DEVX_ASYNC_WR_ID_BYTES + 16
 *
 * Context: any thread; one per @async. Makes one system call, which never blocks.
 *
 * Return: 0, or
 *   -EAGAIN      no reply is pending; no reason is stored
 *   -EREMOTEIO   firmware refused the query; @reply holds its wr_id, status and syndrome
 *   -ENOSPC      the reply is longer than @reply_bytes; it stays in the channel
 *   -EINVAL      @reply_bytes is too small for wr_id, status and syndrome
 *   -EIO         the device was removed
 *   others       as the kernel returned them
 */
int devx_async_take(struct devx_async *async, void *reply, size_t reply_bytes);

/**
 * devx_async_strerror - describe a failure of devx_async_query() or devx_async_take() in one line
 * @async: channel of the failed call; no other call on @async failed since
 * @rc: value that the call returned
 * @buf: receives the line, as devx_strerror()
 * @bytes: size of @buf, at least 1; DEVX_TEXT_BYTES holds every line
 *
 * Context: the thread that made the call.
 *
 * Return: @buf. If @async holds no reason for @rc, the text of the C library for errno -@rc.
 */
const char *devx_async_strerror(const struct devx_async *async, int rc, char *buf, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
