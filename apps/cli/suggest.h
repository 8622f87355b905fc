/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include <stddef.h>

/**
 * struct suggestion - finds the known name that is most like a name that the user gave
 * @best: this name
 * @distance: letters to insert, delete or replace (Levenshtein distance)
 */
struct suggestion {
	const char *name;
	size_t n;
	const char *best;
	unsigned distance;
};

/** suggest_begin - begin with the user's name, of @n characters */
struct suggestion suggest_begin(const char *name, size_t n);

/** suggest_add - compare the user's name with a known one, which must live as long as @s */
void suggest_add(struct suggestion *s, const char *known);

#endif
