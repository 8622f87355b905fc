/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Subscriptions to events.
 */
#include <fcntl.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "prm/cqe.h"
#include "probes.h"

/** struct wish - the arguments of a subscription */
struct wish {
	int channel;
	int64_t obj; /* handle of the object; < 0: the device */
	const uint16_t *events;
	size_t bytes;
	bool cookie, redirect;
	int redirect_fd;
};

static void probe_subscription(const struct world *w, const char *name, const struct wish *wish)
{
	struct ask a = ask_of(MLX5_IB_OBJECT_DEVX, MLX5_IB_METHOD_DEVX_SUBSCRIBE_EVENT);

	ask_obj(&a, "channel", MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_HANDLE, wish->channel);
	if (wish->obj >= 0)
		ask_obj(&a, "obj", MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_OBJ_HANDLE, wish->obj);
	ask_in(&a, "events", MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_TYPE_NUM_LIST, wish->events,
	       wish->bytes);
	if (wish->cookie)
		ask_num(&a, "cookie", MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_COOKIE, 7);
	if (wish->redirect)
		ask_num32(&a, "fd", MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_NUM,
			  (uint32_t)wish->redirect_fd);
	say_answer(ask_send(&a, w->mine.fd), SAY_NO_STATUS, "subscribe %s", name);
}

static void probe_each_event(const struct world *w, const struct wish *base)
{
	for (uint16_t event = 0; event < 0x200; event = event < 0x40 ? event + 1 : event + 0x40) {
		struct wish wish = *base;
		char name[48];

		wish.events = &event;
		wish.bytes = sizeof(event);
		snprintf(name, sizeof(name), "event-0x%x of %s", event,
			 base->obj < 0 ? "the-device" : "a-cq");
		probe_subscription(w, name, &wish);
	}
}

static void probe_each_object(const struct world *w, const struct wish *base)
{
	static const char *const names[N_THINGS] = {
#define THING(name) [THING_##name] = #name,
#include "things.def"
	};

	for (int i = 0; i < N_THINGS; i++) {
		struct wish wish = *base;
		char name[64];

		wish.obj = w->mine.o[i].handle;
		snprintf(name, sizeof(name), "event-0x5 of %s", names[i]);
		if (w->mine.o[i].made)
			probe_subscription(w, name, &wish);
	}
}

static void probe_event_lists(const struct world *w, struct wish wish)
{
	static const uint16_t of_cq[] = { 0, 4 }, twice[] = { 4, 4 };
	static uint16_t many[17];

	wish.bytes = 0;
	probe_subscription(w, "list empty", &wish);
	wish.bytes = 1;
	probe_subscription(w, "list one-byte", &wish);
	wish.bytes = 3;
	probe_subscription(w, "list three-bytes", &wish);
	wish.events = of_cq;
	wish.bytes = sizeof(of_cq);
	probe_subscription(w, "list of two", &wish);
	wish.events = twice;
	probe_subscription(w, "list of the-same-twice", &wish);
	wish.events = many;
	wish.bytes = sizeof(many) - sizeof(many[0]);
	probe_subscription(w, "list of 16", &wish);
	wish.bytes = sizeof(many);
	probe_subscription(w, "list of 17", &wish);
	wish.bytes -= 1;
	probe_subscription(w, "list of 33-bytes", &wish);
	wish.events = ask_nowhere();
	wish.bytes = sizeof(many) - sizeof(many[0]);
	probe_subscription(w, "list nowhere", &wish);
}

static void probe_channel_arguments(const struct world *w, struct wish wish)
{
	const int event = eventfd(0, EFD_CLOEXEC), null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct ask theirs = event_fd_of(0), commands = cmd_fd_of();

	wish.cookie = wish.redirect = true;
	wish.redirect_fd = event;
	probe_subscription(w, "cookie and-eventfd", &wish);
	wish.cookie = false;
	probe_subscription(w, "eventfd", &wish);
	wish.redirect_fd = -1;
	probe_subscription(w, "eventfd -1", &wish);
	wish.redirect_fd = 1000;
	probe_subscription(w, "eventfd closed", &wish);
	wish.redirect_fd = wish.channel;
	probe_subscription(w, "eventfd of-another-kind", &wish);
	wish.redirect = false;
	wish.cookie = true;
	wish.channel = -1;
	probe_subscription(w, "channel -1", &wish);
	wish.channel = 1000;
	probe_subscription(w, "channel closed", &wish);
	wish.channel = null;
	probe_subscription(w, "channel of-another-kind", &wish);
	if (!ask_send(&commands, w->mine.fd)) {
		wish.channel = (int)ask_handle(&commands);
		probe_subscription(w, "channel of-commands", &wish);
		close(wish.channel);
	}
	if (!ask_send(&theirs, w->theirs.fd)) {
		wish.channel = (int)ask_handle(&theirs);
		probe_subscription(w, "channel of-theirs", &wish);
		close(wish.channel);
	}
	close(event);
	close(null);
}

void probe_events(const struct world *w)
{
	static const uint16_t first[4] = { PRM_EVENT_WQ_CATAS_ERROR };
	struct ask a = event_fd_of(0);
	struct wish wish = {
		.obj = -1, .events = first, .bytes = sizeof(first[0]), .cookie = true
	};

	if (ask_send(&a, w->mine.fd))
		return;
	wish.channel = (int)ask_handle(&a);
	probe_each_event(w, &wish);
	probe_each_object(w, &wish);
	wish.obj = w->mine.o[THING_create_cq].handle;
	probe_each_event(w, &wish);
	probe_event_lists(w, wish);
	probe_channel_arguments(w, wish);
	wish.obj = w->mine.cq->handle;
	probe_subscription(w, "event-0x5 of verbs-cq", &wish);
	wish.obj = NO_HANDLE;
	probe_subscription(w, "event-0x5 of nothing", &wish);
	close(wish.channel);
}
