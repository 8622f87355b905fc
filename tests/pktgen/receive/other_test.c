/* SPDX-License-Identifier: BSD-3-Clause */
#include "rx_fixture.h"

/* Puts a frame of a stream on the wire, with other headers, which are @more bytes longer. */
static void put_changed(struct ct_fix_rx *self, unsigned stream, uint64_t seq, const char *packet,
			unsigned more)
{
	static const uint8_t mac[6] = { 2, 0, 0, 0, 0, 9 };
	struct stack stack;
	struct size size;
	struct flow device;
	uint8_t frame[128];

	ASSERT_EQ(NULL, stack_parse(&stack, packet));
	stack_set_macs(&stack, mac, mac);
	size_set_fixed(&size, 64 + more);
	ASSERT_EQ(0, flow_init(&device, self->rx.run, stream, &stack, &size, 0, 1));
	flow_write_frame(&device, seq, 60 + more, 0, frame);
	put_bytes(frame, 60 + more);
	flow_free(&device);
	stack_free(&stack);
}

TEST_F(rx, changed_frames_count_for_their_stream)
{
	const struct rx_stream *s = &self->rx.streams[1];
	const struct changes_row *row;

	put_changed(self, 1, 3, "ethernet/ipv4(dont_fragment=1,dscp=5)/udp(checksum=0)", 0);
	put_changed(self, 1, 2, "ethernet/vlan/ipv4(dont_fragment=1)/udp(checksum=0)", 4);
	put_changed(self, 1, 2, "ethernet/vlan/ipv4(dont_fragment=1)/udp(checksum=0)", 4);
	clock_now = START + 10;
	rx_poll(&self->rx);
	rx_finish(&self->rx);
	EXPECT_EQ(3, s->changed);
	EXPECT_EQ(3, s->arrived);
	EXPECT_EQ(2, s->track.seen);
	EXPECT_EQ(1, s->track.duplicated);
	EXPECT_EQ(1, s->track.reordered);
	EXPECT_EQ(0, s->track.corrupted);
	EXPECT_EQ(3, histogram_count(&s->latency.to->time));
	EXPECT_EQ(0, self->rx.streams[0].arrived);
	/* Both MAC addresses, the DSCP and the tag. */
	EXPECT_EQ(4, s->changes.n);
	row = changes_get(&self->rx.changes, s->changes.first);
	EXPECT_STREQ("dst", row->change.field->name);
	EXPECT_EQ(3, row->packets);
	row = changes_get(&self->rx.changes, row->next);
	EXPECT_STREQ("src", row->change.field->name);
	row = changes_get(&self->rx.changes, row->next);
	EXPECT_STREQ("dscp", row->change.field->name);
	EXPECT_EQ(1, row->packets);
	row = changes_get(&self->rx.changes, row->next);
	EXPECT_EQ(CHANGE_ADDED, row->change.kind);
	EXPECT_EQ(2, row->packets);
	EXPECT_EQ(0, row->next);
}

TEST_F(rx, changed_frames_of_other_ports_are_misdirected)
{
	put_changed(self, 2, 3, PKTGEN_DEFAULT_PACKET, 0);
	rx_poll(&self->rx);
	EXPECT_EQ(1, self->rx.misdirected);
	EXPECT_EQ(2, self->rx.misdirected_id);
	EXPECT_EQ(0, self->rx.arrived);
}

TEST_F(rx, a_changed_frame_with_a_damaged_signature_counts_for_its_stream)
{
	const struct rx_stream *s = &self->rx.streams[1];

	put_changed(self, 1, 3, "ethernet/vlan/vlan/ipv4(dont_fragment=1)/udp(checksum=0)", 8);
	bytes[0][68 - SIGN_BYTES + 9] ^= 0x10;
	rx_poll(&self->rx);
	EXPECT_EQ(1, s->arrived);
	EXPECT_EQ(1, s->track.unreadable);
	EXPECT_EQ(0, s->truncated);
	EXPECT_EQ(0, self->rx.unknown);
}

/* The second stream has the same headers as the first one. */
/* The frame of somebody else may have the bytes of run and stream by chance. */
TEST_F(rx, a_frame_that_only_names_a_stream_is_unknown)
{
	uint8_t other[60] = { 2, 0, 0, 0, 0, 2 };

	memset(other + 6, 0x5a, sizeof(other) - 6);
	memcpy(other + sizeof(other) - SIGN_BYTES,
	       self->flows[1].frame + self->flows[1].bytes - SIGN_BYTES, SIGN_CONSTANT_BYTES);
	put_bytes(other, sizeof(other));
	rx_poll(&self->rx);
	EXPECT_EQ(1, self->rx.unknown);
	EXPECT_EQ(0, self->rx.arrived);
}

TEST_F(rx, a_frame_with_a_damaged_stream_number_counts_for_the_stream_that_signed_it)
{
	struct rte_mbuf *m = put_frame(self, 1, 7, 0);

	((uint8_t *)m->buf_addr)[60 - SIGN_BYTES + 3] ^= 0x10;
	rx_poll(&self->rx);
	EXPECT_EQ(0, self->rx.streams[0].arrived);
	EXPECT_EQ(1, self->rx.streams[1].arrived);
	EXPECT_EQ(1, self->rx.streams[1].track.corrupted);
	EXPECT_EQ(0, self->rx.streams[1].track.unreadable);
}

TEST_F(rx, frames_that_the_run_did_not_send_are_counted_apart)
{
	put_frame(self, 0, 1000, 0);                       /* a later number */
	put_changed(self, 3, 0, PKTGEN_DEFAULT_PACKET, 0); /* a stream behind the last one */
	put_frame(self, 0, 999, 0);
	rx_poll(&self->rx);
	EXPECT_EQ(2, self->rx.unsent);
	EXPECT_EQ(1, self->rx.arrived);
	EXPECT_EQ(0, self->rx.unknown + self->rx.misdirected);
}

TEST_F(rx, fragments_are_counted_apart_unless_a_stream_sends_them)
{
	struct rte_mbuf *m = put_frame(self, 0, 1, 0);

	((uint8_t *)m->buf_addr)[20] = 0x20; /* more fragments, without the end of the frame */
	m->pkt_len = m->data_len = 50;
	rx_poll(&self->rx);
	EXPECT_EQ(1, self->rx.fragments);
	EXPECT_EQ(0, self->rx.arrived);
	self->rx.expects_fragments = true;
	m = put_frame(self, 0, 1, 0);
	((uint8_t *)m->buf_addr)[20] = 0x20;
	m->pkt_len = m->data_len = 50;
	rx_poll(&self->rx);
	EXPECT_EQ(1, self->rx.fragments);
	EXPECT_EQ(1, self->rx.arrived);
	EXPECT_EQ(1, self->rx.streams[0].track.unreadable);
	EXPECT_EQ(1, self->rx.streams[0].truncated);
}

TEST(changes, a_stream_has_16_rows_and_a_queue_1024)
{
	const struct header_kind *ipv4 = header_find("ipv4", 4);
	struct changes_of of[100] = { 0 };
	struct change_list list = { .n = 20 };
	struct changes c;

	for (unsigned i = 0; i < 20; i++)
		list.list[i] = (struct change){ .kind = CHANGE_ADDED,
						.header = ipv4,
						.place = (uint8_t)i };
	ASSERT_EQ(0, changes_init(&c));
	for (unsigned i = 0; i < 100; i++) {
		changes_add(&c, &of[i], &list);
		changes_add(&c, &of[i], &list);
		EXPECT_EQ(i < 64 ? 16 : 0, of[i].n);
		EXPECT_EQ(i < 64 ? 8 : 40, of[i].n_left_out);
	}
	EXPECT_EQ(2, changes_get(&c, of[63].first)->packets);
	EXPECT_EQ(NULL, changes_get(&c, of[64].first));
	changes_free(&c);
	EXPECT_EQ(NULL, c.rows);
}
