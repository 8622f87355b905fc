/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_EVENT_H
#define DEVX_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "devx/dev.h"
#include "prm/cqe.h"

/**
 * DOC: Event channel
 *
 *     CQ, SQ, RQ, port --> subscription (type, cookie) --> channel --> devx_event_read()
 *                               '----> eventfd of the caller, without a message
 *
 * A channel is a descriptor that is readable while an event is pending. A program passes it to
 * poll(2) or epoll(7), and then reads until -EAGAIN. The loss of a device only ends the channel;
 * the kernel reports it on another descriptor (devx/verbs_event.h).
 *
 * A completion event also needs devx_cq_arm(). Poll the CQ once more after arming it.
 *
 * Source: rdma-core mlx5dv_devx_create_event_channel(3), mlx5dv_devx_subscribe_devx_event(3),
 * mlx5dv_devx_get_event(3); Linux drivers/infiniband/hw/mlx5/devx.c; PRM, "Event Queue Entry".
 */

struct mlx5dv_devx_event_channel;
struct mlx5dv_devx_obj;

enum { DEVX_EVENT_MAX_TYPES = 16 }; /* Linux MAX_NUM_EVENTS: types of one subscription */

/**
 * struct devx_event_channel - a queue of events
 * @fd: the descriptor, non-blocking; readable while an event is pending
 * @without_data: events carry only their cookie
 * @channel: handle of rdma-core, or NULL
 * @dev: device of the channel
 */
struct devx_event_channel {
	int fd;
	bool without_data;
	struct mlx5dv_devx_event_channel *channel;
	struct devx_dev *dev;
};

/**
 * struct devx_event - an event
 * @cookie: the cookie of the subscription
 * @has_data: the members below are valid; false on a channel without data
 * @type: enum prm_event
 * @sub_type: kind within @type, such as PRM_PORT_CHANGE_SUBTYPE_DOWN
 * @queue_type: for an event of a QP, SQ or RQ: enum prm_event_queue_type
 * @syndrome: for CQ_ERROR: enum prm_cq_error_syndrome
 * @number: number of the CQ, QP, SQ or RQ, 24 bits; for PORT_CHANGE: the port, from 1; else 0
 * @eqe: the entry as the device wrote it
 */
struct devx_event {
	uint64_t cookie;
	bool has_data;
	uint8_t type;
	uint8_t sub_type;
	uint8_t queue_type;
	uint8_t syndrome;
	uint32_t number;
	struct prm_eqe eqe;
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_event_channel_create - create a channel for events
 * @ch: all zero; all zero again on failure
 * @dev: open device; must outlive @ch
 * @without_data: deliver only cookies. The kernel then merges unread events of a subscription
 *                into one and cannot run out of memory for them.
 *
 * Context: control path; one thread per @dev; may sleep.
 *
 * Return: 0, or
 *   -EMFILE, -ENFILE  the process or the machine has too many open files
 *   -ENOMEM           out of memory
 *   others            as the kernel returned them
 */
int devx_event_channel_create(struct devx_event_channel *ch, struct devx_dev *dev,
			      bool without_data);

/**
 * devx_event_channel_destroy - undo devx_event_channel_create(), with all subscriptions
 * @ch: a complete or partial channel, or all zero; all zero afterwards
 *
 * Unread events are lost.
 *
 * Context: control path; no thread reads @ch or waits for its descriptor.
 */
void devx_event_channel_destroy(struct devx_event_channel *ch);

/**
 * devx_event_subscribe - subscribe a channel to events of an object or of the device
 * @ch: the channel
 * @obj: the object, such as devx_cq.obj; NULL: events of the device, such as PRM_EVENT_PORT_CHANGE
 * @types: types of events, enum prm_event; PRM_EVENT_COMP for completions of a CQ
 * @n_types: length of @types, 1..DEVX_EVENT_MAX_TYPES
 * @cookie: value returned with each event
 *
 * The kernel allows users the types in the capability page of events. Without such a page, these
 * are COMP and the errors of queues for an object, and PORT_CHANGE for the device. A subscription
 * ends with its object or its channel.
 *
 * A device may withhold any type except COMP. A program that can do without an event reads the
 * state instead: devx_cq_query_failed(), devx_verbs_event_read().
 *
 * Context: control path; one thread per device; may sleep.
 *
 * Return: 0, or
 *   -EINVAL  @n_types is out of range, or the kernel does not allow one of @types for @obj: the
 *            device withholds it. The call then subscribes to none of @types
 *   -ENOMEM  out of memory
 *   others   as the kernel returned them
 */
int devx_event_subscribe(struct devx_event_channel *ch, struct mlx5dv_devx_obj *obj,
			 const uint16_t *types, size_t n_types, uint64_t cookie);

/**
 * devx_event_subscribe_fd - make an event increment an eventfd by 1
 * @ch: channel that owns the subscription; it does not receive the event
 * @obj: as for devx_event_subscribe()
 * @type: type of the event
 * @fd: descriptor from eventfd(2); the caller may close it after the call
 *
 * Context: control path; one thread per device; may sleep.
 *
 * Return: 0, or
 *   -EINVAL  @fd is not an eventfd, or the kernel does not allow @type for @obj
 *   -EBADF   @fd is not open
 *   others   as devx_event_subscribe()
 */
int devx_event_subscribe_fd(struct devx_event_channel *ch, struct mlx5dv_devx_obj *obj,
			    uint16_t type, int fd);

/**
 * devx_event_read - read the oldest event
 * @ch: the channel
 * @event: receives the event; unchanged on failure
 *
 * Stores no reason of a failure in the device.
 *
 * Context: any thread; one thread per channel, beside the control path. Does not sleep.
 *
 * Return: 0, or
 *   -EAGAIN     no event is pending
 *   -EOVERFLOW  the kernel lost an event for lack of memory; others may be pending. The caller
 *               must read the state of everything that it subscribed to.
 *   -EIO        the device was removed; no event will follow
 *   others      as the kernel returned them
 */
int devx_event_read(struct devx_event_channel *ch, struct devx_event *event);

#ifdef __cplusplus
}
#endif

#endif
