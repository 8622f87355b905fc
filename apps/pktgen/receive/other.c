/* SPDX-License-Identifier: BSD-3-Clause */
#include "packet/dissect.h"
#include "receive/taking.h"

/* The largest number of streams whose frames are compared with one that has no signature. */
enum { MAX_GUESSES = 64 };

/* ---- old frames ------------------------------------------------------------------- */

/* Counts 0 if, because of the error of a clock, a frame arrived before it was made. */
void taking_record_old(struct taking *t, struct rx_stream *s, const struct sign_mark *mark)
{
	uint64_t made_ns;

	if (!epochs_find_time(s->tx->epochs, mark->seq, mark->time_ns, &made_ns)) {
		s->untimed++;
		return;
	}
	if (made_ns > t->now_ns) {
		t->rx->negative++;
		made_ns = t->now_ns;
	}
	latency_row_record(&s->latency, t->now_ns - made_ns);
}

/* ---- frames with a signature ----------------------------------------------------- */

/* Counts a frame that a device changed or damaged. Returns whether it counts for the stream. */
static bool add_changed_frame(struct taking *t, struct rx_stream *s, const struct sign_found *found,
			      const uint8_t *frame, uint32_t bytes)
{
	struct change_list changes;

	taking_select_row(t, s);
	switch (flow_compare(s->tx->flow, found, frame, bytes, &changes)) {
	case SIGN_CHANGED:
		s->changed++;
		changes_add(&t->rx->changes, &s->changes, &changes);
		/* fallthrough */
	case SIGN_GOOD:
		taking_add_intact(t, s, &found->mark);
		return true;
	case SIGN_FRAGMENT:
		counter_add(&t->rx->fragments, 1);
		return false;
	default:
		t->distinct += track_add_arrival(&s->track, found->mark.seq, true, &s->order);
		return true;
	}
}

/* Counts a frame with a signature of this run. Returns whether an expected stream sent it. */
static bool add_signed_frame(struct taking *t, const struct sign_found *found, const uint8_t *frame,
			     uint32_t bytes)
{
	struct rx *rx = t->rx;
	const struct tx *tx = found->stream < rx->n_all ? rx->all[found->stream] : NULL;

	if (!tx || tx->capture || found->mark.seq >= taking_load_limit(tx)) {
		counter_add(&rx->unsent, 1);
		return false;
	}
	if (rx->signed_stream[found->stream])
		return add_changed_frame(t, rx->signed_stream[found->stream], found, frame, bytes);
	rx->misdirected_id = found->stream;
	counter_add(&rx->misdirected, 1);
	return false;
}

/* ---- other frames ---------------------------------------------------------------- */

/*
 * Counts a frame of a replayed capture. Returns whether the frame belongs to the capture.
 * @is_damaged: the frame is none of the capture as it was sent
 */
static bool add_captured_frame(struct taking *t, const uint8_t *frame, uint32_t bytes,
			       bool is_damaged)
{
	struct rx_stream *s = t->rx->captured;
	uint64_t seq;

	taking_select_row(t, s);
	if (!(is_damaged ? match_damaged_frame : match_intact_frame)(&s->match, &s->track, t->limit,
								     frame, bytes, &seq))
		return false;
	t->distinct +=
		track_add_arrival(&s->track, seq, is_damaged, match_find_order(&s->match, seq));
	return true;
}

/*
 * The stream of a frame without a right signature.
 * @stream: NULL: the frame has the headers of no stream
 * @is_sure: the rest of the signature names the stream, not only the headers
 */
struct guess {
	struct rx_stream *stream;
	enum sign_verdict verdict;
	struct sign_mark mark;
	bool is_sure;
};

static struct guess read_damaged(struct rx_stream *s, const uint8_t *frame, uint32_t bytes)
{
	struct guess g = { .stream = s };

	g.verdict = flow_read_frame(s->tx->flow, frame, bytes, taking_load_limit(s->tx), &g.mark);
	g.is_sure = g.verdict == SIGN_DAMAGED;
	if (g.verdict != SIGN_DAMAGED && g.verdict != SIGN_UNREADABLE)
		g.stream = NULL;
	return g;
}

/* Returns whether the sender has used the number at the end of a frame, right or not. */
static bool has_sent_number(const struct tx *tx, const uint8_t *frame, uint32_t bytes)
{
	return sign_decode_mark(frame + bytes - SIGN_VARIABLE_BYTES).seq < taking_load_limit(tx);
}

/*
 * Finds the stream of a frame without a right signature: the one that the signature names, if only
 * its end is damaged; one whose signature it has, apart from one byte; or one with its headers.
 */
static struct guess guess_stream(const struct rx *rx, const uint8_t *frame, uint32_t bytes)
{
	const int id = sign_peek_stream(frame, bytes, rx->run);
	struct guess first = { 0 }, g;

	if (id >= 0 && (unsigned)id < rx->n_all && rx->signed_stream[id]) {
		g = read_damaged(rx->signed_stream[id], frame, bytes);
		/*
		 * A device also changed its headers. A frame of others that names a stream by
		 * chance has a number that was not sent.
		 */
		if (!g.stream && has_sent_number(rx->signed_stream[id]->tx, frame, bytes))
			g = (struct guess){ rx->signed_stream[id], .verdict = SIGN_UNREADABLE };
		g.is_sure = g.stream;
		if (g.stream)
			return g;
	}
	for (unsigned i = 0; i < rx->n_streams && i < MAX_GUESSES; i++) {
		if (&rx->streams[i] == rx->captured)
			continue;
		g = read_damaged(&rx->streams[i], frame, bytes);
		if (g.is_sure)
			return g;
		if (!first.stream)
			first = g;
	}
	return first;
}

static void add_damaged_frame(struct taking *t, const struct guess *g, uint32_t bytes)
{
	struct rx_stream *s = g->stream;

	taking_select_row(t, s);
	if (g->verdict == SIGN_DAMAGED) {
		t->distinct += track_add_arrival(&s->track, g->mark.seq, true, &s->order);
		return;
	}
	track_add_unreadable(&s->track);
	s->truncated += bytes + PKTGEN_FCS_BYTES < s->tx->flow->size->min;
	t->distinct++;
}

/* Returns whether a frame is a part of an IP packet, and no expected stream sends such frames. */
static bool is_fragment(const struct rx *rx, const uint8_t *frame, uint32_t bytes)
{
	struct dissection d;

	if (rx->expects_fragments)
		return false;
	dissect_frame(&d, frame, bytes);
	return dissect_is_fragment(&d, frame);
}

/* Returns whether this run replays a capture with frames that run @run signed. */
static bool replays_run(const struct rx *rx, unsigned run)
{
	for (unsigned i = 0; i < rx->n_all; i++) {
		if (rx->all[i]->capture && capture_has_run(rx->all[i]->capture, run))
			return true;
	}
	return false;
}

/* Counts a frame that no expected stream sent. @other: the signature of another run, or NULL */
static void add_foreign_frame(struct rx *rx, const uint8_t *frame, uint32_t bytes,
			      const struct sign_found *other)
{
	if (rx->responder && bytes <= PKTGEN_MAX_SIZE &&
	    responder_take_frame(rx->responder, frame, bytes)) {
		counter_add(&rx->requests, 1);
	} else if (other && !replays_run(rx, other->run)) {
		rx->other_run_number = other->run;
		counter_add(&rx->other_run, 1);
	} else {
		counter_add(&rx->unknown, 1);
	}
}

bool taking_add_other(struct taking *t, const uint8_t *frame, uint32_t bytes)
{
	struct rx *rx = t->rx;
	struct guess g = { 0 };
	struct sign_found found;
	const bool is_signed = sign_find(frame, bytes, &found);

	/* A right signature names its stream, so the headers are not compared with others. */
	if (is_signed && found.run == rx->run)
		return add_signed_frame(t, &found, frame, bytes);
	if (rx->captured && add_captured_frame(t, frame, bytes, false))
		return true;
	if (!is_signed)
		g = guess_stream(rx, frame, bytes);
	if (rx->captured && !g.is_sure && add_captured_frame(t, frame, bytes, true))
		return true;
	if (!is_signed && is_fragment(rx, frame, bytes)) {
		counter_add(&rx->fragments, 1);
		return false;
	}
	if (g.stream) {
		add_damaged_frame(t, &g, bytes);
		return true;
	}
	add_foreign_frame(rx, frame, bytes, is_signed ? &found : NULL);
	return false;
}
