/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every test of this program must fail or skip; tests/ct/must_fail.sh counts them.
 */
#include <stdio.h>
#include <string.h>

#include "ct.h"

TEST(fails, eq)
{
	EXPECT_EQ(1, 2);
}
TEST(fails, signs)
{
	EXPECT_EQ(-1, UINT64_MAX);
}
TEST(fails, null)
{
	EXPECT_NE(NULL, (char *)NULL);
}
TEST(fails, streq)
{
	EXPECT_STREQ("a", "b");
}
TEST(fails, substr)
{
	EXPECT_SUBSTR("x", "abc");
}
TEST(fails, memeq)
{
	EXPECT_MEMEQ("abc", "abd", 3);
}
TEST(fails, add_failure)
{
	ADD_FAILURE("%d is not %d", 1, 2);
}
TEST(fails, truth)
{
	EXPECT_TRUE(strlen(""));
}

TEST(fails, assert_returns)
{
	ASSERT_EQ(1, 2);
	printf("BUG: ran past a failed ASSERT\n");
}

static const struct row {
	const char *name;
	int n;
} rows[] = {
	{ "good_row", 1 },
	{ "bad_row", 2 },
	{ "row_after_a_failed_assert", 3 },
};

TEST(fails, a_loop_names_its_row_and_ends_at_an_assert)
{
	FOR_EACH_ROW (row, rows) {
		if (row->n == 3)
			printf("BUG: ran past a failed ASSERT\n");
		ASSERT_EQ(1, row->n);
	}
}

FIXTURE(setup_fails)
{
	int unused;
};
FIXTURE_SETUP(setup_fails)
{
	ASSERT_TRUE(false);
}
FIXTURE_TEARDOWN(setup_fails)
{
	printf("teardown ran\n");
}
TEST_F(setup_fails, body_does_not_run)
{
	printf("BUG: ran a body whose setup failed\n");
}

TEST(skips, with_its_reason)
{
	SKIP("needs a %s", "card");
	printf("BUG: ran past SKIP\n");
}
