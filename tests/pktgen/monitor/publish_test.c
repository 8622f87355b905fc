/* SPDX-License-Identifier: BSD-3-Clause */
#include "monitor/publish.h"

#include <errno.h>
#include <string.h>

#include <rte_errno.h>
#include <rte_memzone.h>

#include "ct.h"

/* The memory zone of EAL, which this program does not start. */
static struct published memory;
static struct rte_memzone the_zone = { .addr = &memory };
static bool has_memory, is_reserved;

const struct rte_memzone *rte_memzone_reserve(const char *name, size_t bytes, int socket,
					      unsigned flags)
{
	EXPECT_STREQ(PUBLISH_ZONE, name);
	EXPECT_EQ(sizeof(memory), bytes);
	EXPECT_EQ(SOCKET_ID_ANY, socket);
	EXPECT_EQ(0, flags);
	is_reserved = has_memory;
	rte_errno = ENOMEM;
	return is_reserved ? &the_zone : NULL;
}

const struct rte_memzone *rte_memzone_lookup(const char *name)
{
	return is_reserved && !strcmp(name, PUBLISH_ZONE) ? &the_zone : NULL;
}

TEST(publish, a_reader_gets_what_the_run_wrote_last)
{
	const struct progress p = {
		.stage = "draining", .ms = 7, .sent = 9, .arrived = 8, .share = 0.5, .left_s = 3
	};
	struct published copy;

	has_memory = is_reserved = false;
	EXPECT_EQ(NULL, publish_find());
	EXPECT_EQ(-ENOMEM, publish_begin());
	publish_write(&p, 6); /* the run publishes nothing: the call does nothing */
	publish_end();
	has_memory = true;
	ASSERT_EQ(0, publish_begin());
	ASSERT_EQ(&memory, publish_find());
	ASSERT_TRUE(publish_read(&memory, &copy));
	EXPECT_EQ(PUBLISH_LAYOUT, copy.layout);
	EXPECT_STREQ("sending", copy.stage);
	EXPECT_TRUE(copy.share < 0);
	publish_write(&p, 6);
	ASSERT_TRUE(publish_read(&memory, &copy));
	EXPECT_STREQ("draining", copy.stage);
	EXPECT_EQ(7, copy.ms);
	EXPECT_EQ(9, copy.sent);
	EXPECT_EQ(8, copy.arrived);
	EXPECT_EQ(6, copy.distinct);
	EXPECT_EQ(0.5, copy.share);
	EXPECT_EQ(3.0, copy.left_s);
	publish_end();
	ASSERT_TRUE(publish_read(&memory, &copy));
	EXPECT_STREQ("ended", copy.stage);
	EXPECT_EQ(9, copy.sent);
	publish_write(&p, 5); /* after the end */
	EXPECT_EQ(6, memory.distinct);
}

TEST(publish, a_reader_takes_no_figures_that_are_being_written)
{
	struct published copy = { .sent = 1 };

	memory = (struct published){ .seq = 5, .sent = 2 };
	EXPECT_FALSE(publish_read(&memory, &copy));
	EXPECT_EQ(1, copy.sent);
	memory.seq = 6;
	EXPECT_TRUE(publish_read(&memory, &copy));
	EXPECT_EQ(2, copy.sent);
}
