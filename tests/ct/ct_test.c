/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Checks of ct.h that must pass. tests/ct/must_fail.c has those that must fail.
 */
#include <stdlib.h>
#include <string.h>

#include "ct.h"

TEST(ct, numbers_compare_as_numbers)
{
	EXPECT_LT(-1, 0u);
	EXPECT_NE(-1, UINT64_MAX);
	EXPECT_EQ((uint8_t)200, 200);
	EXPECT_GT(UINT64_MAX, INT64_MAX);
	EXPECT_GE(1.5, 1);
	EXPECT_EQ(NULL, (void *)0);
}

TEST(ct, strings_compare_by_content)
{
	char copy[] = "abc";

	EXPECT_STREQ("abc", copy);
	EXPECT_STRNE("abd", copy);
	EXPECT_STRNE(NULL, copy);
	EXPECT_SUBSTR("bc", copy);
	EXPECT_MEMEQ("abc", copy, sizeof(copy));
}

FIXTURE(ct_fixture)
{
	char *text;
};

FIXTURE_SETUP(ct_fixture)
{
	EXPECT_EQ(NULL, self->text);
	self->text = strdup("zeroed before setup");
	ASSERT_NE(NULL, self->text);
}

FIXTURE_TEARDOWN(ct_fixture)
{
	free(self->text);
}

TEST_F(ct_fixture, body_sees_what_setup_made)
{
	EXPECT_STREQ("zeroed before setup", self->text);
}

static const struct row {
	const char *name;
	int n;
} rows[] = {
	{ "one", 1 },
	{ "two", 2 },
};

TEST_EACH(ct_rows, every_row_is_a_test, struct row, rows)
{
	SCOPED_TRACE("row %d", row->n);
	SCOPED_TRACE("a second trace in the same block");
	EXPECT_STREQ(row->n == 1 ? "one" : "two", row->name);
}

TEST(ct_rows, a_loop_visits_every_row_in_order)
{
	int n = 0;

	FOR_EACH_ROW (row, rows) {
		EXPECT_EQ(++n, row->n);
		FOR_EACH_ROW (inner, rows) {
			if (inner->n == 1)
				continue;
			EXPECT_STREQ("two", inner->name);
		}
	}
	EXPECT_EQ(2, n);
}

TEST_F_EACH(ct_fixture, every_row_gets_a_fixture, struct row, rows)
{
	EXPECT_NE(NULL, self->text);
	EXPECT_LT(0, row->n);
}
