/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_TRACK_H
#define PKTGEN_TRACK_H

#include <stdbool.h>
#include <stdint.h>

#include "model/options.h"

/**
 * DOC: Account of arrivals
 *
 * One bit per number of the whole run says whether a packet with this number has arrived.
 * Therefore the counts are exact however late a packet arrives (doc/pktgen.md defines them).
 *
 *     root: 64 pages of 2^12 numbers         page of 2^12 bits
 *     +---+
 *     | 0 |-> FULL     all arrived: another page uses the memory
 *     | 1 |-> FULL
 *     | 2 |-> [1110111111...]   a packet is missing
 *     | 3 |-> [1111000000...]   packets arrive here now
 *     | 4 |-> NULL     no packet has arrived yet
 *     +---+
 *
 * The bits are a tree, which grows with the numbers: a page of height 0 has bits, and a higher one
 * has 64 pages of the height below. A full page has no memory at any height. So 4,096 packets need
 * one page of 528 bytes, and a flow without losses one page for each height and a few spares. A
 * loss in each 4,096 packets costs 131 MB per 10^9 packets.
 */

enum {
	TRACK_PAGE_LOG2 = 12,
	TRACK_FANOUT_LOG2 = 6,
	TRACK_FANOUT = 1 << TRACK_FANOUT_LOG2,
	TRACK_WORDS = 1 << (TRACK_PAGE_LOG2 - 6),
};

/**
 * struct track_page - a page of the tree
 * @bits: height 0: the bits of 2^12 numbers
 * @pages: other heights: the pages below
 * @n_set: number of bits that are set, or of pages below that are full
 * @next: the next spare page
 */
struct track_page {
	union {
		uint64_t bits[TRACK_WORDS];
		struct track_page *pages[TRACK_FANOUT];
	};
	uint32_t n_set;
	struct track_page *next;
};

/**
 * struct track - the account of one flow at its receiver; one thread writes it
 * @next: highest number that arrived, plus 1
 * @seen: numbers that arrived at least once
 * @duplicated: packets whose number had arrived before
 * @reordered: first copies, intact, that arrived after an intact packet with a higher number of the
 *             same flow or conversation (RFC 4737, section 3: number below NextExp)
 * @corrupted: damaged packets
 * @unreadable: damaged packets whose number is unknown
 * @untracked: packets without memory for their bit; if not 0, the counts are not exact
 * @page, @page_no: the page of height 0 in use and its number, or NULL
 * @root, @height: the page of all numbers so far, and its height
 * @spare: pages whose memory is free
 */
struct track {
	uint64_t next, seen;
	uint64_t duplicated, reordered, corrupted, unreadable, untracked;

	uint64_t page_no;
	struct track_page *page; /* the page page_no, or NULL */
	struct track_page *root;
	unsigned height;
	struct track_page *spare;
};

/** track_free - free the memory of an account; @t is all zero afterwards, an empty account */
void track_free(struct track *t);

/**
 * track_select_page - make the page of number @seq the current one (for track_add_arrival())
 *
 * Return: the page; or NULL if the function has counted the packet itself: as duplicated, because
 * every number of the page has arrived, or as untracked, because no memory was left
 */
struct track_page *track_select_page(struct track *t, uint64_t seq);

/** track_finish_page - mark the current page as full; keep its memory for a later page */
void track_finish_page(struct track *t);

bool track_has_seq(const struct track *t, uint64_t seq);

/**
 * track_add_arrival - count a packet that arrived
 * @t: the account
 * @seq: number of the packet, below 1 << PKTGEN_MAX_SEQ_LOG2
 * @damaged: the packet is not as it was sent
 * @order: highest number that arrived intact, plus 1 (NextExp of RFC 4737), among the packets that
 *         should keep their order: a stream, or a conversation of a capture
 *
 * Return: whether this is the first copy of the packet
 */
static inline bool track_add_arrival(struct track *t, uint64_t seq, bool damaged, uint64_t *order)
{
	struct track_page *page = t->page;
	const uint64_t bit = 1ull << (seq & 63);
	uint64_t *word;

	t->corrupted += damaged;
	if (!page || seq >> TRACK_PAGE_LOG2 != t->page_no) {
		page = track_select_page(t, seq);
		if (!page)
			return false;
	}
	word = &page->bits[(seq >> 6) % TRACK_WORDS];
	if (*word & bit) {
		t->duplicated++;
		return false;
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
	return true;
}

/** track_add_unreadable - count a damaged packet whose number is unknown */
static inline void track_add_unreadable(struct track *t)
{
	t->corrupted++;
	t->unreadable++;
}

/**
 * track_count_distinct - count the packets that arrived at least once at any of several receivers
 * @t: the accounts that the receivers of one stream kept
 * @n: number of @t
 */
uint64_t track_count_distinct(const struct track *const *t, unsigned n);

/** track_count_received - count the packets that arrived, every copy included */
static inline uint64_t track_count_received(const struct track *t)
{
	return t->seen + t->duplicated + t->unreadable + t->untracked;
}

#endif
