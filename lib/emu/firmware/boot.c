/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Commands that start and stop the function, and those that a kernel sends while it starts.
 */
#include "emu/firmware/boot.h"

#include <stdlib.h>
#include <string.h>

#include "emu/base/dev.h"
#include "emu/base/profile.h"
#include "emu/firmware/cmd.h"

enum {
	ISSI_MAX = 1,
	/* numbers per type: they have 24 bits, and the first one is high (device/adapter.c) */
	N_NUMBERS = 1 << 22,
};

void emu_boot_release(struct emu *emu)
{
	free(emu->boot.pages);
	emu->boot = (struct emu_boot){ 0 };
}

void emu_boot_apply_profile(struct emu *emu)
{
	memset(emu->caps, 0, sizeof(*emu->caps));
	emu_profile_fill(emu->profile, false, emu->caps);
	for (int t = 0; t < EMU_N_TYPES; t++)
		emu->table[t].max =
			emu->profile->limit[t] < N_NUMBERS ? emu->profile->limit[t] : N_NUMBERS;
	emu->table[EMU_UAR].max = emu->profile->options.uar_pages;
}

void emu_boot_reset(struct emu *emu)
{
	emu_boot_release(emu);
	emu_boot_apply_profile(emu);
	emu_vxlan_reset(emu);
}

static uint8_t refuse_state(struct emu *emu, const char *valid)
{
	const char *state = emu->boot.initialised ? "initialised"
			    : emu->boot.enabled   ? "enabled"
						  : "disabled";

	return emu_refuse(emu, PRM_STATUS_BAD_SYS_STATE, EMU_SYND_STATE,
			  "function: state %s is invalid (valid: %s)", state, valid);
}

/*
 * PRM-MISSING: ENABLE_HCA is refused while the function is enabled. (Linux disables or resets it
 * first, mlx5_function_disable. A fast teardown needs a capability that emu does not have.)
 */
uint8_t emu_fw_enable_hca(EMU_FW_ARGS(enable_hca))
{
	if (emu->boot.enabled)
		return refuse_state(emu, "disabled");
	emu->boot.enabled = true;
	return PRM_STATUS_OK;
}

uint8_t emu_fw_disable_hca(EMU_FW_ARGS(disable_hca))
{
	if (!emu->boot.enabled || emu->boot.initialised)
		return refuse_state(emu, "enabled");
	if (emu->boot.n_pages)
		return emu_refuse(emu, PRM_STATUS_BAD_SYS_STATE, EMU_SYND_BUSY,
				  "pages: firmware still has %u (valid: 0); reclaim them with "
				  "MANAGE_PAGES",
				  emu->boot.n_pages);
	emu_boot_reset(emu);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_init_hca(EMU_FW_ARGS(init_hca))
{
	if (!emu->boot.enabled || emu->boot.initialised)
		return refuse_state(emu, "enabled");
	if (emu->boot.n_pages < EMU_PAGES_FOR_BOOT + EMU_PAGES_FOR_INIT)
		return emu_refuse(emu, PRM_STATUS_BAD_SYS_STATE, EMU_SYND_LIMIT,
				  "pages: firmware has %u (valid: at least %d); give more with "
				  "MANAGE_PAGES",
				  emu->boot.n_pages, EMU_PAGES_FOR_BOOT + EMU_PAGES_FOR_INIT);
	emu->boot.initialised = true;
	return PRM_STATUS_OK;
}

/* Frees the objects that the driver left, and counts a mistake; an adapter reports nothing. */
uint8_t emu_fw_teardown_hca(EMU_FW_ARGS(teardown_hca))
{
	char left[128];
	unsigned n_users;

	if (!emu->boot.initialised)
		return refuse_state(emu, "initialised");
	if (emu_describe_objects(emu, left, sizeof(left), &n_users))
		emu_count_mistake(emu, EMU_MISTAKE_left_behind, "%s", left);
	emu_release_all(emu);
	emu->boot.initialised = false;
	return PRM_STATUS_OK;
}

uint8_t emu_fw_set_issi(EMU_FW_ARGS(set_issi))
{
	const unsigned issi = (unsigned)prm_get(in, current_issi);

	if (issi > ISSI_MAX)
		return emu_refuse_range(emu, EMU_SYND_TYPE, "current_issi", issi, 0, ISSI_MAX);
	emu->boot.issi = (uint16_t)issi;
	return PRM_STATUS_OK;
}

/* ---- capabilities ------------------------------------------------------------------ */

/*
 * Checks that a driver only lowers capabilities. Accepts every pkey_table_size, because its values
 * are an enumeration.
 */
static uint8_t check_general(struct emu *emu, const struct prm_cmd_hca_cap *want,
			     const struct prm_cmd_hca_cap *max)
{
	for (const struct prm_row *r = prm_layout_cmd_hca_cap.rows; r->name; r++) {
		if (r->sub || r->n != 1)
			continue;
		const uint64_t is = prm_get_(emu->caps->general.dw, r->bit, r->width);
		const uint64_t v = prm_get_(want->dw, r->bit, r->width);
		const uint64_t most = prm_get_(max->dw, r->bit, r->width);

		if (v != is && v > most && strcmp(r->name, "pkey_table_size") != 0)
			return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_NO_CAP,
					  "%s: 0x%llx is invalid (valid: at most 0x%llx)", r->name,
					  (unsigned long long)v, (unsigned long long)most);
	}
	return PRM_STATUS_OK;
}

uint8_t emu_fw_set_hca_cap(EMU_FW_ARGS(set_hca_cap))
{
	const unsigned type = (unsigned)prm_get(in, op_mod) >> 1;
	struct prm_cmd_hca_cap want;
	struct emu_caps *max;
	uint8_t status;

	if (!emu->boot.enabled || emu->boot.initialised)
		return refuse_state(emu, "enabled");
	if (type)
		return emu_refuse_value(emu, EMU_SYND_OP_MOD, "capability type in op_mod", type,
					"0 = general");
	max = calloc(1, sizeof(*max));
	if (!max)
		return emu_refuse_memory(emu);
	emu_profile_fill(emu->profile, true, max);
	memcpy(&want, &in->dw[prm_bit(in, capability) / 32], sizeof(want));
	status = check_general(emu, &want, &max->general);
	if (status == PRM_STATUS_OK)
		emu->caps->general = want;
	free(max);
	return status;
}

/* Ignores the text, which only helps people who debug firmware. */
uint8_t emu_fw_set_driver_version(EMU_FW_ARGS(set_driver_version))
{
	return PRM_STATUS_OK;
}
