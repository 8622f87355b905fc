/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads an input of the fuzzer as frames that a device changed (devtools/fuzz), for the receiver of
 * devx-pktgen. The first byte of a frame chooses what of it is right, because no fuzzer can guess
 * a CRC: the signature, the payload before it, both, or nothing.
 */
#include <stdio.h>
#include <stdlib.h>

#include "receive/taking.h"

#include "input.h"

enum {
	RUN = 5,
	N_STREAMS = 7,
	LISTED = 5, /* a stream with a list of the headers of arriving frames */
	GIVEN = 64,
	PAYLOAD = 40,
	FRAME_BYTES = 400,
	MAX_FRAMES = 8,
	RIGHT_SIGNATURE = 0x80,
	RIGHT_PAYLOAD = 0x40,
	RIGHT_HEADERS = 0x20,
};

static const char *const packets[N_STREAMS] = {
	"ethernet/ipv4/udp",
	"ethernet/vlan/vlan/ipv6/tcp(options=01010101)",
	"ethernet/mpls/ipv4(options=94040000)/gre(key=1,checksum_present=1)/ethernet/ipv4/sctp",
	"ethernet/ipv4/udp/vxlan/ethernet/ipv6/ipv6_fragment/icmpv6",
	"ethernet/ipv6/ipv6_hop_by_hop/ipv6_routing/udp/gtpv1(sequence_number=1)/ipv4/icmp",
	"ethernet/ipv4/udp/geneve(options=0102030401020304)/ipv6/udp",
	"ethernet/custom(bytes=010203)",
};

static struct stack stacks[N_STREAMS];
static struct size sizes[N_STREAMS];
static struct flow flows[N_STREAMS];
static struct epochs epochs[N_STREAMS];
static struct tx senders[N_STREAMS];
static const struct tx *all[N_STREAMS];
static struct run_clock run_clock = { 0, 1000000000, 1ull << 32 };

/* No port of the target has addresses. */
bool responder_take_frame(struct responder *d, const uint8_t *frame, unsigned n_bytes)
{
	(void)d;
	(void)frame;
	(void)n_bytes;
	return false;
}

static void require_that(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "frame: %s\n", what);
	abort();
}

/* Makes the streams; the last one goes to another port. */
static void make_streams(void)
{
	static const uint8_t src[6] = { 2, 0, 0, 0, 0, 1 }, dst[6] = { 2, 0, 0, 0, 0, 2 };

	for (unsigned i = 0; i < N_STREAMS; i++) {
		struct recipe recipe;

		require_that(!stack_parse(&stacks[i], packets[i]), packets[i]);
		stack_set_macs(&stacks[i], src, dst);
		recipe_init(&recipe, &stacks[i], 0, false);
		size_set_fixed(&sizes[i], recipe.bytes + PAYLOAD + PKTGEN_FCS_BYTES);
		require_that(!flow_init(&flows[i], RUN, i, &stacks[i], &sizes[i], 0, 1), "memory");
		flows[i].expect = EXPECT_SAME + i % 4;
		if (i == LISTED)
			flow_set_expect(&flows[i], EXPECT_EGRESS, (struct route){ 0 }, &stacks[2]);
		senders[i] = (struct tx){
			.id = i, .flow = &flows[i], .epochs = &epochs[i], .given = GIVEN
		};
		all[i] = &senders[i];
	}
}

/* Makes a frame: headers of a stream or of the input, then what @right names. Returns its size. */
static uint32_t make_frame(struct input *in, uint8_t *frame)
{
	const uint8_t right = take_u8(in), stream = take_u8(in) % (N_STREAMS + 1);
	const uint8_t seq = take_u8(in) % (GIVEN + 2), trailer = take_u8(in) % 70;
	const struct flow *f = &flows[stream % N_STREAMS];
	uint32_t bytes = take_u16(in) % (FRAME_BYTES - PAYLOAD - 70);
	uint8_t sent[FRAME_BYTES];

	take_bytes(in, frame, bytes);
	flow_write_frame(f, seq, f->bytes, take_u8(in), sent);
	if (right & RIGHT_HEADERS) {
		bytes = f->recipe->bytes;
		memcpy(frame, sent, bytes);
		frame[take_u8(in) % bytes] ^= take_u8(in);
	}
	if (right & RIGHT_PAYLOAD) {
		memcpy(frame + bytes, sent + f->recipe->bytes, PAYLOAD - SIGN_BYTES);
		bytes += PAYLOAD - SIGN_BYTES;
	}
	if (right & RIGHT_SIGNATURE) {
		memcpy(frame + bytes, sent + f->bytes - SIGN_BYTES, SIGN_BYTES);
		bytes += SIGN_BYTES;
	}
	take_bytes(in, frame + bytes, trailer);
	return bytes + trailer;
}

/* Counts a frame, in memory of exactly its length, and checks that it is counted once. */
static void take_frame(struct rx *rx, const uint8_t *frame, uint32_t bytes)
{
	const uint64_t before = rx->unknown + rx->misdirected + rx->unsent + rx->fragments +
				rx->other_run + rx->requests;
	struct taking t = { .rx = rx, .polled_ns = 1000, .now_ns = 1000 };
	uint8_t *exact = malloc(bytes ? bytes : 1);
	bool counts;

	memcpy(exact, frame, bytes);
	counts = taking_add_other(&t, exact, bytes);
	free(exact);
	t.row_frames += counts;
	taking_end_row(&t);
	require_that(counts + rx->unknown + rx->misdirected + rx->unsent + rx->fragments +
				     rx->other_run + rx->requests ==
			     before + 1,
		     "a frame is not counted once");
}

/* Formats what changed, and checks that each stream has as many frames as its account. */
static void check_streams(const struct rx *rx)
{
	char text[CHANGE_TEXT_BYTES];

	for (unsigned i = 0; i < rx->n_streams; i++) {
		const struct rx_stream *s = &rx->streams[i];
		const struct changes_row *row;

		require_that(s->arrived == track_count_received(&s->track), "other arrivals");
		require_that(s->changed + s->track.corrupted <= s->arrived, "too many changes");
		for (row = changes_get(&rx->changes, s->changes.first); row;
		     row = changes_get(&rx->changes, row->next)) {
			change_format_value(&row->change, row->change.sent, text, sizeof(text));
			change_format_value(&row->change, row->change.received, text, sizeof(text));
			require_that(row->packets <= s->changed, "a change of too many frames");
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct input in = { data, bytes };
	static struct port_stamps stamps;
	struct rx rx = {
		.clock = &run_clock, .stamps = &stamps, .all = all, .n_all = N_STREAMS, .run = RUN
	};
	uint8_t frame[FRAME_BYTES];

	if (!all[0])
		make_streams();
	require_that(!rx_init(&rx, all, N_STREAMS - 1), "no memory");
	rx.expects_fragments = false;
	for (unsigned i = 0; i < MAX_FRAMES && in.left; i++) {
		const uint32_t n = make_frame(&in, frame);

		take_frame(&rx, frame, n);
	}
	check_streams(&rx);
	rx_free(&rx);
	return 0;
}
