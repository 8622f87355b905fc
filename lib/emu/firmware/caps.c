/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "emu/base/profile.h"
#include "emu/firmware/cmd.h"

/* Copies the capabilities of @type to @to. Returns false for a type unknown to emu. */
static bool copy_caps(const struct emu_caps *caps, unsigned type, uint8_t *to)
{
	switch (type) {
	case PRM_HCA_CAP_PAGE_GENERAL:
		memcpy(to, &caps->general, sizeof(caps->general));
		return true;
	case PRM_HCA_CAP_PAGE_GENERAL_2:
		memcpy(to, &caps->general_2, sizeof(caps->general_2));
		return true;
	case PRM_HCA_CAP_PAGE_ETHERNET_OFFLOADS:
		memcpy(to, &caps->eth, sizeof(caps->eth));
		return true;
	case PRM_HCA_CAP_PAGE_FLOW_TABLE:
		memcpy(to, &caps->flow, sizeof(caps->flow));
		return true;
	case PRM_HCA_CAP_PAGE_ROCE:
		memcpy(to, &caps->roce, sizeof(caps->roce));
		return true;
	case PRM_HCA_CAP_PAGE_QOS:
		memcpy(to, &caps->qos, sizeof(caps->qos));
		return true;
	case PRM_HCA_CAP_PAGE_DEV_EVENT:
		memcpy(to, &caps->event, sizeof(caps->event));
		return true;
	case PRM_HCA_CAP_PAGE_ODP:
	case PRM_HCA_CAP_PAGE_ATOMIC:
	case PRM_HCA_CAP_PAGE_DEV_MEM:
		return true; /* known types; emu has none of these features, so all fields are 0 */
	default:
		return false;
	}
}

uint8_t emu_fw_query_hca_cap(EMU_FW_ARGS(query_hca_cap))
{
	const unsigned type = (unsigned)prm_get(in, op_mod) >> 1;
	const bool max = (prm_get(in, op_mod) & 1) == PRM_HCA_CAP_OP_MOD_MAX;
	uint8_t *to = (uint8_t *)&out->dw[prm_bit(out, capability) / 32];
	struct emu_caps *caps;
	bool known;

	if (!max) {
		known = copy_caps(emu->caps, type, to);
	} else {
		caps = calloc(1, sizeof(*caps));
		if (!caps)
			return emu_refuse_memory(emu);
		emu_profile_fill(emu->profile, true, caps);
		known = copy_caps(caps, type, to);
		free(caps);
	}
	if (!known)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_OP_MOD,
				  "op_mod: capability type 0x%x is unknown to emu", type);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_query_adapter(EMU_FW_ARGS(query_adapter))
{
	struct prm_query_adapter_param_block *block = prm_sub(out, query_adapter_struct);

	prm_set(block, ieee_vendor_id, PRM_IEEE_VENDOR_ID_MELLANOX);
	prm_set(block, vsd_vendor_id, PRM_VSD_VENDOR_ID_MELLANOX);
	memcpy(prm_bytes(block, vsd_contd_psid), emu->profile->model.board_id,
	       strnlen(emu->profile->model.board_id, prm_count(block, vsd_contd_psid)));
	return PRM_STATUS_OK;
}

uint8_t emu_fw_query_issi(EMU_FW_ARGS(query_issi))
{
	enum { ISSI_0 = 1 << 0, ISSI_1 = 1 << 1 };

	prm_set(out, current_issi, 1);
	prm_set(out, supported_issi_dw0, ISSI_0 | ISSI_1);
	return PRM_STATUS_OK;
}

/* No profile has the capability for another special mkey. */
uint8_t emu_fw_query_special_contexts(EMU_FW_ARGS(query_special_contexts))
{
	if (emu_cap(emu, terminate_scatter_list_mkey))
		prm_set(out, terminate_scatter_list_mkey, EMU_TERMINATE_MKEY);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_nop(EMU_FW_ARGS(nop))
{
	return PRM_STATUS_OK;
}
