/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include "port/events.h"

static struct port_events events;

static void add_event(enum port_event_kind kind, uint64_t tsc)
{
	const unsigned i = atomic_fetch_add(&events.n, 1);

	if (i < EVENTS_MAX)
		events.at[i] = (struct port_event){ kind, tsc, true };
}

TEST(events, each_event_is_taken_once_and_in_order)
{
	events = (struct port_events){ 0 };
	EXPECT_TRUE(events_take(&events) == NULL);
	add_event(PORT_LINK_DOWN, 100);
	add_event(PORT_LINK_UP, 300);
	EXPECT_EQ(100, events_take(&events)->tsc);
	EXPECT_EQ(PORT_LINK_UP, events_take(&events)->kind);
	EXPECT_TRUE(events_take(&events) == NULL);
	add_event(PORT_REMOVED, 400);
	EXPECT_EQ(PORT_REMOVED, events_take(&events)->kind);
}

TEST(events, an_event_that_is_being_written_is_not_taken)
{
	events = (struct port_events){ 0 };
	atomic_store(&events.n, 1);
	EXPECT_TRUE(events_take(&events) == NULL);
	EXPECT_EQ(0, events_sum_links(&events, 500).n_down);
}

TEST(events, the_time_without_link_ends_with_the_run)
{
	events = (struct port_events){ 0 };
	EXPECT_EQ(0, events_sum_links(&events, 1000).cycles);
	add_event(PORT_LINK_DOWN, 100);
	add_event(PORT_LINK_UP, 300);
	add_event(PORT_LINK_DOWN, 900);
	add_event(PORT_REMOVED, 950);
	EXPECT_EQ(2, events_sum_links(&events, 1000).n_down);
	EXPECT_EQ(300, events_sum_links(&events, 1000).cycles);
	/* the link went down after the end of the run */
	EXPECT_EQ(200, events_sum_links(&events, 800).cycles);
}

TEST(events, more_events_than_there_is_room_for)
{
	events = (struct port_events){ 0 };
	for (unsigned i = 0; i < EVENTS_MAX + 10; i++)
		add_event(i % 2 ? PORT_LINK_UP : PORT_LINK_DOWN, i + 1);
	for (unsigned i = 0; i < EVENTS_MAX; i++)
		ASSERT_TRUE(events_take(&events) != NULL);
	EXPECT_TRUE(events_take(&events) == NULL);
	EXPECT_EQ(EVENTS_MAX / 2, events_sum_links(&events, 1000).n_down);
}
