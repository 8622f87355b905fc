/* SPDX-License-Identifier: BSD-3-Clause */
#include "receive/track.h"

#include <stdlib.h>
#include <string.h>

/* A pointer to this page means that every packet of the page has arrived. */
static struct track_page full;
#define FULL (&full)

/* Returns log2 of the numbers of a page. */
static unsigned get_log2(unsigned height)
{
	return TRACK_PAGE_LOG2 + height * TRACK_FANOUT_LOG2;
}

/* Returns the place for the page with number @seq below @page, which has @height > 0. */
static struct track_page **find_place(struct track_page *page, unsigned height, uint64_t seq)
{
	return &page->pages[(seq >> get_log2(height - 1)) % TRACK_FANOUT];
}

/* ---- memory --------------------------------------------------------------------- */

static struct track_page *get_empty_page(struct track *t)
{
	struct track_page *page = t->spare;

	if (!page)
		return calloc(1, sizeof(*page));
	t->spare = page->next;
	memset(page, 0, sizeof(*page));
	return page;
}

static void keep_spare(struct track *t, struct track_page *page)
{
	page->next = t->spare;
	t->spare = page;
}

static void free_page(struct track_page *page, unsigned height)
{
	if (!page || page == FULL)
		return;
	for (unsigned i = 0; height && i < TRACK_FANOUT; i++)
		free_page(page->pages[i], height - 1);
	free(page);
}

void track_free(struct track *t)
{
	struct track_page *next;

	free_page(t->root, t->height);
	for (; t->spare; t->spare = next) {
		next = t->spare->next;
		free(t->spare);
	}
	*t = (struct track){ 0 };
}

/* ---- write ---------------------------------------------------------------------- */

/* Grows the tree until it has number @seq. Returns false without memory. */
static bool grow_tree(struct track *t, uint64_t seq)
{
	while (seq >> get_log2(t->height)) {
		struct track_page *root = t->root ? get_empty_page(t) : NULL;

		if (t->root && !root)
			return false;
		if (root) {
			root->pages[0] = t->root;
			root->n_set = t->root == FULL;
		}
		t->root = root;
		t->height++;
	}
	return true;
}

struct track_page *track_select_page(struct track *t, uint64_t seq)
{
	struct track_page **place = &t->root;

	if (!grow_tree(t, seq)) {
		t->untracked++;
		return NULL;
	}
	for (unsigned height = t->height;; height--) {
		if (!*place)
			*place = get_empty_page(t);
		if (!*place) {
			t->untracked++;
			return NULL;
		}
		if (*place == FULL) {
			t->duplicated++;
			return NULL;
		}
		if (!height)
			break;
		place = find_place(*place, height, seq);
	}
	t->page_no = seq >> TRACK_PAGE_LOG2;
	t->page = *place;
	return t->page;
}

void track_finish_page(struct track *t)
{
	const uint64_t seq = t->page_no << TRACK_PAGE_LOG2;

	/* A page is full when the last page below is: from the bottom up. */
	for (unsigned full_height = 0; full_height <= t->height; full_height++) {
		struct track_page **place = &t->root, *above = NULL;

		for (unsigned height = t->height; height > full_height; height--) {
			above = *place;
			place = find_place(above, height, seq);
		}
		keep_spare(t, *place);
		*place = FULL;
		if (!above || ++above->n_set < TRACK_FANOUT)
			break;
	}
	t->page = NULL;
}

/* ---- read ----------------------------------------------------------------------- */

/*
 * Finds the page of height 0 that has number @seq. Returns FULL if all of its packets have arrived,
 * or NULL if none has.
 */
static const struct track_page *find_page(const struct track *t, uint64_t seq)
{
	struct track_page *page = seq >> get_log2(t->height) ? NULL : t->root;

	for (unsigned height = t->height; height && page && page != FULL; height--)
		page = *find_place(page, height, seq);
	return page;
}

bool track_has_seq(const struct track *t, uint64_t seq)
{
	const struct track_page *page = find_page(t, seq);

	if (!page || page == FULL)
		return page == FULL;
	return page->bits[(seq >> 6) % TRACK_WORDS] >> (seq & 63) & 1;
}

/* Counts the numbers of the page of @seq that arrived at any of @n receivers. */
static unsigned count_page_distinct(const struct track *const *t, unsigned n, uint64_t seq)
{
	uint64_t bits[TRACK_WORDS] = { 0 };
	unsigned n_set = 0;

	for (unsigned i = 0; i < n; i++) {
		const struct track_page *page = find_page(t[i], seq);

		if (page == FULL)
			return 1u << TRACK_PAGE_LOG2;
		for (unsigned word = 0; page && word < TRACK_WORDS; word++)
			bits[word] |= page->bits[word];
	}
	for (unsigned word = 0; word < TRACK_WORDS; word++)
		n_set += (unsigned)__builtin_popcountll(bits[word]);
	return n_set;
}

uint64_t track_count_distinct(const struct track *const *t, unsigned n)
{
	uint64_t next = 0, distinct = 0;

	if (n == 1)
		return t[0]->seen;
	for (unsigned i = 0; i < n; i++)
		next = t[i]->next > next ? t[i]->next : next;
	for (uint64_t seq = 0; seq < next; seq += 1u << TRACK_PAGE_LOG2)
		distinct += count_page_distinct(t, n, seq);
	return distinct;
}
