/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <infiniband/mlx5dv.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "devx/core/fail.h"
#include "devx/event.h"
#include "devx/verbs_event.h"
#include "prm/values.h"

static int set_nonblocking(struct devx_dev *dev, int fd, const char *what)
{
	const int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0)
		return devx_fail_sys(dev, errno, "cannot make the descriptor of %s non-blocking",
				     what);
	return 0;
}

int devx_event_channel_create(struct devx_event_channel *ch, struct devx_dev *dev,
			      bool without_data)
{
	int rc;

	ch->dev = dev;
	ch->without_data = without_data;
	errno = 0;
	ch->channel = mlx5dv_devx_create_event_channel(
		dev->ctx, without_data ? MLX5DV_DEVX_CREATE_EVENT_CHANNEL_FLAGS_OMIT_EV_DATA : 0);
	if (!ch->channel) {
		rc = devx_fail_sys(dev, errno ? errno : ENOMEM, "cannot create an event channel");
		*ch = (struct devx_event_channel){ 0 };
		return rc;
	}
	ch->fd = ch->channel->fd;
	rc = set_nonblocking(dev, ch->fd, "an event channel");
	if (rc)
		devx_event_channel_destroy(ch);
	return rc;
}

void devx_event_channel_destroy(struct devx_event_channel *ch)
{
	if (ch->channel)
		mlx5dv_devx_destroy_event_channel(ch->channel);
	*ch = (struct devx_event_channel){ 0 };
}

/* Stores the reason why the kernel refused a subscription. @subject lists the event types. */
static int report_refusal(struct devx_event_channel *ch, int err, const char *subject,
			  const void *obj)
{
	if (err != EINVAL)
		return devx_fail_sys(ch->dev, err, "cannot subscribe to %s", subject);
	return devx_fail(ch->dev, -EINVAL,
			 "%s: the kernel does not allow a subscription for %s (valid: events in "
			 "the device's masks; without capability event_cap: %s)",
			 subject, obj ? "this object" : "the device",
			 obj ? "COMP of a CQ, errors of a queue" : "0x09 = PORT_CHANGE");
}

int devx_event_subscribe(struct devx_event_channel *ch, struct mlx5dv_devx_obj *obj,
			 const uint16_t *types, size_t n_types, uint64_t cookie)
{
	uint16_t list[DEVX_EVENT_MAX_TYPES];
	char subject[DEVX_EVENT_MAX_TYPES * sizeof("0xffff, ") + sizeof("event ")] = "event ";
	int err;

	if (!types || !n_types || n_types > DEVX_EVENT_MAX_TYPES)
		return devx_fail(ch->dev, -EINVAL,
				 "event subscription: %zu types are invalid (valid: 1 to %d)",
				 types ? n_types : 0, DEVX_EVENT_MAX_TYPES);
	memcpy(list, types, n_types * sizeof(list[0]));
	err = mlx5dv_devx_subscribe_devx_event(ch->channel, obj,
					       (uint16_t)(n_types * sizeof(list[0])), list, cookie);
	if (!err)
		return 0;
	for (size_t i = 0; i < n_types; i++) {
		const size_t n = strlen(subject);

		snprintf(subject + n, sizeof(subject) - n, "%s0x%02x", i ? ", " : "", types[i]);
	}
	return report_refusal(ch, err, subject, obj);
}

/*
 * EINVAL has two meanings: the descriptor is not an eventfd, or the kernel does not allow the type.
 * The message names both, because only the type of the descriptor tells them apart.
 */
int devx_event_subscribe_fd(struct devx_event_channel *ch, struct mlx5dv_devx_obj *obj,
			    uint16_t type, int fd)
{
	const int err = mlx5dv_devx_subscribe_devx_event_fd(ch->channel, fd, obj, type);

	if (!err)
		return 0;
	if (err == EINVAL)
		return devx_fail(
			ch->dev, -EINVAL,
			"event 0x%02x: descriptor %d is not an eventfd, or the kernel does "
			"not allow a subscription for %s",
			type, fd, obj ? "this object" : "the device");
	return devx_fail_sys(ch->dev, err, "cannot subscribe descriptor %d to event 0x%02x", fd,
			     type);
}

/* Source: Linux struct mlx5_eqe_{comp,cq_err,qp_srq,port_state}. */
static void parse_eqe(struct devx_event *event)
{
	const struct prm_eqe *eqe = &event->eqe;

	event->type = eqe->type;
	event->sub_type = eqe->sub_type;
	switch (eqe->type) {
	case PRM_EVENT_CQ_ERROR:
		event->number = prm_be32_get(eqe->data[PRM_EQE_CQ_ERROR_CQN]) & PRM_EQE_NUMBER_MASK;
		event->syndrome = (uint8_t)prm_be32_get(eqe->data[PRM_EQE_CQ_ERROR_SYNDROME]);
		return;
	case PRM_EVENT_PORT_CHANGE:
		event->number = prm_be32_get(eqe->data[PRM_EQE_PORT]) >> PRM_EQE_PORT_SHIFT;
		return;
	case PRM_EVENT_COMP:
		event->number = prm_be32_get(eqe->data[PRM_EQE_NUMBER]) & PRM_EQE_NUMBER_MASK;
		return;
	case PRM_EVENT_PATH_MIG:
	case PRM_EVENT_COMM_EST:
	case PRM_EVENT_SQ_DRAINED:
	case PRM_EVENT_WQ_CATAS_ERROR:
	case PRM_EVENT_PATH_MIG_FAILED:
	case PRM_EVENT_WQ_INVAL_REQ_ERROR:
	case PRM_EVENT_WQ_ACCESS_ERROR:
	case PRM_EVENT_SRQ_CATAS_ERROR:
	case PRM_EVENT_SRQ_LAST_WQE:
	case PRM_EVENT_SRQ_RQ_LIMIT:
		event->queue_type = (uint8_t)(prm_be32_get(eqe->data[PRM_EQE_QUEUE_TYPE]) >>
					      PRM_EQE_QUEUE_TYPE_SHIFT);
		event->number = prm_be32_get(eqe->data[PRM_EQE_NUMBER]) & PRM_EQE_NUMBER_MASK;
		return;
	}
}

static bool is_readable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 0) > 0;
}

/*
 * Linux reports the end of a channel only through poll(2): once the device is removed, the channel
 * is always readable, but a read returns EAGAIN. An event that arrives between the read and the
 * poll also makes the channel readable, so a second read tells the two cases apart.
 */
static ssize_t read_message(struct devx_event_channel *ch, struct mlx5dv_devx_async_event_hdr *hdr,
			    size_t bytes)
{
	ssize_t n = mlx5dv_devx_get_event(ch->channel, hdr, bytes);

	if (n >= 0 || errno != EAGAIN)
		return n < 0 ? -errno : n;
	if (!is_readable(ch->fd))
		return -EAGAIN;
	n = mlx5dv_devx_get_event(ch->channel, hdr, bytes);
	if (n >= 0)
		return n;
	return errno == EAGAIN ? -EIO : -errno;
}

int devx_event_read(struct devx_event_channel *ch, struct devx_event *event)
{
	union {
		struct mlx5dv_devx_async_event_hdr hdr;
		uint8_t bytes[sizeof(struct mlx5dv_devx_async_event_hdr) + sizeof(struct prm_eqe)];
	} msg;
	const ssize_t n = read_message(ch, &msg.hdr, sizeof(msg));

	if (n < 0)
		return (int)n;
	*event = (struct devx_event){ .cookie = msg.hdr.cookie,
				      .has_data = n == (ssize_t)sizeof(msg) };
	if (event->has_data) {
		memcpy(&event->eqe, msg.bytes + sizeof(msg.hdr), sizeof(event->eqe));
		parse_eqe(event);
	}
	return 0;
}

int devx_verbs_event_open(struct devx_dev *dev, int *fd)
{
	const int rc = set_nonblocking(dev, dev->ctx->async_fd, "the verbs context");

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
