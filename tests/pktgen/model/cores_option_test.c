/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <string.h>

#include "model/cores_option.h"

TEST(cores_option, auto_a_number_and_a_list)
{
	struct cores_option c;

	ASSERT_TRUE(cores_option_parse(&c, "auto") == NULL);
	EXPECT_EQ(0, c.n_workers);
	EXPECT_EQ(0, c.n_cpus);
	ASSERT_TRUE(cores_option_parse(&c, "127") == NULL);
	EXPECT_EQ(127, c.n_workers);
	ASSERT_TRUE(cores_option_parse(&c, "2-5,8") == NULL);
	EXPECT_EQ(0, c.n_workers);
	ASSERT_EQ(5, c.n_cpus);
	EXPECT_EQ(2, c.cpus[0]);
	EXPECT_EQ(5, c.cpus[3]);
	EXPECT_EQ(8, c.cpus[4]);
	ASSERT_TRUE(cores_option_parse(&c, "3-3") == NULL);
	EXPECT_EQ(1, c.n_cpus);
}

TEST(cores_option, a_formatted_option_is_read_back)
{
	static const char *const rows[] = { "auto", "4", "3-3", "2-5,8", "8,2", "7,1-3" };
	char text[CORES_TEXT_BYTES];
	struct cores_option c;

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ASSERT_TRUE(cores_option_parse(&c, rows[i]) == NULL);
		EXPECT_EQ(strlen(rows[i]), cores_option_format(&c, text));
		EXPECT_STREQ(rows[i], text);
	}
	/* The longest list: no CPU follows the one before. */
	c.n_cpus = CORES_MAX_WORKERS;
	for (unsigned i = 0; i < CORES_MAX_WORKERS; i++)
		c.cpus[i] = (uint16_t)(CORES_MAX_CPU - i);
	EXPECT_EQ(24 * 5 + 103 * 4 - 1, cores_option_format(&c, text));
}

TEST(cores_option, refusals_name_what_is_valid)
{
	static const struct {
		const char *text, *why;
	} rows[] = {
		{ "", "must be auto" },
		{ "0", "must be 1 to 127 workers; CPU 0 alone is 0-0" },
		{ "128", "must be 1 to 127" },
		{ "99999999999999999999", "must be 1 to 127" },
		{ "four", "must be auto, a number of workers (4), or CPUs (2-5,8)" },
		{ "4/", "must be auto" },
		{ "4:", "must be auto" },
		{ "4294967298", "must be 1 to 127" },
		{ "2-", "must be auto" },
		{ "-2", "must be auto" },
		{ "2,", "must be auto" },
		{ "1-2-3", "must be auto" },
		{ "5-2", "the first CPU of a range is above the last; give 2-5" },
		{ "1-3,2", "CPU 2 is listed twice" },
		{ "0-127", "too many CPUs (valid: at most 127)" },
		{ "5,1024", "CPU 1024 is too large (valid: 0 to 1023)" },
		{ "1-18446744073709551617", "is too large" },
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct cores_option c;
		const char *why = cores_option_parse(&c, rows[i].text);

		SCOPED_TRACE("--cores %s", rows[i].text);
		ASSERT_TRUE(why != NULL);
		EXPECT_SUBSTR(rows[i].why, why);
	}
}

TEST(cores_option, queues_of_all_ports_and_of_one)
{
	struct queues_option q[3] = { { 0, 0 } };

	ASSERT_TRUE(queues_option_parse(q, 3, "4:2") == NULL);
	ASSERT_TRUE(queues_option_parse(q, 3, "1=64:1") == NULL);
	EXPECT_FALSE(q[0].is_named || q[2].is_named);
	EXPECT_TRUE(q[1].is_named);
	EXPECT_EQ(4, q[0].tx);
	EXPECT_EQ(2, q[0].rx);
	EXPECT_EQ(64, q[1].tx);
	EXPECT_EQ(1, q[1].rx);
	EXPECT_EQ(4, q[2].tx);
	EXPECT_SUBSTR("port 3 is too large (valid: 0 to 2)", queues_option_parse(q, 3, "3=1:1"));
	EXPECT_SUBSTR("must be 1 to 64", queues_option_parse(q, 3, "65:1"));
	EXPECT_SUBSTR("must be 1 to 64", queues_option_parse(q, 3, "1:0"));
	EXPECT_SUBSTR("must be TX:RX", queues_option_parse(q, 3, "4"));
	EXPECT_SUBSTR("must be TX:RX", queues_option_parse(q, 3, "4:2x"));
	EXPECT_SUBSTR("must be TX:RX", queues_option_parse(q, 3, "=4:2"));
	EXPECT_EQ(4, q[0].tx);
}
