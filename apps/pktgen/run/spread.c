/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/spread.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "run/extent.h"

/* The fraction of the golden ratio: its multiples, mod 1, are spread evenly for any number. */
static const double golden = 0.61803398874989485;

/*
 * A stream to spread. @period: seconds in which its first rate earns a packet. @octave: streams
 * are similar if their periods are between the same powers of two.
 */
struct spread {
	struct stream *stream;
	uint64_t delay_ns;
	double period;
	int octave;
};

static int compare_numbers(double a, double b)
{
	return (a > b) - (a < b);
}

/* Compares what the streams have in common that are spread together. */
static int compare_set(const struct spread *a, const struct spread *b)
{
	const int port = compare_numbers(a->stream->tx.port, b->stream->tx.port);

	return port ? port : (a->delay_ns > b->delay_ns) - (a->delay_ns < b->delay_ns);
}

/* Compares what similar streams have in common. */
static int compare_class(const struct spread *a, const struct spread *b)
{
	const int set = compare_set(a, b);

	return set ? set : compare_numbers(a->octave, b->octave);
}

/* Compares what streams with one period have in common. */
static int compare_group(const struct spread *a, const struct spread *b)
{
	const int class = compare_class(a, b), period = compare_numbers(a->period, b->period);

	if (class || period)
		return class ? class : period;
	return compare_numbers(a->stream->n_parts, b->stream->n_parts);
}

/* In a group, the first parts of all flows come first: then each flow is sent evenly as well. */
static int compare_streams(const void *left, const void *right)
{
	const struct spread *a = left, *b = right;
	const int group = compare_group(a, b);
	const int part = compare_numbers(a->stream->part, b->stream->part);

	return group ? group : part ? part : compare_numbers(a->stream->tx.id, b->stream->tx.id);
}

/* Makes a stream begin when the share @share of its first period has passed. */
static void set_begin(const struct run *r, struct stream *s, double share)
{
	const double seconds =
		extent_compute_seconds(&r->job.flows[s->flow], s->from, share * (double)s->n_parts);

	s->spread_ns = (uint64_t)(seconds * 1e9);
}

/* Lists the streams that are sent one packet at a time. Returns their number. */
static unsigned list_streams(struct run *r, struct spread *list)
{
	unsigned n = 0;

	for (unsigned i = 0; i < r->n_streams; i++) {
		struct stream *s = &r->streams[i];
		const struct job_flow *f = &r->job.flows[s->flow];
		double period;

		if (f->rate.unit == RATE_MAX || f->burst_packets)
			continue;
		period = extent_compute_seconds(f, s->from, s->n_parts);
		list[n++] = (struct spread){ s, f->delay_ns, period, ilogb(period) };
	}
	return n;
}

static unsigned count_group(const struct spread *list, unsigned n)
{
	unsigned i = 1;

	while (i < n && !compare_group(list, list + i))
		i++;
	return i;
}

/* Returns whether no other stream is similar to stream @i of @n. */
static bool is_alone(const struct spread *list, unsigned i, unsigned n)
{
	return (i == 0 || compare_class(list + i - 1, list + i)) &&
	       (i + 1 == n || compare_class(list + i, list + i + 1));
}

int spread_streams(struct run *r)
{
	struct spread *list = calloc(r->n_streams, sizeof(*list));
	double offset = 0;
	unsigned n, n_group;

	if (!list)
		return -ENOMEM;
	n = list_streams(r, list);
	qsort(list, n, sizeof(*list), compare_streams);
	for (unsigned i = 0; i < n; i += n_group) {
		const bool is_first = i == 0 || compare_set(list + i - 1, list + i);

		n_group = count_group(list + i, n - i);
		offset = is_first ? 0 : fmod(offset + golden, 1);
		for (unsigned k = 0; k < n_group; k++)
			set_begin(r, list[i + k].stream,
				  is_alone(list, i, n) ? 0 : (k + offset) / n_group);
	}
	free(list);
	return 0;
}
