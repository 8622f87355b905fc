/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Commands of InfiniBand that mlx5_ib also sends for an Ethernet port: XRC domains, P_Keys, MADs,
 * and the port's table of RoCE addresses (GIDs), which has no effect because emu has no transport.
 */
#include "emu/firmware/cmd.h"

uint8_t emu_fw_alloc_xrcd(EMU_FW_ARGS(alloc_xrcd))
{
	const struct emu_obj *xrcd = emu_make_object(emu, EMU_XRCD, uid, sizeof(*xrcd), NULL);

	if (!xrcd)
		return PRM_STATUS_LIM_ERR;
	prm_set(out, xrcd, xrcd->id);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_dealloc_xrcd(EMU_FW_ARGS(dealloc_xrcd))
{
	return emu_destroy_field(emu, EMU_XRCD, in, xrcd, uid);
}

/* Returns the default P_Key, the only one of an Ethernet port. */
uint8_t emu_fw_query_hca_vport_pkey(EMU_FW_ARGS(query_hca_vport_pkey))
{
	enum { DEFAULT_PKEY = 0xffff };
	const unsigned index = (unsigned)prm_get(in, pkey_index);
	const size_t room = (out_bytes - sizeof(*out)) / sizeof(struct prm_pkey);

	if (index && index != PRM_QUERY_HCA_VPORT_PKEY_INDEX_ALL)
		return emu_refuse_value(emu, EMU_SYND_LIMIT, "pkey_index", index,
					"0, 65535 = all P_Keys");
	if (room)
		prm_set(prm_sub_at(out, pkey, 0), pkey, DEFAULT_PKEY);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_mad_ifc(EMU_FW_ARGS(mad_ifc))
{
	return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_NO_CAP,
			  "mad: unsupported, because an Ethernet port has no subnet management");
}

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

/* An entry of zeros is empty. */
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
			"roce_address: roce_version %u, roce_l3_type %u are invalid (valid: "
			"version 0 or 2; l3_type 0 = IPv4 or 1 = IPv6)",
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
