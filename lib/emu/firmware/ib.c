/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Commands of InfiniBand that mlx5_ib also sends for an Ethernet port: XRC domains, P_Keys, MADs.
 */
#include "emu/firmware/handlers.h"

struct emu_xrcd {
	struct emu_obj obj;
};

uint8_t emu_fw_alloc_xrcd(EMU_FW_ARGS(alloc_xrcd))
{
	struct emu_xrcd *xrcd = emu_make_object(emu, EMU_XRCD, uid, sizeof(*xrcd), NULL);

	if (!xrcd)
		return PRM_STATUS_LIM_ERR;
	prm_set(out, xrcd, xrcd->obj.id);
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
