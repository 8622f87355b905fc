/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/events/fatal.h"

#include <rdma/ib_user_verbs.h>

#include "emu/uverbs/events/event.h"

/* Source: Linux drivers/infiniband/core/uverbs_std_types_async_fd.c. */
void uv_event_report_fatal(const struct uv_dev *dev)
{
	const struct ib_uverbs_async_event_desc desc = { .event_type = UV_EVENT_DEVICE_FATAL };

	uv_event_lock();
	for (struct uv_channel *ch = uv_channels; ch; ch = ch->next)
		if (ch->obj.type == &uv_type_async && ch->obj.file->dev == dev)
			uv_queue_push(ch->queue, NULL, &desc, sizeof(desc), 0);
	uv_event_unlock();
}
