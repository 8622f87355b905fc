/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_rig_refuse.h"
#include "emu/firmware/refuse.h"

TEST(uctx, create_refuses_capabilities_that_the_device_lacks)
{
	struct prm_create_uctx_in in = { 0 };
	const struct core_rig_refusal bad = { "cap", "uctx.cap", 2, PRM_STATUS_BAD_PARAM,
					      EMU_SYND_NO_CAP };
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ .no_context = true });
	core_rig_expect_refusal(&r, &bad, PRM_OP_create_uctx, &in, sizeof(in));
	core_rig_close(&r);
}
