/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_HISTOGRAM_H
#define PKTGEN_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * DOC: Histogram of times
 *
 * Slots have the layout of HdrHistogram (hdrhistogram.org), so that its tools can read the counts
 * from a file. The lowest discernible value is 1 ns.
 *
 * With two digits, the first 256 slots hold one value each. Above, each power of two has 128 slots:
 *
 *     value   0 ... 255   256 ... 511   512 ... 1023   1024 ... 2047
 *     slot    0 ... 255   256 ... 383   384 ...  511    512 ...  639
 *     values      1            2             4              8          per slot
 *
 * The slots of a power of two are a block, and so is each half of the first ones. A block gets
 * memory when its first time is counted: 1 KiB with two digits. So the times of a flow, which are
 * mostly close to each other, need a few KiB instead of 34.
 */

enum {
	HISTOGRAM_MIN_DIGITS = 1,
	HISTOGRAM_MAX_DIGITS = 3,
};

/**
 * struct histogram - counts of times. One thread writes it; others read it afterwards
 * @digits: decimal digits that slots distinguish
 * @half_log2: each power of two has 2^@half_log2 slots
 * @n_slots: number of @counts
 * @limit_ns: largest time that a slot holds: a power of two, minus 1
 * @min_ns, @max_ns: exact smallest and largest time, also above @limit_ns. UINT64_MAX and 0: none
 * @sum_ns: sum of all times, mod 2^64
 * @n_above: number of times above @limit_ns. The last slot also counts them
 * @n_left_out: times that no block counts, because there was no memory for it. Other members
 *   ignore them
 * @blocks: numbers of times per slot, in blocks of 2^@half_log2 slots; NULL: a block of zeros
 */
struct histogram {
	unsigned digits, half_log2, n_slots;
	uint64_t limit_ns, min_ns, max_ns, sum_ns, n_above, n_left_out;
	uint64_t **blocks;
};

/** histogram_get_bytes - compute the most bytes of a histogram; 0: histogram_init() refuses */
size_t histogram_get_bytes(unsigned digits, uint64_t highest_ns);

/**
 * histogram_init - make an empty histogram
 * @digits: HISTOGRAM_MIN_DIGITS to HISTOGRAM_MAX_DIGITS
 * @highest_ns: largest time to distinguish, 2 to 2^62; the limit is this time or above
 *
 * Return: 0; -EINVAL: an argument is out of range; or -ENOMEM. @h is all zero after an error
 */
int histogram_init(struct histogram *h, unsigned digits, uint64_t highest_ns);

/** histogram_is_empty - whether no time was counted; also true if @h is all zero */
static inline bool histogram_is_empty(const struct histogram *h)
{
	return !h->blocks || h->min_ns == UINT64_MAX;
}

/** histogram_free - free the blocks; @h is all zero afterwards */
void histogram_free(struct histogram *h);

/**
 * histogram_add - add @h to @sum
 *
 * Return: 0; or without a change -EINVAL: their layouts differ; or -ENOMEM
 */
int histogram_add(struct histogram *sum, const struct histogram *h);

/** histogram_find_slot - find the slot of @ns, at most the limit */
static inline uint64_t histogram_find_slot(const struct histogram *h, uint64_t ns)
{
	const unsigned half = h->half_log2;
	/* 63 ^ clz is one instruction of x86, the number of the highest set bit. */
	const uint64_t shift = (63u ^ (unsigned)__builtin_clzll(ns | 1ull << half)) - half;

	/* The shift is 0 for times that have their own slot. */
	return (shift << half) + (ns >> shift);
}

/** histogram_get_count - get the number of times in a slot */
static inline uint64_t histogram_get_count(const struct histogram *h, unsigned slot)
{
	const uint64_t *block = h->blocks[slot >> h->half_log2];

	return block ? block[slot & ((1u << h->half_log2) - 1)] : 0;
}

/**
 * histogram_record_rare - histogram_record_many() for a time above the limit, or the first time of
 * a block, which gets its memory
 */
void histogram_record_rare(struct histogram *h, uint64_t ns, uint64_t n);

/** histogram_record_many - count @n equal times, in constant time */
static inline void histogram_record_many(struct histogram *h, uint64_t ns, uint64_t n)
{
	const uint64_t slot = histogram_find_slot(h, ns);
	uint64_t *block;

	if (__builtin_expect(ns > h->limit_ns || !h->blocks[slot >> h->half_log2], 0)) {
		histogram_record_rare(h, ns, n);
		return;
	}
	block = h->blocks[slot >> h->half_log2];
	if (__builtin_expect(ns < h->min_ns, 0))
		h->min_ns = ns;
	if (__builtin_expect(ns > h->max_ns, 0))
		h->max_ns = ns;
	h->sum_ns += ns * n;
	block[slot & ((1u << h->half_log2) - 1)] += n;
}

static inline void histogram_record(struct histogram *h, uint64_t ns)
{
	histogram_record_many(h, ns, 1);
}

/* The smallest and the largest time in a slot. */
uint64_t histogram_find_lowest(const struct histogram *h, unsigned slot);
uint64_t histogram_find_highest(const struct histogram *h, unsigned slot);

uint64_t histogram_count(const struct histogram *h);

/**
 * histogram_find_percentile - find a percentile
 * @ppm: the percentile in millionths, 0 to 1000000: 999900 for p99.99
 *
 * It is the time with the nearest rank: n * ppm / 10^6, rounded up, at least 1.
 *
 * Return: the largest time in the slot of that rank, at most the maximum; the limit for times
 * above it; 0 if the histogram is empty
 */
uint64_t histogram_find_percentile(const struct histogram *h, unsigned ppm);

/**
 * histogram_compute_mean - compute the arithmetic mean
 *
 * Return: the exact mean in ns. If the sum could exceed 2^63 ns, each time counts as the middle of
 * its slot. 0 if the histogram is empty
 */
double histogram_compute_mean(const struct histogram *h);

#endif
