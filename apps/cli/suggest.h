/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include <stddef.h>

/**
 * struct suggestion - search for the known name that is most similar to the user's name
 * @best: the most similar name so far
 * @distance: Levenshtein distance of @best: letters to insert, delete or replace
 */
struct suggestion {
	const char *name;
	size_t n;
	const char *best;
	unsigned distance;
};

/** suggest_begin - start a search for the user's name, of @n characters */
struct suggestion suggest_begin(const char *name, size_t n);

/** suggest_add - compare the user's name with @known, which must live as long as @s */
void suggest_add(struct suggestion *s, const char *known);

#endif
