/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_rig_refuse.h"

#include <string.h>

enum { IN_BYTES = 0x800, OUT_BYTES = 0x400 };

void core_rig_expect_refusal(struct core_rig *r, const struct core_rig_refusal *bad,
			     uint16_t opcode, const void *good, size_t bytes)
{
	prm_be32 in[IN_BYTES / 4], out[OUT_BYTES / 4];

	SCOPED_TRACE("%s", bad->name);
	ASSERT_LE(bytes, sizeof(in));
	memcpy(in, good, bytes);
	core_rig_set_field(in, opcode, bad->field, bad->value);
	EXPECT_EQ(bad->status, core_rig_exec(r, opcode, in, bytes, out, sizeof(out)));
	SCOPED_TRACE("%s", r->emu->detail);
	EXPECT_EQ(bad->syndrome, core_rig_get_syndrome(r));
	EXPECT_SUBSTR(": ", r->emu->detail); /* "subject: what was found" */
	EXPECT_SUBSTR(bad->says ? bad->says : "", r->emu->detail);
	EXPECT_LT(strlen(r->emu->detail), sizeof(r->emu->detail) - 1); /* text not cut off */
}

void core_rig_expect_refusals(struct core_rig *r, const struct core_rig_refusal *bads, size_t n,
			      uint16_t opcode, const void *good, size_t bytes)
{
	for (size_t i = 0; i < n; i++)
		core_rig_expect_refusal(r, &bads[i], opcode, good, bytes);
}
