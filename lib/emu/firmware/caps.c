/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "emu/base/profile.h"
#include "emu/firmware/handlers.h"

/* op_mod of QUERY_HCA_CAP: type 15:1, current 0. Linux enum mlx5_cap_type. */
enum {
	CAP_GENERAL = 0x00,
	CAP_ETHERNET = 0x01,
	CAP_ODP = 0x02,
	CAP_ATOMIC = 0x03,
	CAP_ROCE = 0x04,
	CAP_FLOW_TABLE = 0x07,
	CAP_QOS = 0x0c,
	CAP_DEVICE_MEMORY = 0x0f,
	CAP_GENERAL_2 = 0x20,
};

/* Return: false for a type that this generation does not know */
static bool copy_caps(const struct emu_caps *caps, unsigned type, uint8_t *to)
{
	switch (type) {
	case CAP_GENERAL:
		memcpy(to, &caps->general, sizeof(caps->general));
		return true;
	case CAP_GENERAL_2:
		memcpy(to, &caps->general_2, sizeof(caps->general_2));
		return true;
	case CAP_ETHERNET:
		memcpy(to, &caps->eth, sizeof(caps->eth));
		return true;
	case CAP_FLOW_TABLE:
		memcpy(to, &caps->flow, sizeof(caps->flow));
		return true;
	case CAP_ROCE:
		memcpy(to, &caps->roce, sizeof(caps->roce));
		return true;
	case CAP_ODP:
	case CAP_ATOMIC:
	case CAP_QOS:
	case CAP_DEVICE_MEMORY:
		return true; /* known, and none of it here */
	default:
		return false;
	}
}

EMU_FW(query_hca_cap)
{
	const unsigned type = (unsigned)prm_get(in, op_mod) >> 1;
	const bool max = !(prm_get(in, op_mod) & 1);
	uint8_t *to = (uint8_t *)&out->dw[prm_bit(out, capability) / 32];
	struct emu_caps *caps;
	bool known;

	if (!max) {
		known = copy_caps(emu->caps, type, to);
	} else {
		caps = calloc(1, sizeof(*caps));
		if (!caps)
			return emu_refuse(emu, PRM_STATUS_NO_RES_ERR, EMU_SYND_NO_MEMORY,
					  "out of memory");
		emu->profile->fill(emu->profile, true, caps);
		known = copy_caps(caps, type, to);
		free(caps);
	}
	if (!known)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_OP_MOD,
				  "no capabilities of type 0x%x", type);
	return PRM_STATUS_OK;
}

EMU_FW(query_adapter)
{
	enum { IEEE_MELLANOX = 0x0002c9, VSD_MELLANOX = 0x15b3 };
	struct prm_query_adapter_param_block *block = prm_sub(out, query_adapter_struct);

	prm_set(block, ieee_vendor_id, IEEE_MELLANOX);
	prm_set(block, vsd_vendor_id, VSD_MELLANOX);
	memcpy(prm_bytes(block, vsd_contd_psid), emu->profile->model.board_id,
	       strnlen(emu->profile->model.board_id, prm_count(block, vsd_contd_psid)));
	return PRM_STATUS_OK;
}

EMU_FW(query_issi)
{
	enum { ISSI_0 = 1 << 0, ISSI_1 = 1 << 1 };

	prm_set(out, current_issi, 1);
	prm_set(out, supported_issi_dw0, ISSI_0 | ISSI_1);
	return PRM_STATUS_OK;
}

/* No capability for any of these keys is set: there are none to tell. */
EMU_FW(query_special_contexts)
{
	return PRM_STATUS_OK;
}

EMU_FW(nop)
{
	return PRM_STATUS_OK;
}
