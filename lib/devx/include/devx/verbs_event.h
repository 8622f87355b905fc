/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_VERBS_EVENT_H
#define DEVX_VERBS_EVENT_H

#include "devx/dev.h"

/**
 * DOC: Events of the verbs context
 *
 *     kernel driver --> descriptor of the context --> devx_verbs_event_read()
 *
 * DEVX has no event for the loss of the device. The kernel reports it, and changes of the port, on
 * the descriptor that each verbs context has. DEVX_VERBS_DEVICE_FATAL is the last event.
 *
 * Source: rdma-core ibv_get_async_event(3); Linux
 * drivers/infiniband/core/uverbs_std_types_async_fd.c.
 */

/** enum devx_verbs_event - events of the verbs context */
enum devx_verbs_event {
	DEVX_VERBS_DEVICE_FATAL, /* the device failed, or the kernel removes its driver */
	DEVX_VERBS_PORT_UP,
	DEVX_VERBS_PORT_DOWN,
	DEVX_VERBS_OTHER, /* such as a change of the GID table */
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_verbs_event_open - prepare the descriptor of the verbs context
 * @dev: open device
 * @fd: receives the descriptor, non-blocking; readable while an event is pending. @dev owns it
 *
 * Context: control path; one thread per @dev.
 *
 * Return: 0, or -errno of fcntl(2).
 */
int devx_verbs_event_open(struct devx_dev *dev, int *fd);

/**
 * devx_verbs_event_read - read and acknowledge the oldest event
 * @dev: open device; devx_verbs_event_open() was called
 * @event: receives the event; unchanged on failure
 *
 * Stores no reason of a failure in the device.
 *
 * Context: any thread; one thread per @dev calls it, beside the control path. Does not sleep.
 *
 * Return: 0, or
 *   -EAGAIN  no event is pending; also returned after the last event
 *   others   as the kernel returned them
 */
int devx_verbs_event_read(struct devx_dev *dev, enum devx_verbs_event *event);

#ifdef __cplusplus
}
#endif

#endif
