/* SPDX-License-Identifier: BSD-3-Clause */
#include "cases/pktgen_child.h"

#include <unistd.h>

#include "ct.h"

static int start_shell(struct child *child, const char *script)
{
	char *const args[] = { (char *)"sh", (char *)"-c", (char *)script, NULL };

	return child_start(child, args);
}

TEST(pktgen_child, child_reads_lines_and_answers)
{
	char line[CHILD_LINE_BYTES];
	struct child child;

	ASSERT_EQ(0, start_shell(&child, "echo one; echo ready >&2; read x; echo got $x; exit 4"));
	EXPECT_TRUE(child_read_until(&child, "ready", line));
	EXPECT_STREQ("ready", line);
	EXPECT_EQ(3, (int)write(child.in, "it\n", 3));
	EXPECT_EQ(4, child_end(&child));
	EXPECT_STREQ("got it", child.last);
	EXPECT_GT(child.peak_kib, 100);
}

TEST(pktgen_child, child_end_tells_a_signal_and_a_missing_program)
{
	char *const none[] = { (char *)"no-such-program", NULL };
	char line[CHILD_LINE_BYTES];
	struct child child;

	ASSERT_EQ(0, start_shell(&child, "kill -9 $$"));
	EXPECT_FALSE(child_read_until(&child, "ready", line));
	EXPECT_EQ(128 + 9, child_end(&child));
	ASSERT_EQ(0, child_start(&child, none));
	EXPECT_EQ(127, child_end(&child));
	EXPECT_STREQ("no-such-program: cannot run it: No such file or directory", child.last);
}
