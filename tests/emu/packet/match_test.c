/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"
#include "emu/packet/match.h"
#include "prm/prm.h"

TEST(match, match_refuses_fields_it_cannot_extract)
{
	const unsigned inner = prm_bit((struct prm_fte_match_param *)0, inner_headers) / 32;
	const unsigned misc = prm_bit((struct prm_fte_match_param *)0, misc_parameters) / 32;
	const unsigned misc2 = prm_bit((struct prm_fte_match_param *)0, misc_parameters_2) / 32;

	EXPECT_TRUE(emu_match_supported(0, UINT32_MAX));
	EXPECT_TRUE(emu_match_supported(inner, UINT32_MAX));
	EXPECT_TRUE(emu_match_supported(misc, 0));
	EXPECT_FALSE(emu_match_supported(misc, 1)); /* source_sqn */
	EXPECT_FALSE(emu_match_supported(misc2, 1));
}
