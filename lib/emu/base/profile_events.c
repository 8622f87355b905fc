/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/base/caps.h"
#include "emu/base/profile.h"
#include "prm/cqe.h"

static uint64_t make_bit(enum prm_event event)
{
	return 1ull << event;
}

/*
 * Programs that run on adapters subscribe to the last WQE and the limit of a shared receive queue
 * (UCX, DPDK). A completion needs no bit: Linux allows it for each object.
 *
 * PRM-MISSING: users may subscribe to CQ_ERROR and WQ_CATAS_ERROR of an object and to PORT_CHANGE
 * of the device (no source publishes the masks of an adapter; these are what emu raises, and
 * options take the first and the last away).
 */
void emu_profile_fill_events(const struct emu_profile *p, struct prm_device_event_cap *c)
{
	uint64_t of_objects = make_bit(PRM_EVENT_WQ_CATAS_ERROR) |
			      make_bit(PRM_EVENT_SRQ_LAST_WQE) | make_bit(PRM_EVENT_SRQ_RQ_LIMIT);

	if (!p->options.event_cap)
		return;
	if (p->options.cq_error_events)
		of_objects |= make_bit(PRM_EVENT_CQ_ERROR);
	prm_set_at(c, user_affiliated_events, 0, of_objects);
	if (p->options.port_events)
		prm_set_at(c, user_unaffiliated_events, 0, make_bit(PRM_EVENT_PORT_CHANGE));
}
