/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_TRACK_H
#define PKTGEN_TRACK_H

#include <stdbool.h>
#include <stdint.h>

#include "model/options.h"

/**
 * DOC: What became of the packets
 *
 * A bit for every sequence number of the whole run says whether a packet with it has
 * arrived. Nothing is forgotten, so the counts are exact however late a packet comes:
 *
 *   lost        sent, and no copy arrived, whole or damaged
 *   duplicated  a copy had arrived before
 *   reordered   the first copy, whole, and a whole one with a higher number had arrived
 *               before (RFC 4737, section 3: its number is below NextExp)
 *   corrupted   not as it was sent. Also counted as arrived, and as duplicated where it is
 *   unreadable  corrupted, and its number is not known: some number that seems lost is not.
 *               lost = sent - numbers seen - unreadable: exact unless an unreadable packet
 *               was a further copy of one that also arrived
 *
 * so that  received = sent - lost + duplicated.
 *
 *     directory        page of 2^20 bits
 *     +---+
 *     | 0 |-> FULL     all arrived: the page is used again further on
 *     | 1 |-> FULL
 *     | 2 |-> [1110111111...]   something is missing here
 *     | 3 |-> [1111000000...]   being filled
 *     | 4 |-> NULL     nothing arrived yet
 *     +---+
 *
 * A run without losses needs two pages, one with losses everywhere 125 MB a thousand
 * million packets. One page is allocated in a million packets.
 */

enum {
	TRACK_PAGE_LOG2 = 20,
	TRACK_WORDS = 1 << (TRACK_PAGE_LOG2 - 6),
	/* entries of the directory, which is 32 MiB and touched as needed */
	TRACK_N_PAGES_LOG2 = PKTGEN_MAX_SEQ_LOG2 - TRACK_PAGE_LOG2,
};

struct track_page {
	uint64_t bits[TRACK_WORDS];
	uint32_t n_set;
	struct track_page *next; /* while spare */
};

/**
 * struct track - account of one flow at its receiver. One thread writes
 * @next: highest number that arrived, plus 1
 * @seen: different numbers that arrived
 * @duplicated, @reordered, @corrupted, @unreadable: as above
 * @untracked: packets whose bit had no memory: the account is not exact any more
 */
struct track {
	uint64_t next, seen;
	uint64_t duplicated, reordered, corrupted, unreadable, untracked;

	uint64_t page_no;
	struct track_page *page; /* of page_no, or NULL */
	struct track_page **pages;
	struct track_page *spare;
};

/** track_init - an empty account. Return: 0, or -ENOMEM */
int track_init(struct track *t);

/** track_free - give all memory back; @t is all zero afterwards */
void track_free(struct track *t);

/** track_select_page - the page of @seq: see track_add_arrival() */
struct track_page *track_select_page(struct track *t, uint64_t seq);

/** track_finish_page - the current page is full */
void track_finish_page(struct track *t);

/** track_has_seq - has a copy of @seq arrived? */
bool track_has_seq(const struct track *t, uint64_t seq);

/**
 * track_add_arrival - a packet is here
 * @t: the account
 * @seq: its number, below 1 << PKTGEN_MAX_SEQ_LOG2
 * @damaged: it is not as it was sent
 * @order: NextExp of those that keep order among each other: highest number that arrived
 *         whole, plus 1
 */
static inline void track_add_arrival(struct track *t, uint64_t seq, bool damaged, uint64_t *order)
{
	struct track_page *page = t->page;
	const uint64_t bit = 1ull << (seq & 63);
	uint64_t *word;

	t->corrupted += damaged;
	if (!page || seq >> TRACK_PAGE_LOG2 != t->page_no) {
		page = track_select_page(t, seq);
		if (!page)
			return;
	}
	word = &page->bits[(seq >> 6) % TRACK_WORDS];
	if (*word & bit) {
		t->duplicated++;
		return;
	}
	*word |= bit;
	t->seen++;
	if (seq >= t->next)
		t->next = seq + 1;
	if (!damaged && seq < *order)
		t->reordered++;
	else if (!damaged)
		*order = seq + 1;
	if (++page->n_set == 1u << TRACK_PAGE_LOG2)
		track_finish_page(t);
}

/** track_add_unreadable - a damaged packet is here whose number is not known */
static inline void track_add_unreadable(struct track *t)
{
	t->corrupted++;
	t->unreadable++;
}

/** track_count_received - packets that arrived, every copy counted */
static inline uint64_t track_count_received(const struct track *t)
{
	return t->seen + t->duplicated + t->unreadable + t->untracked;
}

/** track_count_lost - of @sent packets */
static inline uint64_t track_count_lost(const struct track *t, uint64_t sent)
{
	const uint64_t here = t->seen + t->unreadable;

	return sent > here ? sent - here : 0;
}

#endif
