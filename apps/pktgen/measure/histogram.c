/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/histogram.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t max_highest_ns = 1ull << 62;

/* Sets everything except the blocks. */
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

static unsigned count_blocks(const struct histogram *h)
{
	return h->n_slots >> h->half_log2;
}

size_t histogram_get_bytes(unsigned digits, uint64_t highest_ns)
{
	struct histogram h;

	return set_layout(&h, digits, highest_ns)
		       ? 0
		       : h.n_slots * sizeof(uint64_t) + count_blocks(&h) * sizeof(uint64_t *);
}

int histogram_init(struct histogram *h, unsigned digits, uint64_t highest_ns)
{
	const int err = set_layout(h, digits, highest_ns);

	if (err)
		return err;
	h->blocks = calloc(count_blocks(h), sizeof(uint64_t *));
	if (!h->blocks) {
		memset(h, 0, sizeof(*h));
		return -ENOMEM;
	}
	return 0;
}

void histogram_free(struct histogram *h)
{
	for (unsigned i = 0; h->blocks && i < count_blocks(h); i++)
		free(h->blocks[i]);
	free(h->blocks);
	memset(h, 0, sizeof(*h));
}

/* Gives block @i its memory, if it has none. Returns false without memory. */
static bool open_block(struct histogram *h, unsigned i)
{
	if (!h->blocks[i])
		h->blocks[i] = calloc(1u << h->half_log2, sizeof(uint64_t));
	return h->blocks[i];
}

int histogram_add(struct histogram *sum, const struct histogram *h)
{
	if (sum->digits != h->digits || sum->limit_ns != h->limit_ns)
		return -EINVAL;
	for (unsigned i = 0; i < count_blocks(h); i++) {
		if (h->blocks[i] && !open_block(sum, i))
			return -ENOMEM;
	}
	for (unsigned i = 0; i < count_blocks(h); i++) {
		for (unsigned n = 0; h->blocks[i] && n < 1u << h->half_log2; n++)
			sum->blocks[i][n] += h->blocks[i][n];
	}
	if (h->min_ns < sum->min_ns)
		sum->min_ns = h->min_ns;
	if (h->max_ns > sum->max_ns)
		sum->max_ns = h->max_ns;
	sum->sum_ns += h->sum_ns;
	sum->n_above += h->n_above;
	sum->n_left_out += h->n_left_out;
	return 0;
}

void histogram_record_rare(struct histogram *h, uint64_t ns, uint64_t n)
{
	const unsigned slot = (unsigned)histogram_find_slot(h, ns < h->limit_ns ? ns : h->limit_ns);
	const unsigned block = slot >> h->half_log2;

	if (!open_block(h, block)) {
		h->n_left_out += n;
		return;
	}
	if (ns < h->min_ns)
		h->min_ns = ns;
	if (ns > h->max_ns)
		h->max_ns = ns;
	h->sum_ns += ns * n;
	h->n_above += ns > h->limit_ns ? n : 0;
	h->blocks[block][slot & ((1u << h->half_log2) - 1)] += n;
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

/* Finds the slot after @slot, or the first of the next block if @slot begins one without memory. */
static unsigned find_next(const struct histogram *h, unsigned slot)
{
	return h->blocks[slot >> h->half_log2] ? slot + 1 : slot + (1u << h->half_log2);
}

uint64_t histogram_count(const struct histogram *h)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < h->n_slots; i = find_next(h, i))
		n += histogram_get_count(h, i);
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
		seen += histogram_get_count(h, i);
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

	for (unsigned i = 0; i < h->n_slots; i = find_next(h, i)) {
		const uint64_t values = 1ull << find_shift(h, i);

		sum += (double)histogram_get_count(h, i) *
		       (double)(histogram_find_lowest(h, i) + values / 2);
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
