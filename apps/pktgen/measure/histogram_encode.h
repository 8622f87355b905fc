/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_HISTOGRAM_ENCODE_H
#define PKTGEN_HISTOGRAM_ENCODE_H

#include "measure/histogram.h"

/**
 * histogram_encode - encode a histogram as HdrHistogram V2
 * @h: the histogram
 * @bytes: receives the length
 *
 * The payload has the counts up to the slot of the maximum, as ZigZag LEB128 numbers of at most 9
 * bytes; a negative number is a run of zeros. Source: HdrHistogram for Java, encoding V2.
 *
 * Return: data to free(), or NULL: no memory
 */
uint8_t *histogram_encode(const struct histogram *h, size_t *bytes);

/**
 * histogram_encode_text - make the last field of a line in a histogram log: HdrHistogram V2,
 * compressed with zlib, in base64
 *
 * Return: text to free(), or NULL: no memory
 */
char *histogram_encode_text(const struct histogram *h);

#endif
