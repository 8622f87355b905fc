/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/suggest.h"

#include <limits.h>
#include <string.h>

enum { MAX_LETTERS = 63 }; /* ignores the rest of a longer name */

static unsigned get_least(unsigned a, unsigned b, unsigned c)
{
	const unsigned least = a < b ? a : b;

	return least < c ? least : c;
}

static unsigned compute_distance(const char *a, size_t n_a, const char *b, size_t n_b)
{
	unsigned row[MAX_LETTERS + 1];

	n_a = n_a < MAX_LETTERS ? n_a : MAX_LETTERS;
	n_b = n_b < MAX_LETTERS ? n_b : MAX_LETTERS;
	for (unsigned j = 0; j <= n_b; j++)
		row[j] = j;
	for (unsigned i = 1; i <= n_a; i++) {
		unsigned diagonal = row[0];

		row[0] = i;
		for (unsigned j = 1; j <= n_b; j++) {
			const unsigned above = row[j];

			row[j] = get_least(above + 1, row[j - 1] + 1,
					   diagonal + (a[i - 1] != b[j - 1]));
			diagonal = above;
		}
	}
	return row[n_b];
}

struct suggestion suggest_begin(const char *name, size_t n)
{
	return (struct suggestion){ .name = name, .n = n, .distance = UINT_MAX };
}

void suggest_add(struct suggestion *s, const char *known)
{
	const unsigned distance = compute_distance(s->name, s->n, known, strlen(known));

	if (distance < s->distance) {
		s->best = known;
		s->distance = distance;
	}
}
