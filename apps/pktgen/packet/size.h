/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_SIZE_H
#define PKTGEN_SIZE_H

#include <stddef.h>
#include <stdint.h>

/**
 * DOC: Sizes of frames
 *
 * The size of a frame depends only on its sequence number. The receiver can therefore compute the
 * size of every frame, and sizes need no memory. The kinds are named after the flow sizes of the
 * Open Traffic Generator model (OTG).
 *
 * All sizes are bytes on the wire, from the destination MAC to the FCS.
 */

enum {
	SIZE_MIN_BYTES = 64,
	SIZE_MAX_BYTES = 10000,
	SIZE_MAX_PAIRS = 32,
	SIZE_MAX_PERIOD = 10000, /* sum of the weights */
};

/** enum size_kind - the sequence of sizes */
enum size_kind {
	SIZE_FIXED,
	SIZE_INCREMENT,    /* min, min + step, ... up to max, then again from min */
	SIZE_RANDOM,       /* min to max, all with the same probability */
	SIZE_WEIGHT_PAIRS, /* in each period, each size as often as its weight says */
};

/** struct size_pair - a size and its weight, above 0 */
struct size_pair {
	uint32_t size, weight;
};

/**
 * struct size - the sizes of the frames of a flow
 * @min, @max: smallest and largest size
 * @step: for SIZE_INCREMENT, above 0
 * @period: number of packets after which the sizes repeat; 0: never (SIZE_RANDOM)
 * @pairs, @n_pairs: for SIZE_WEIGHT_PAIRS
 * @name, @named_min: name of a predefined mix, and its smallest size, which size_raise() may have
 *   raised; NULL and 0: other sizes
 * @slots: for SIZE_WEIGHT_PAIRS: index in @pairs for each packet of a period. All sizes with the
 *   same weights share them, up to the end of the program
 */
struct size {
	enum size_kind kind;
	uint32_t min, max, step, period;
	unsigned n_pairs;
	const char *name;
	uint32_t named_min;
	struct size_pair pairs[SIZE_MAX_PAIRS];
	const uint8_t *slots;
};

/**
 * size_parse - read the argument of --size
 * @s: receives the sizes
 * @text: "64"; "64-1518", counting up by 1; "64-1518/4", by 4; "random:64-1518"; "64,512,1518", in
 *        turn; "64:7,594:4,1518:1", with weights; or an OTG name such as "imix"
 *
 * Return: NULL; or the reason of a refusal, valid until the next call of this thread
 */
const char *size_parse(struct size *s, const char *text);

void size_set_fixed(struct size *s, uint32_t bytes);

/**
 * size_raise - raise the sizes of a predefined mix that are too small; the weights stay
 * @s: the sizes; others than those of a predefined mix stay as they are, because a user chose them
 * @least: smallest possible size
 */
void size_raise(struct size *s, uint32_t least);

/** size_compute_mean - compute the mean size over a period */
double size_compute_mean(const struct size *s);

/** size_format - write the sizes for people: "64", "64 to 1518", "64:7,594:4,1518:1" */
void size_format(const struct size *s, char *text, size_t text_bytes);

/** size_hash - mix the bits of @n (the finalizer of splitmix64) */
static inline uint64_t size_hash(uint64_t n)
{
	n += 0x9e3779b97f4a7c15;
	n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9;
	n = (n ^ n >> 27) * 0x94d049bb133111eb;
	return n ^ n >> 31;
}

static inline uint32_t size_compute(const struct size *s, uint64_t seq)
{
	switch (s->kind) {
	case SIZE_INCREMENT:
		return s->min + (uint32_t)(seq % s->period) * s->step;
	case SIZE_RANDOM:
		return s->min + (uint32_t)((size_hash(seq) >> 32) * (s->max - s->min + 1) >> 32);
	case SIZE_WEIGHT_PAIRS:
		return s->pairs[s->slots[seq % s->period]].size;
	case SIZE_FIXED:
		break;
	}
	return s->min;
}

#endif
