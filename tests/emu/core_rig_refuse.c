/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_rig_refuse.h"

void core_rig_expect_refusal(struct core_rig *r, const struct core_rig_refusal *bad,
			     uint16_t opcode, void *in, size_t in_bytes)
{
	prm_be32 out[0x400 / 4];

	core_rig_set_field(in, opcode, bad->field, bad->value);
	EXPECT_EQ(bad->status, core_rig_exec(r, opcode, in, in_bytes, out, sizeof(out)));
	SCOPED_TRACE("%s", r->emu->detail);
	EXPECT_EQ(bad->syndrome, core_rig_get_syndrome(r));
	EXPECT_STRNE("", r->emu->detail);
}
