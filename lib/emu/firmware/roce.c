/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The port's table of RoCE addresses (GIDs). emu stores them without effect: it has no transport.
 */
#include "emu/firmware/handlers.h"

/* Finds an entry of the table, or refuses the command and returns NULL. */
static struct prm_roce_addr_layout *find_roce_entry(struct emu *emu, unsigned index)
{
	const unsigned n = (unsigned)emu_roce_cap(emu, roce_address_table_size);

	if (index < n)
		return &emu->roce[index];
	if (n)
		emu_refuse_range(emu, EMU_SYND_LIMIT, "roce_address_index", index, 0, n - 1);
	else
		emu_refuse_feature(emu, "roce_address_index", "roce");
	return NULL;
}

/* Writes an entry. All zeros make it empty. */
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
		return emu_refuse(
			emu, PRM_STATUS_BAD_PARAM, EMU_SYND_TYPE,
			"roce_address: roce_version %u, roce_l3_type %u are invalid (valid: 0 "
			"or 2; 0 = IPv4 or 1 = IPv6)",
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
