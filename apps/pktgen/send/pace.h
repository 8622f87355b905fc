/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_PACE_H
#define PKTGEN_PACE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct pace - bursts of packets with gaps between them; used by one thread
 * @packets: packets of a burst; 0: no bursts
 * @gap: clock ticks from the last packet of a burst to the first of the next
 * @left: packets left of the current burst
 * @next: clock before which no packet may leave: the start, or the end of the gap
 */
struct pace {
	uint64_t packets, gap;
	uint64_t left, next;
};

/** pace_begin - begin at clock @start. @packets and @gap are set */
static inline void pace_begin(struct pace *p, uint64_t start)
{
	p->left = p->packets;
	p->next = start;
}

/** pace_is_waiting - does the start, or a gap, lie behind clock @now? */
static inline bool pace_is_waiting(const struct pace *p, uint64_t now)
{
	return now < p->next;
}

/** pace_limit - how many of @most packets may leave, if no gap is waited for? */
static inline unsigned pace_limit(const struct pace *p, unsigned most)
{
	return p->packets && p->left < most ? (unsigned)p->left : most;
}

/** pace_take - @n packets, at most pace_limit(), leave at clock @now */
static inline void pace_take(struct pace *p, unsigned n, uint64_t now)
{
	if (!p->packets)
		return;
	p->left -= n;
	if (p->left)
		return;
	p->left = p->packets;
	p->next = now + p->gap;
}

#endif
