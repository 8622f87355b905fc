/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core_rig.h"
#include "emu/firmware/cmd.h"

enum { LINE = EMU_TRACE_BYTES };

static void keep_line(void *arg, const char *line)
{
	snprintf(arg, LINE, "%s", line);
}

/* Returns the part of @line after "HH:MM:SS.uuuuuu pid N ", or "" if @line begins otherwise. */
static const char *skip_stamp(const char *line)
{
	unsigned hour, minute, second, us;
	int pid = 0, n = 0;

	sscanf(line, "%2u:%2u:%2u.%6u pid %d %n", &hour, &minute, &second, &us, &pid, &n);
	EXPECT_EQ(getpid(), pid);
	return n ? line + n : "";
}

TEST(trace, line_has_time_process_command_fields_and_outcome)
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
		     skip_stamp(line));
	core_rig_close(&r);
}

/* CREATE_CQ has several object numbers, and the trace leaves out fields that are 0. */
TEST(trace, refusal_names_the_field_with_the_unknown_object)
{
	struct prm_create_cq_in in = { 0 };
	struct prm_create_cq_out out;
	char line[LINE] = "";
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ 0 });
	r.adapter->trace = keep_line;
	r.adapter->trace_arg = line;
	prm_set(&in, uid, r.uid);
	prm_set(&in, cq_umem_valid, 1);
	prm_set(prm_sub(&in, cq_context), log_cq_size, 6);
	prm_set(prm_sub(&in, cq_context), uar_page, r.uar);
	prm_set(prm_sub(&in, cq_context), c_eqn_or_apu_element, r.eqn);
	EXPECT_EQ(PRM_STATUS_BAD_RES, CORE_RIG_EXEC(&r, create_cq, &in, &out));
	EXPECT_NE(NULL, strstr(line, ": cq_umem_id: "));
	prm_set(prm_sub(&in, cq_context), c_eqn_or_apu_element, 0);
	EXPECT_EQ(PRM_STATUS_BAD_RES, CORE_RIG_EXEC(&r, create_cq, &in, &out));
	EXPECT_NE(NULL, strstr(line, ": c_eqn_or_apu_element: "));
	core_rig_close(&r);
}

TEST(trace, header_has_program_process_date_and_profile)
{
	char line[LINE] = "", program[64] = "", zone[8] = "", profile[16] = "";
	int pid = 0, year = 0, month, day, hour, minute, second;
	unsigned n_ports = 0;
	struct core_rig r;
	struct tm now;
	time_t t;

	core_rig_open(&r, &(struct core_rig_config){ .no_context = true, .n_ports = 2 });
	r.adapter->trace = keep_line;
	r.adapter->trace_arg = line;
	time(&t);
	emu_trace_begin(r.adapter, "small");
	EXPECT_EQ(11, sscanf(line,
			     "# devx-emu trace: program %63[^,], pid %d, %d-%d-%d %d:%d:%d %7[^,], "
			     "profile %15[^,], %u ports",
			     program, &pid, &year, &month, &day, &hour, &minute, &second, zone,
			     profile, &n_ports));
	EXPECT_STREQ("emu_test", program);
	EXPECT_EQ(getpid(), pid);
	EXPECT_EQ(localtime_r(&t, &now)->tm_year + 1900, year);
	EXPECT_STREQ("small", profile);
	EXPECT_EQ(2, n_ports);
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
