/* SPDX-License-Identifier: BSD-3-Clause */
#include "receive/track.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define DIRECTORY_BYTES (sizeof(struct track_page *) << TRACK_N_PAGES_LOG2)

/* A pointer to this page in the directory means that every packet of the page has arrived. */
static struct track_page full;
#define FULL (&full)

int track_init(struct track *t)
{
	/* calloc() may write all 256 MiB; mmap() uses memory only for the parts in use. */
	void *pages = mmap(NULL, DIRECTORY_BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	*t = (struct track){ 0 };
	if (pages == MAP_FAILED)
		return -ENOMEM;
	t->pages = pages;
	return 0;
}

void track_free(struct track *t)
{
	struct track_page *next;

	for (uint64_t i = 0; t->pages && i <= (t->next - 1) >> TRACK_PAGE_LOG2 && t->next; i++) {
		if (t->pages[i] != FULL)
			free(t->pages[i]);
	}
	for (; t->spare; t->spare = next) {
		next = t->spare->next;
		free(t->spare);
	}
	if (t->pages)
		munmap(t->pages, DIRECTORY_BYTES);
	*t = (struct track){ 0 };
}

static struct track_page *get_empty_page(struct track *t)
{
	struct track_page *page = t->spare;

	if (!page)
		return calloc(1, sizeof(*page));
	t->spare = page->next;
	memset(page, 0, sizeof(*page));
	return page;
}

struct track_page *track_select_page(struct track *t, uint64_t seq)
{
	const uint64_t no = seq >> TRACK_PAGE_LOG2;

	if (t->pages[no] == FULL) {
		t->duplicated++;
		return NULL;
	}
	if (!t->pages[no])
		t->pages[no] = get_empty_page(t);
	if (!t->pages[no]) {
		t->untracked++;
		return NULL;
	}
	t->page_no = no;
	t->page = t->pages[no];
	return t->page;
}

void track_finish_page(struct track *t)
{
	t->pages[t->page_no] = FULL;
	t->page->next = t->spare;
	t->spare = t->page;
	t->page = NULL;
}

bool track_has_seq(const struct track *t, uint64_t seq)
{
	const struct track_page *page = t->pages[seq >> TRACK_PAGE_LOG2];

	if (!page || page == FULL)
		return page == FULL;
	return page->bits[(seq >> 6) % TRACK_WORDS] >> (seq & 63) & 1;
}

static unsigned count_page_distinct(const struct track *const *t, unsigned n, uint64_t no)
{
	unsigned n_set = 0;

	for (unsigned i = 0; i < n; i++) {
		if (t[i]->pages[no] == FULL)
			return 1u << TRACK_PAGE_LOG2;
	}
	for (unsigned word = 0; word < TRACK_WORDS; word++) {
		uint64_t bits = 0;

		for (unsigned i = 0; i < n; i++)
			bits |= t[i]->pages[no] ? t[i]->pages[no]->bits[word] : 0;
		n_set += (unsigned)__builtin_popcountll(bits);
	}
	return n_set;
}

uint64_t track_count_distinct(const struct track *const *t, unsigned n)
{
	uint64_t next = 0, distinct = 0;

	if (n == 1)
		return t[0]->seen;
	for (unsigned i = 0; i < n; i++)
		next = t[i]->next > next ? t[i]->next : next;
	for (uint64_t no = 0; no << TRACK_PAGE_LOG2 < next; no++)
		distinct += count_page_distinct(t, n, no);
	return distinct;
}
