/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/queue/mac_filter.h"

#include <string.h>

#include "emu/base/profile.h"

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
