/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Assumptions about the events that users may subscribe to. No frame is sent.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "checks.h"
#include "devx/event.h"

static const struct event {
	const char *name;
	uint16_t type;
	bool of_cq, of_sq; /* else of the device */
} events[] = {
	{ "PORT_CHANGE of the device", PRM_EVENT_PORT_CHANGE, false, false },
	{ "CQ_ERROR of a CQ", PRM_EVENT_CQ_ERROR, true, false },
	{ "WQ_CATAS_ERROR of an SQ", PRM_EVENT_WQ_CATAS_ERROR, false, true },
};

/* Appends the names of the events that the kernel does not allow to @refused. */
static bool try_events(const struct rig *rig, struct devx_event_channel *ch, char *refused,
		       size_t bytes, struct finding *f)
{
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		const struct event *e = &events[i];
		struct mlx5dv_devx_obj *obj = e->of_cq   ? rig->send_cq.obj
					      : e->of_sq ? rig->sq.obj
							 : NULL;
		const int rc = devx_event_subscribe(ch, obj, &e->type, 1, 0);
		const size_t n = strlen(refused);

		if (rc == -EINVAL)
			snprintf(refused + n, bytes - n, "%s%s", n ? ", " : "", e->name);
		else if (!could_prepare(f, rig->dev, rc))
			return false;
	}
	return true;
}

void check_event_masks_have_errors_and_link(struct adapter *at, struct finding *f)
{
	struct devx_event_channel ch = { 0 };
	char refused[128] = "";
	struct rig rig = { 0 };

	if (rig_prepare_send(&rig, at, f) &&
	    could_prepare(f, rig.dev, devx_event_channel_create(&ch, rig.dev, false)) &&
	    try_events(&rig, &ch, refused, sizeof(refused), f)) {
		if (refused[0])
			finding_refute(f, "users do not get %s", refused);
		else
			finding_confirm(f);
	}
	devx_event_channel_destroy(&ch);
	rig_destroy(&rig);
}
