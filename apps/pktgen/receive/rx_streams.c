/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>

#include "receive/rx.h"

static int init_stream(struct rx *rx, struct rx_stream *s, const struct tx *tx)
{
	s->tx = tx;
	if (!tx->capture) {
		rx->signed_stream[tx->id] = s;
		rx->expects_fragments |= tx->flow && flow_sends_fragments(tx->flow);
		return 0;
	}
	rx->captured = s;
	return match_init(&s->match, tx->capture);
}

static int init_latencies(struct rx *rx, unsigned n)
{
	const unsigned most = n < LATENCY_MAX_PARTS ? n : LATENCY_MAX_PARTS;
	int rc = 0;

	rx->latencies = calloc(most + 1, sizeof(*rx->latencies));
	if (!rx->latencies)
		return -ENOMEM;
	for (; rx->n_latencies < most && !rc; rx->n_latencies++)
		rc = latency_init(&rx->latencies[rx->n_latencies]);
	return rc;
}

int rx_init(struct rx *rx, const struct tx *const *expected, unsigned n)
{
	int rc = 0;

	rx->streams = calloc(n + 1, sizeof(*rx->streams));
	rx->signed_stream = calloc(rx->n_all, sizeof(struct rx_stream *));
	if (!rx->streams || !rx->signed_stream)
		return -ENOMEM;
	rc = histogram_init(&rx->polls, LATENCY_DIGITS, LATENCY_HIGHEST_NS);
	if (!rc)
		rc = changes_init(&rx->changes);
	if (!rc)
		rc = init_latencies(rx, n);
	for (unsigned i = 0; i < n && !rc; i++) {
		struct rx_stream *s = &rx->streams[i];

		rx->n_streams++;
		s->latency = latency_row_begin(&rx->latencies[(uint64_t)i * rx->n_latencies / n]);
		rc = init_stream(rx, s, expected[i]);
	}
	rx->only = n == 1 && !rx->captured ? &rx->streams[0] : NULL;
	return rc;
}

void rx_finish(struct rx *rx)
{
	for (unsigned i = 0; i < rx->n_streams; i++)
		latency_row_end(&rx->streams[i].latency);
}

void rx_free(struct rx *rx)
{
	for (unsigned i = 0; i < rx->n_latencies; i++)
		latency_free(&rx->latencies[i]);
	free(rx->latencies);
	changes_free(&rx->changes);
	histogram_free(&rx->polls);
	for (unsigned i = 0; i < rx->n_streams; i++) {
		track_free(&rx->streams[i].track);
		match_free(&rx->streams[i].match);
	}
	free(rx->streams);
	free(rx->signed_stream);
	*rx = (struct rx){ 0 };
}
