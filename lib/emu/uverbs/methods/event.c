/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Methods of event files: asynchronous events, DEVX command completions, DEVX events.
 */
#include "emu/uverbs/methods/methods.h"

#include <errno.h>
#include <fcntl.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/base/object.h"
#include "emu/uverbs/calls/attr.h"
#include "emu/uverbs/events/event.h"
#include "emu/uverbs/objects/devx.h"

enum { MAX_EVENTS = 16, MAX_EVENT_NUMBER = 255 };

static int channel_alloc(struct uv_call *c, uint16_t id, const struct uv_type *type,
			 enum uv_queue_kind kind, bool omit)
{
	struct uv_channel *ch;
	int fd, rc = uv_channel_open(c->file, type, kind, &ch, &fd);

	if (rc)
		return rc;
	ch->omit = omit;
	rc = uv_obj_add(&ch->obj);
	if (!rc)
		rc = uv_attr_publish_fd(c, id, fd);
	if (rc)
		uv_channel_discard(ch, fd);
	return rc;
}

static int async_alloc(struct uv_call *c)
{
	return channel_alloc(c, UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE, &uv_type_async,
			     UV_QUEUE_ASYNC, false);
}

static int cmd_fd_alloc(struct uv_call *c)
{
	return channel_alloc(c, MLX5_IB_ATTR_DEVX_ASYNC_CMD_FD_ALLOC_HANDLE, &uv_type_cmd_fd,
			     UV_QUEUE_COMMAND, false);
}

static int event_fd_alloc(struct uv_call *c)
{
	uint64_t flags;
	const int rc = uv_attr_get_flags(c, MLX5_IB_ATTR_DEVX_ASYNC_EVENT_FD_ALLOC_FLAGS,
					 MLX5_IB_UAPI_DEVX_CR_EV_CH_FLAGS_OMIT_DATA, &flags);

	return rc ? rc
		  : channel_alloc(c, MLX5_IB_ATTR_DEVX_ASYNC_EVENT_FD_ALLOC_HANDLE,
				  &uv_type_event_fd, UV_QUEUE_EVENT, flags != 0);
}

/*
 * Applies when firmware has no event_cap.
 * Source: Linux devx.c, is_legacy_{obj,unaffiliated}_event_num.
 */
static bool is_legacy_event(uint16_t event, bool of_object)
{
	static const uint8_t of_objects[] = {
		PRM_EVENT_COMP,
		PRM_EVENT_PATH_MIG,
		PRM_EVENT_COMM_EST,
		PRM_EVENT_SQ_DRAINED,
		PRM_EVENT_CQ_ERROR,
		PRM_EVENT_WQ_CATAS_ERROR,
		PRM_EVENT_PATH_MIG_FAILED,
		PRM_EVENT_WQ_INVAL_REQ_ERROR,
		PRM_EVENT_WQ_ACCESS_ERROR,
		PRM_EVENT_SRQ_CATAS_ERROR,
		PRM_EVENT_SRQ_LAST_WQE,
		PRM_EVENT_SRQ_RQ_LIMIT,
		PRM_EVENT_DCT_DRAINED,
		PRM_EVENT_DCT_KEY_VIOLATION,
		PRM_EVENT_XRQ_ERROR,
	};

	if (!of_object)
		return event == PRM_EVENT_PORT_CHANGE;
	return memchr(of_objects, event, sizeof(of_objects));
}

/*
 * Returns true if a user may subscribe to @event. @of_object: of an object, not of the device. Any
 * object may raise completion events. Source: Linux devx.c, is_valid_events.
 */
static bool may_subscribe(const struct uv_dev *dev, uint16_t event, bool of_object)
{
	if (event > MAX_EVENT_NUMBER)
		return false;
	if (!prm_get(&dev->general, event_cap))
		return is_legacy_event(event, of_object);
	if (!of_object)
		return prm_get_at(&dev->event, user_unaffiliated_events, event / 64) >> event % 64 &
		       1;
	return event == PRM_EVENT_COMP ||
	       (prm_get_at(&dev->event, user_affiliated_events, event / 64) >> event % 64 & 1);
}

/* Source: Linux fs/eventfd.c, eventfd_ctx_fdget. */
static int check_eventfd(int fd)
{
	static const char eventfd[] = "anon_inode:[eventfd]";
	char path[32], what[sizeof(eventfd)];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = readlink(path, what, sizeof(what));
	if (n < 0)
		return -EBADF;
	return n == sizeof(eventfd) - 1 && !memcmp(what, eventfd, (size_t)n) ? 0 : -EINVAL;
}

static int subscribe_event(const struct uv_sub *like, uint16_t event,
			   const struct uv_attr *redirect)
{
	struct uv_sub sub = *like;
	int rc;

	sub.event = event;
	if (redirect) {
		const int fd = (int)(int32_t)redirect->value;

		rc = check_eventfd(fd);
		if (rc)
			return rc;
		sub.eventfd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
		if (sub.eventfd < 0)
			return -EBADF;
	}
	rc = uv_sub_add(&sub);
	if (rc && sub.eventfd >= 0)
		uv_real_close(sub.eventfd);
	return rc;
}

static int subscribe_events(struct uv_call *c)
{
	const struct uv_devx *o = uv_attr_get_obj(c, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_OBJ_HANDLE);
	const struct uv_attr *fd = uv_attr_find(c, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_NUM);
	const struct uv_attr *cookie = uv_attr_find(c, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_COOKIE);
	const struct uv_sub like = {
		.dev = c->dev,
		.eventfd = -1,
		.obj = o ? &o->obj : NULL,
		.id = o ? o->id : 0,
		.channel = uv_attr_get_obj(c, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_HANDLE),
		.cookie = cookie ? cookie->value : 0,
	};
	size_t bytes;
	const uint8_t *list =
		uv_attr_get_bytes(c, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_TYPE_NUM_LIST, &bytes);
	uint16_t event[MAX_EVENTS];
	int rc = 0;

	if (!c->file->uid || (fd && cookie) || bytes % sizeof(event[0]) || bytes > sizeof(event))
		return -EINVAL;
	memcpy(event, list, bytes);
	for (size_t i = 0; i < bytes / sizeof(event[0]); i++)
		if (!may_subscribe(c->dev, event[i], o))
			return -EINVAL;
	for (size_t i = 0; !rc && i < bytes / sizeof(event[0]); i++)
		rc = subscribe_event(&like, event[i], fd);
	return rc;
}

const struct uv_method uv_methods_event[] = {
	{ UVERBS_OBJECT_ASYNC_EVENT, UVERBS_METHOD_ASYNC_EVENT_ALLOC, .run = async_alloc,
	  .attrs = { UV_ATTR_FD(UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE, UV_NEW,
				&uv_type_async) } },
	{ MLX5_IB_OBJECT_DEVX_ASYNC_CMD_FD, MLX5_IB_METHOD_DEVX_ASYNC_CMD_FD_ALLOC,
	  .run = cmd_fd_alloc,
	  .attrs = { UV_ATTR_FD(MLX5_IB_ATTR_DEVX_ASYNC_CMD_FD_ALLOC_HANDLE, UV_NEW,
				&uv_type_cmd_fd) } },
	{ MLX5_IB_OBJECT_DEVX_ASYNC_EVENT_FD, MLX5_IB_METHOD_DEVX_ASYNC_EVENT_FD_ALLOC,
	  .run = event_fd_alloc,
	  .attrs = { UV_ATTR_FD(MLX5_IB_ATTR_DEVX_ASYNC_EVENT_FD_ALLOC_HANDLE, UV_NEW,
				&uv_type_event_fd),
		     UV_ATTR_FLAGS(MLX5_IB_ATTR_DEVX_ASYNC_EVENT_FD_ALLOC_FLAGS) } },
	{ MLX5_IB_OBJECT_DEVX, MLX5_IB_METHOD_DEVX_SUBSCRIBE_EVENT, .run = subscribe_events,
	  .attrs = { UV_ATTR_FD(MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_HANDLE, UV_READ,
				&uv_type_event_fd),
		     { MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_OBJ_HANDLE, UV_IDR, UV_READ, UV_OPTIONAL,
		       .type = &uv_type_devx },
		     { MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_TYPE_NUM_LIST, UV_IN, .min = 2,
		       .max = UV_ANY_LENGTH },
		     { MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_COOKIE, UV_IN, .min = 8, .max = 8,
		       UV_OPTIONAL },
		     { MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_NUM, UV_IN, .min = 4, .max = 4,
		       UV_OPTIONAL, .is_fd = true } } },
	{ .run = NULL },
};
