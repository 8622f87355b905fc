/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of a port: its addresses, the address filter of the switch, and the link, whose changes
 * it announces with an event.
 */
#include "emu/queue/port.h"

#include <string.h>

#include "emu/base/dev.h"
#include "emu/base/profile.h"
#include "emu/queue/eq.h"

static bool is_listed(const uint8_t list[][EMU_MAC_BYTES], unsigned n, const uint8_t *mac)
{
	for (unsigned i = 0; i < n; i++)
		if (!memcmp(list[i], mac, EMU_MAC_BYTES))
			return true;
	return false;
}

bool emu_frame_is_own(const struct emu *emu, const struct emu_frame *f)
{
	const struct emu_addresses *a = &emu->addresses;

	return emu_frame_is_group(f) ? is_listed(a->mc, a->n_mc, f->data)
				     : is_listed(a->uc, a->n_uc, f->data);
}

bool emu_mac_filter_passes(const struct emu *emu, const struct emu_frame *f)
{
	const struct emu_model *model = &emu->profile->model;
	const bool group = emu_frame_is_group(f);

	if (model->filter == EMU_FILTER_NONE || (model->filter == EMU_FILTER_UNICAST && group))
		return true;
	if (model->trusted && (emu->link.promisc || (group && emu->link.allmulti)))
		return true;
	return emu_frame_is_own(emu, f);
}

void emu_change_mac(struct emu *emu, const uint8_t mac[EMU_MAC_BYTES])
{
	struct emu_addresses *a = &emu->addresses;

	for (unsigned i = 0; i < a->n_uc; i++)
		if (!memcmp(a->uc[i], emu->link.mac, EMU_MAC_BYTES))
			memcpy(a->uc[i], mac, EMU_MAC_BYTES);
	memcpy(emu->link.mac, mac, EMU_MAC_BYTES);
}

/* Posts a port change event to every EQ that subscribed to it: the kernel's EQ and DEVX EQs. */
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
 * First executes the WQEs that all ports posted under the old state. Without this, frames posted
 * while the link was down could leave once it is up, because the engine sees doorbells late.
 */
void emu_change_link(struct emu *emu, const struct emu_link *link)
{
	const bool changed = emu->link.up != link->up;

	if (changed)
		emu->adapter->callbacks->finish_sends(emu->adapter);
	emu_change_mac(emu, link->mac);
	emu->link = *link;
	if (link->mtu > EMU_MTU_MAX) /* the MTU of a TAP can be larger */
		emu->link.mtu = EMU_MTU_MAX;
	if (changed)
		announce_link(emu);
}
