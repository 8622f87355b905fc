/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "core_rig.h"

enum { LINE = EMU_TRACE_BYTES };

static void keep_line(void *arg, const char *line)
{
	snprintf(arg, LINE, "%s", line);
}

TEST(trace, tells_command_fields_and_outcome)
{
	struct prm_query_cq_in in = { 0 };
	struct prm_query_cq_out out;
	char line[LINE] = "";
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ .no_context = true });
	r.adapter->trace = keep_line;
	r.adapter->trace_arg = line;
	prm_set(&in, cqn, 0x123);
	CORE_RIG_EXEC(&r, query_cq, &in, &out);
	EXPECT_STREQ("port 0 query_cq uid=0x0 cqn=0x123 -> BAD_RES syndrome=0xe0000b: cqn: no such "
		     "CQ 0x123 for uid 0x0",
		     line);
	core_rig_close(&r);
}

TEST(trace, of_a_long_list_still_tells_the_outcome)
{
	enum { PAGES = 200 };
	char line[LINE] = "";
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ 0 });
	r.adapter->trace = keep_line;
	r.adapter->trace_arg = line;
	core_rig_make_mkey(&r, core_rig_alloc(&r, PAGES * CORE_RIG_PAGE), PAGES * CORE_RIG_PAGE,
			   true);
	SCOPED_TRACE("%s", line + strlen(line) - (strlen(line) < 60 ? strlen(line) : 60));
	EXPECT_NE(NULL, strstr(line, " ... -> OK mkey_index=0x86"));
	core_rig_close(&r);
}
