/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <infiniband/verbs.h>

#include "devx/core/fd.h"
#include "devx/verbs_event.h"

int devx_verbs_event_open(struct devx_dev *dev, int *fd)
{
	const int rc = devx_fd_set_nonblocking(dev, dev->ctx->async_fd, "the verbs context");

	if (!rc)
		*fd = dev->ctx->async_fd;
	return rc;
}

int devx_verbs_event_read(struct devx_dev *dev, enum devx_verbs_event *event)
{
	struct ibv_async_event ev;

	errno = 0;
	if (ibv_get_async_event(dev->ctx, &ev))
		return errno ? -errno : -EIO;
	switch (ev.event_type) {
	case IBV_EVENT_DEVICE_FATAL:
		*event = DEVX_VERBS_DEVICE_FATAL;
		break;
	case IBV_EVENT_PORT_ACTIVE:
		*event = DEVX_VERBS_PORT_UP;
		break;
	case IBV_EVENT_PORT_ERR:
		*event = DEVX_VERBS_PORT_DOWN;
		break;
	default:
		*event = DEVX_VERBS_OTHER;
	}
	ibv_ack_async_event(&ev);
	return 0;
}
