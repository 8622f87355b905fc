/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/histogram.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t max_highest_ns = 1ull << 62;

/* Sets everything except the counts. */
static int set_layout(struct histogram *h, unsigned digits, uint64_t highest_ns)
{
	uint64_t one_value = 2; /* each time below this has its own slot */
	unsigned limit_log2;

	memset(h, 0, sizeof(*h));
	if (digits < HISTOGRAM_MIN_DIGITS || digits > HISTOGRAM_MAX_DIGITS || highest_ns < 2 ||
	    highest_ns > max_highest_ns)
		return -EINVAL;
	for (unsigned i = 0; i < digits; i++)
		one_value *= 10;
	h->digits = digits;
	h->half_log2 = 63 - __builtin_clzll(one_value - 1);
	limit_log2 = 64 - __builtin_clzll(highest_ns | one_value);
	h->limit_ns = (1ull << limit_log2) - 1;
	h->n_slots = (limit_log2 - h->half_log2 + 1) << h->half_log2;
	h->min_ns = UINT64_MAX;
	return 0;
}

size_t histogram_get_bytes(unsigned digits, uint64_t highest_ns)
{
	struct histogram h;

	return set_layout(&h, digits, highest_ns) ? 0 : h.n_slots * sizeof(*h.counts);
}

int histogram_init(struct histogram *h, unsigned digits, uint64_t highest_ns)
{
	const int err = set_layout(h, digits, highest_ns);

	if (err)
		return err;
	h->counts = calloc(h->n_slots, sizeof(*h->counts));
	if (!h->counts) {
		memset(h, 0, sizeof(*h));
		return -ENOMEM;
	}
	return 0;
}

void histogram_free(struct histogram *h)
{
	free(h->counts);
	memset(h, 0, sizeof(*h));
}

int histogram_add(struct histogram *sum, const struct histogram *h)
{
	if (sum->digits != h->digits || sum->limit_ns != h->limit_ns)
		return -EINVAL;
	for (unsigned i = 0; i < h->n_slots; i++)
		sum->counts[i] += h->counts[i];
	if (h->min_ns < sum->min_ns)
		sum->min_ns = h->min_ns;
	if (h->max_ns > sum->max_ns)
		sum->max_ns = h->max_ns;
	sum->sum_ns += h->sum_ns;
	sum->n_above += h->n_above;
	return 0;
}

void histogram_record_above(struct histogram *h, uint64_t ns, uint64_t n)
{
	if (ns < h->min_ns)
		h->min_ns = ns;
	if (ns > h->max_ns)
		h->max_ns = ns;
	h->sum_ns += ns * n;
	h->n_above += n;
	h->counts[h->n_slots - 1] += n;
}

/* Log2 of the number of values per slot. */
static unsigned find_shift(const struct histogram *h, unsigned slot)
{
	const unsigned power = slot >> h->half_log2;

	return power ? power - 1 : 0;
}

uint64_t histogram_find_lowest(const struct histogram *h, unsigned slot)
{
	const unsigned shift = find_shift(h, slot);

	return (uint64_t)(slot - (shift << h->half_log2)) << shift;
}

uint64_t histogram_find_highest(const struct histogram *h, unsigned slot)
{
	return histogram_find_lowest(h, slot) + (1ull << find_shift(h, slot)) - 1;
}

uint64_t histogram_count(const struct histogram *h)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < h->n_slots; i++)
		n += h->counts[i];
	return n;
}

uint64_t histogram_find_percentile(const struct histogram *h, unsigned ppm)
{
	const uint64_t million = 1000000, n = histogram_count(h);
	/* n * ppm can exceed 64 bits. */
	uint64_t rank = n / million * ppm + (n % million * ppm + million - 1) / million;
	uint64_t seen = 0, highest;
	unsigned i;

	if (!n)
		return 0;
	if (!rank)
		rank = 1;
	for (i = 0; i < h->n_slots - 1; i++) {
		seen += h->counts[i];
		if (seen >= rank)
			break;
	}
	highest = histogram_find_highest(h, i);
	return highest < h->max_ns ? highest : h->max_ns;
}

/* Adds up all times, each as the middle of its slot. */
static double sum_middles(const struct histogram *h)
{
	double sum = 0;

	for (unsigned i = 0; i < h->n_slots; i++) {
		const uint64_t values = 1ull << find_shift(h, i);

		sum += (double)h->counts[i] * (double)(histogram_find_lowest(h, i) + values / 2);
	}
	return sum;
}

double histogram_compute_mean(const struct histogram *h)
{
	const uint64_t n = histogram_count(h);
	const double sum = sum_middles(h);
	const double bound = sum + (double)h->n_above * (double)h->max_ns;

	if (!n)
		return 0;
	return (bound < 0x1p63 ? (double)h->sum_ns : sum) / (double)n;
}
