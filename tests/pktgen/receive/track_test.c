/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <stdlib.h>
#include <string.h>

#include "receive/track.h"

enum { PAGE = 1 << TRACK_PAGE_LOG2 };

/* Counts the packets of which no copy arrived, of @sent packets. */
static uint64_t count_lost(const struct track *t, uint64_t sent)
{
	return sent - t->seen - t->unreadable;
}

FIXTURE(track)
{
	struct track t;
	uint64_t order;
};
FIXTURE_SETUP(track)
{
	self->t = (struct track){ 0 };
}
FIXTURE_TEARDOWN(track)
{
	static const struct track zero;

	track_free(&self->t);
	EXPECT_MEMEQ(&zero, &self->t, sizeof(zero));
}

TEST_F(track, a_run_without_faults_counts_no_fault_and_needs_one_page)
{
	unsigned spares = 0;

	for (uint64_t i = 0; i < 5 * PAGE + 17; i++)
		track_add_arrival(&self->t, i, false, &self->order);
	EXPECT_EQ(5 * PAGE + 17, track_count_received(&self->t));
	EXPECT_EQ(0, count_lost(&self->t, 5 * PAGE + 17));
	EXPECT_EQ(0, self->t.duplicated + self->t.reordered + self->t.corrupted);
	for (const struct track_page *p = self->t.spare; p; p = p->next)
		spares++;
	EXPECT_EQ(0, spares); /* the next page reused the memory of each full one */
}

TEST_F(track, a_flow_of_few_packets_needs_one_small_page)
{
	for (uint64_t i = 0; i < PAGE - 1; i++)
		track_add_arrival(&self->t, i, false, &self->order);
	EXPECT_EQ(0, self->t.height);
	EXPECT_EQ(NULL, self->t.spare);
	EXPECT_TRUE(sizeof(struct track_page) <= 528);
}

TEST_F(track, pages_of_each_height_lose_their_memory_when_they_are_full)
{
	const uint64_t n = 3ull * PAGE * TRACK_FANOUT + 5;

	for (uint64_t i = 0; i < n; i++)
		track_add_arrival(&self->t, i, false, &self->order);
	EXPECT_EQ(2, self->t.height);
	EXPECT_EQ(3, self->t.root->n_set);
	EXPECT_TRUE(self->t.root->pages[0] == self->t.root->pages[2]); /* no memory of their own */
	EXPECT_EQ(0, self->t.root->pages[3]->n_set);
	EXPECT_EQ(5, self->t.root->pages[3]->pages[0]->n_set);
	EXPECT_EQ(NULL, self->t.root->pages[3]->pages[1]);
	EXPECT_EQ(n, self->t.seen);
	EXPECT_TRUE(track_has_seq(&self->t, PAGE * TRACK_FANOUT + 1));
	EXPECT_TRUE(track_has_seq(&self->t, n - 1));
	EXPECT_FALSE(track_has_seq(&self->t, n));
	EXPECT_FALSE(track_has_seq(&self->t, 1ull << (PKTGEN_MAX_SEQ_LOG2 - 1)));
}

TEST_F(track, the_highest_number_counts_and_numbers_before_it_may_follow)
{
	const uint64_t last = (1ull << PKTGEN_MAX_SEQ_LOG2) - 1;

	track_add_arrival(&self->t, last, false, &self->order);
	track_add_arrival(&self->t, 0, false, &self->order);
	track_add_arrival(&self->t, last, false, &self->order);
	EXPECT_EQ(2, self->t.seen);
	EXPECT_EQ(1, self->t.duplicated);
	EXPECT_EQ(1, self->t.reordered);
	EXPECT_TRUE(track_has_seq(&self->t, last));
	EXPECT_FALSE(track_has_seq(&self->t, last - 1));
	EXPECT_TRUE(track_has_seq(&self->t, 0));
}

TEST_F(track, a_packet_of_a_full_page_is_a_duplicate)
{
	for (uint64_t i = 0; i < 2 * PAGE; i++)
		track_add_arrival(&self->t, i, false, &self->order);
	track_add_arrival(&self->t, 5, false, &self->order);
	track_add_arrival(&self->t, PAGE + 5, true, &self->order);
	EXPECT_EQ(2, self->t.duplicated);
	EXPECT_EQ(1, self->t.corrupted);
	EXPECT_TRUE(track_has_seq(&self->t, 5));
}

TEST_F(track, a_packet_that_arrives_pages_later_is_reordered_and_not_lost)
{
	for (uint64_t i = 1; i < 3 * PAGE; i++)
		track_add_arrival(&self->t, i, false, &self->order);
	EXPECT_EQ(1, count_lost(&self->t, 3 * PAGE));
	EXPECT_FALSE(track_has_seq(&self->t, 0));
	track_add_arrival(&self->t, 0, false, &self->order);
	EXPECT_EQ(0, count_lost(&self->t, 3 * PAGE));
	EXPECT_EQ(1, self->t.reordered);
	track_add_arrival(&self->t, 0, false, &self->order);
	EXPECT_EQ(1, self->t.duplicated);
	EXPECT_EQ(1, self->t.reordered);
}

TEST_F(track, an_unreadable_packet_lowers_the_number_of_lost_packets)
{
	track_add_arrival(&self->t, 0, false, &self->order);
	track_add_unreadable(&self->t);
	track_add_arrival(&self->t, 2, false, &self->order);
	EXPECT_EQ(1, count_lost(&self->t, 4));
	EXPECT_EQ(3, track_count_received(&self->t));
	EXPECT_EQ(1, self->t.corrupted);
}

TEST_F(track, several_receivers_count_each_packet_once)
{
	struct track other = { 0 };
	const struct track *both[] = { &self->t, &other };
	uint64_t order = 0;

	for (uint64_t i = 0; i < PAGE; i++)
		track_add_arrival(&self->t, i, false, &self->order);
	for (uint64_t i = PAGE - 10; i < 2 * PAGE + 100; i += 2)
		track_add_arrival(&other, i, false, &order);
	track_add_arrival(&self->t, 2 * PAGE, false, &self->order);
	track_add_arrival(&self->t, 2 * PAGE + 1, false, &self->order);
	/* 5 numbers of the full page, and 2 * PAGE, arrived twice. */
	EXPECT_EQ(PAGE + PAGE / 2 + 50 + 1, track_count_distinct(both, 2));
	EXPECT_EQ(PAGE + 2, track_count_distinct(both, 1));
	track_free(&other);
}

/* ---- comparison with a slow count by definition -------------------------------------- */

/* The arrival of one packet. */
struct event {
	uint64_t seq;
	bool damaged;
};

struct counts {
	uint64_t lost, duplicated, reordered, corrupted, received;
};

static bool is_first_copy(const struct event *e, unsigned i)
{
	for (unsigned j = 0; j < i; j++) {
		if (e[j].seq == e[i].seq)
			return false;
	}
	return true;
}

/* Counts by the definitions in doc/pktgen.md: compares each arrival with all earlier ones. */
static struct counts count_by_definition(const struct event *e, unsigned n, uint64_t sent)
{
	struct counts c = { .received = n };

	for (unsigned i = 0; i < n; i++) {
		bool seen = false, overtaken = false;

		for (unsigned j = 0; j < i; j++) {
			seen |= e[j].seq == e[i].seq;
			overtaken |= e[j].seq > e[i].seq && !e[j].damaged && is_first_copy(e, j);
		}
		c.duplicated += seen;
		c.reordered += overtaken && !seen && !e[i].damaged;
		c.corrupted += e[i].damaged;
	}
	for (uint64_t s = 0; s < sent; s++) {
		bool seen = false;

		for (unsigned j = 0; j < n; j++)
			seen |= e[j].seq == s;
		c.lost += !seen;
	}
	return c;
}

/* Drops, damages, duplicates and moves packets at random. Returns the number of arrivals in @e. */
static unsigned play_bad_wire(unsigned *seed, uint64_t first, unsigned sent, struct event *e)
{
	const unsigned drop = 1 + (unsigned)rand_r(seed) % 20,
		       dup = 1 + (unsigned)rand_r(seed) % 20;
	const unsigned move = 1 + (unsigned)rand_r(seed) % 20,
		       harm = 1 + (unsigned)rand_r(seed) % 20;
	unsigned n = 0;

	for (unsigned s = 0; s < sent; s++) {
		if ((unsigned)rand_r(seed) % drop == 0)
			continue;
		do {
			e[n++] = (struct event){ first + s, (unsigned)rand_r(seed) % harm == 0 };
		} while (n < 3 * sent - s && (unsigned)rand_r(seed) % (dup + 1) == 0);
	}
	for (unsigned i = 0; i < n; i++) {
		if ((unsigned)rand_r(seed) % move)
			continue;
		const unsigned j = (unsigned)rand_r(seed) % n;
		const struct event other = e[j];

		e[j] = e[i];
		e[i] = other;
	}
	return n;
}

TEST(track_property, counts_as_the_definitions_say_under_every_mix_of_faults)
{
	struct event e[3 * 120];
	unsigned seed = 42;

	for (unsigned round = 0; round < 500; round++) {
		/* Every second round starts 60 packets before the end of a page. */
		const uint64_t first = round % 2 ? PAGE - 60 : 0;
		const unsigned sent = 1 + (unsigned)rand_r(&seed) % 120;
		const unsigned n = play_bad_wire(&seed, first, sent, e);
		uint64_t order = 0;
		struct counts want;
		struct track t = { 0 };

		SCOPED_TRACE("round %u", round);
		for (uint64_t i = 0; i < first; i++)
			track_add_arrival(&t, i, false, &order);
		for (unsigned i = 0; i < n; i++)
			track_add_arrival(&t, e[i].seq, e[i].damaged, &order);
		for (unsigned i = 0; i < n; i++)
			e[i].seq -= first;
		want = count_by_definition(e, n, sent);
		EXPECT_EQ(want.lost, count_lost(&t, first + sent));
		EXPECT_EQ(want.duplicated, t.duplicated);
		EXPECT_EQ(want.reordered, t.reordered);
		EXPECT_EQ(want.corrupted, t.corrupted);
		EXPECT_EQ(first + want.received, track_count_received(&t));
		EXPECT_EQ(track_count_received(&t),
			  first + sent - count_lost(&t, first + sent) + t.duplicated);
		track_free(&t);
	}
}
