/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_SPREAD_H
#define PKTGEN_SPREAD_H

#include "run/run.h"

/**
 * DOC: Even spacing of many streams
 *
 * The packets of a stream with a limited rate are one period apart. If all streams of a port began
 * at the same time, their packets would leave in a burst, once per period. So the n streams with
 * one period begin 1/n of it apart: the port sends at even distances.
 *
 *     stream 0   |           |           |
 *     stream 1       |           |           |
 *     stream 2           |           |           |
 *     port       |   |   |   |   |   |   |   |   |
 *
 * Groups of streams with different periods begin at multiples of the golden ratio, so that their
 * packets seldom leave together. A stream begins within its first period. The first one of a port
 * begins at once, and so does one whose period is like that of no other. Streams with bursts begin
 * together. Streams with different delays are spread separately.
 */

/**
 * spread_streams - choose when each stream begins: spread_ns of struct stream
 * @r: has the job, ports and streams
 *
 * Return: 0 or -ENOMEM
 */
int spread_streams(struct run *r);

#endif
