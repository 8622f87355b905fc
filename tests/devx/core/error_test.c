/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "ct.h"
#include "devx/core/fail.h"
#include "devx/dev.h"
#include "devx/error.h"
#include "prm/prm.h"

static const struct line {
	const char *name;
	struct devx_refusal refusal;
	int rc;
	const char *want;
} lines[] = {
	{ "known_syndrome",
	  { .rc = -EREMOTEIO, .opcode = PRM_OP_create_sq, .status = 3, .syndrome = 0xd61c0b },
	  -EREMOTEIO,
	  "firmware refused CREATE_SQ: BAD_PARAM (3), syndrome 0xd61c0b: the device clock is in "
	  "real-time mode, but the queue is not" },
	{ "no_uar_page",
	  { .rc = -EREMOTEIO, .opcode = PRM_OP_alloc_uar, .status = 8, .syndrome = 0x5a7939 },
	  -EREMOTEIO,
	  "firmware refused ALLOC_UAR: LIM_ERR (8), syndrome 0x5a7939: all UAR pages are in use" },
	{ "syndrome_of_another_command",
	  { .rc = -EREMOTEIO, .opcode = PRM_OP_create_rq, .status = 3, .syndrome = 0xd61c0b },
	  -EREMOTEIO,
	  "firmware refused CREATE_RQ: BAD_PARAM (3), syndrome 0xd61c0b" },
	{ "object",
	  { .rc = -EREMOTEIO,
	    .opcode = PRM_OP_modify_rq,
	    .status = 9,
	    .syndrome = 1,
	    .object = 0x800001 },
	  -EREMOTEIO,
	  "firmware refused MODIFY_RQ of object 0x800001: BAD_RES_STATE (9), syndrome 0x000001" },
	{ "unknown_command_and_status",
	  { .rc = -EREMOTEIO, .opcode = 0xfff, .status = 0x77 },
	  -EREMOTEIO,
	  "firmware refused command 0xfff: ? (119), syndrome 0x000000" },
	{ "kernel",
	  { .rc = -EINVAL, .opcode = PRM_OP_create_tir },
	  -EINVAL,
	  "the kernel did not execute CREATE_TIR: Invalid argument" },
	{ "text", { .rc = -EINVAL, .text = "CQ: no UAR" }, -EINVAL, "CQ: no UAR" },
	{ "stale_text",
	  { .rc = -EINVAL, .text = "CQ: no UAR" },
	  -ENOMEM,
	  "Cannot allocate memory" },
	{ "success", { .rc = -EINVAL, .text = "CQ: no UAR" }, 0, "Success" },
};

TEST_EACH(error, strerror_describes_a_failure_in_one_line, struct line, lines)
{
	const struct devx_dev dev = { .refusal = row->refusal };
	char buf[256];

	EXPECT_STREQ(row->want, devx_strerror(&dev, row->rc, buf, sizeof(buf)));
}

TEST(error, strerror_truncates_the_line_to_the_buffer)
{
	const struct devx_dev dev = { .refusal = { .rc = -EINVAL, .text = "CQ: no UAR" } };
	char buf[5];

	EXPECT_STREQ("CQ: ", devx_strerror(&dev, -EINVAL, buf, sizeof(buf)));
}

TEST(error, fail_replaces_the_reason_of_the_last_failure)
{
	struct devx_dev dev = { .refusal = { .opcode = PRM_OP_create_sq, .status = 3 } };
	char buf[256];

	EXPECT_EQ(-ERANGE, devx_fail(&dev, -ERANGE, "%d of %s", 7, "nine"));
	EXPECT_STREQ("7 of nine", devx_strerror(&dev, -ERANGE, buf, sizeof(buf)));
	EXPECT_EQ(-ENOSPC, devx_fail_sys(&dev, ENOSPC, "no room"));
	EXPECT_STREQ("no room: No space left on device",
		     devx_strerror(&dev, -ENOSPC, buf, sizeof(buf)));
}

TEST(error, fail_truncates_a_long_text)
{
	struct devx_dev dev = { 0 };
	char buf[2 * DEVX_TEXT_BYTES];

	devx_fail_sys(&dev, EIO, "%0*d", 2 * DEVX_TEXT_BYTES, 0);
	EXPECT_EQ(DEVX_TEXT_BYTES - 1, strlen(devx_strerror(&dev, -EIO, buf, sizeof(buf))));
}
