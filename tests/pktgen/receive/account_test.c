/* SPDX-License-Identifier: BSD-3-Clause */
#include "receive/account.h"

#include "ct.h"
#include "receive/rx.h"

/* Three streams, and two receive queues that expect the last two of them. */
FIXTURE(account)
{
	struct tx tx[3];
	const struct tx *all[3];
	struct rx rx[2];
};
FIXTURE_SETUP(account)
{
	for (unsigned i = 0; i < 3; i++) {
		self->tx[i].id = (uint16_t)i;
		self->all[i] = &self->tx[i];
	}
	for (unsigned i = 0; i < 2; i++) {
		self->rx[i].n_all = 3;
		ASSERT_EQ(0, rx_init(&self->rx[i], self->all + 1, 2));
	}
}
FIXTURE_TEARDOWN(account)
{
	rx_free(&self->rx[0]);
	rx_free(&self->rx[1]);
}

static void expect_account(struct account want, struct account got)
{
	EXPECT_EQ(want.sent, got.sent);
	EXPECT_EQ(want.received, got.received);
	EXPECT_EQ(want.lost, got.lost);
	EXPECT_EQ(want.duplicated, got.duplicated);
	EXPECT_EQ(want.reordered, got.reordered);
	EXPECT_EQ(want.corrupted, got.corrupted);
	EXPECT_EQ(want.unreadable, got.unreadable);
	EXPECT_EQ(want.untracked, got.untracked);
}

static void deliver_packet(struct rx_stream *s, uint64_t seq, bool damaged)
{
	track_add_arrival(&s->track, seq, damaged, &s->order);
}

/* Packet 0 arrives in both queues, 2 before 1, 3 damaged, 4 unreadable; 5 and 6 are lost. */
static void deliver_with_faults(struct rx *rx)
{
	struct rx_stream *s[] = { &rx[0].streams[1], &rx[1].streams[1] };

	deliver_packet(s[0], 0, false);
	deliver_packet(s[1], 0, false);
	deliver_packet(s[0], 2, false);
	deliver_packet(s[0], 1, false);
	deliver_packet(s[1], 3, true);
	track_add_unreadable(&s[1]->track);
}

TEST_F(account, sums_what_all_queues_received_of_a_stream)
{
	struct account a;

	self->tx[2].sent = 7;
	deliver_with_faults(self->rx);
	a = account_make(&self->tx[2], self->rx, 2, false);
	expect_account((struct account){ .sent = 7,
					 .received = 6,
					 .lost = 2,
					 .duplicated = 1,
					 .reordered = 1,
					 .corrupted = 2,
					 .unreadable = 1 },
		       a);
	self->rx[1].streams[1].track.untracked = 1;
	a = account_make(&self->tx[2], self->rx, 2, false);
	EXPECT_EQ(1, a.untracked);
	EXPECT_EQ(7, a.received);
	EXPECT_EQ(1, a.duplicated);
	a = account_make(&self->tx[2], self->rx, 2, true);
	EXPECT_EQ(0, a.lost);
	self->tx[1].sent = 3;
	expect_account((struct account){ .sent = 3, .lost = 3 },
		       account_make(&self->tx[1], self->rx, 2, false));
	self->tx[0].sent = 2; /* expected by no queue */
	expect_account((struct account){ .sent = 2, .lost = 2 },
		       account_make(&self->tx[0], self->rx, 2, false));
}

/* Two packets are sent, and three frames arrive: 0, 1, and one or more unreadable ones. */
TEST_F(account, an_unreadable_frame_is_a_copy_if_all_packets_are_there)
{
	struct rx_stream *s = &self->rx[0].streams[1];

	self->tx[2].sent = 2;
	deliver_packet(s, 0, false);
	deliver_packet(s, 1, false);
	track_add_unreadable(&s->track);
	expect_account((struct account){ .sent = 2,
					 .received = 3,
					 .duplicated = 1,
					 .corrupted = 1,
					 .unreadable = 1 },
		       account_make(&self->tx[2], self->rx, 2, false));
	track_add_unreadable(&s->track);
	EXPECT_EQ(2, account_make(&self->tx[2], self->rx, 2, false).duplicated);
	/* More numbers than were sent: that is a mistake, which no copy explains. */
	self->tx[2].sent = 1;
	expect_account(
		(struct account){ .sent = 1, .received = 4, .corrupted = 2, .unreadable = 2 },
		account_make(&self->tx[2], self->rx, 2, false));
}

TEST(account_add, adds_each_counter)
{
	const struct account a = { 1, 2, 3, 4, 5, 6, 7, 8 };
	struct account sum = { 10, 20, 30, 40, 50, 60, 70, 80 };

	account_add(&sum, &a);
	expect_account((struct account){ 11, 22, 33, 44, 55, 66, 77, 88 }, sum);
}
