/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The port's table of RoCE addresses (GIDs). Nothing is sent from them: no transport is modelled.
 */
#include "emu/firmware/handlers.h"

/* Return: the entry, or NULL, refused */
static struct prm_roce_addr_layout *find_roce_entry(struct emu *emu, unsigned index)
{
	const unsigned n = (unsigned)emu_roce_cap(emu, roce_address_table_size);

	if (index < n)
		return &emu->roce[index];
	emu_refuse(emu, PRM_STATUS_BAD_PARAM, n ? EMU_SYND_LIMIT : EMU_SYND_NO_CAP,
		   "roce_address_index %u, the profile has %u", index, n);
	return NULL;
}

/* An entry of zeros is an empty one. */
uint8_t emu_fw_set_roce_address(EMU_FW_ARGS(set_roce_address))
{
	struct prm_roce_addr_layout *to =
		find_roce_entry(emu, (unsigned)prm_get(in, roce_address_index));
	const struct prm_roce_addr_layout *from = prm_sub(in, roce_address);
	const unsigned version = (unsigned)prm_get(from, roce_version);
	const unsigned l3 = (unsigned)prm_get(from, roce_l3_type);

	if (!to)
		return PRM_STATUS_BAD_PARAM;
	if ((version != PRM_ROCE_VERSION_1 && version != PRM_ROCE_VERSION_2) ||
	    l3 > PRM_ROCE_L3_TYPE_IPV6)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_TYPE,
				  "roce_version %u, roce_l3_type %u: versions are 0 and 2, types 0 "
				  "(IPv4) and 1 (IPv6)",
				  version, l3);
	*to = *from;
	return PRM_STATUS_OK;
}

uint8_t emu_fw_query_roce_address(EMU_FW_ARGS(query_roce_address))
{
	struct prm_roce_addr_layout *from =
		find_roce_entry(emu, (unsigned)prm_get(in, roce_address_index));

	if (!from)
		return PRM_STATUS_BAD_PARAM;
	*prm_sub(out, roce_address) = *from;
	return PRM_STATUS_OK;
}
