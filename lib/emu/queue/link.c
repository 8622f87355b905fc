/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The port's link: changes its state and posts the port change event.
 */
#include "emu/queue/link.h"

#include "emu/base/dev.h"
#include "emu/queue/eq.h"
#include "emu/queue/mac_filter.h"

/* Posts a port change event to every EQ that subscribed to it: the kernel's and those of DEVX. */
static void announce_link(struct emu *emu)
{
	enum { PORT_1 = 1u << 28 };
	const struct emu_table *t = &emu->table[EMU_EQ];
	const uint32_t event[7] = { [2] = PORT_1 };

	for (uint32_t i = 0; i < t->n_slots; i++) {
		struct emu_eq *eq = (struct emu_eq *)t->slot[i];

		if (eq && eq->event_mask >> PRM_EVENT_PORT_CHANGE & 1)
			emu_eq_post(emu, eq, PRM_EVENT_PORT_CHANGE,
				    emu->link.up ? PRM_PORT_CHANGE_SUBTYPE_ACTIVE
						 : PRM_PORT_CHANGE_SUBTYPE_DOWN,
				    event);
	}
}

/*
 * First executes what was posted under the old state, on all ports. The engine looks at a doorbell
 * a little later: otherwise frames of a link that is down would leave when it comes up.
 */
void emu_change_link(struct emu *emu, const struct emu_link *link)
{
	const bool changed = emu->link.up != link->up;

	if (changed)
		emu->adapter->callbacks->finish_sends(emu->adapter);
	emu_change_mac(emu, link->mac);
	emu->link = *link;
	if (link->mtu > EMU_MTU_MAX) /* a TAP can have a larger one */
		emu->link.mtu = EMU_MTU_MAX;
	if (changed)
		announce_link(emu);
}
