/* SPDX-License-Identifier: BSD-3-Clause */
#include "packet/header.h"

#include <string.h>

static bool is_name(const char *name, const char *text, size_t n)
{
	return strlen(name) == n && !memcmp(name, text, n);
}

const struct header_kind *header_find(const char *name, size_t n)
{
	for (const struct header_kind *kind = header_kinds; kind->name; kind++) {
		if (is_name(kind->name, name, n))
			return kind;
	}
	return is_name(header_custom.name, name, n) ? &header_custom : NULL;
}

const struct header_field *header_find_field(const struct header_kind *kind, const char *name,
					     size_t n)
{
	for (unsigned i = 0; i < kind->n_fields; i++) {
		if (is_name(kind->fields[i].name, name, n))
			return &kind->fields[i];
	}
	return NULL;
}

static bool has_word(const char *list, const char *name)
{
	const size_t n = strlen(name);

	for (const char *word = list; *word;) {
		const size_t length = strcspn(word, " ");

		if (length == n && !memcmp(word, name, n))
			return true;
		word += length + (word[length] == ' ');
	}
	return false;
}

bool header_may_follow(const struct header_kind *kind, const struct header_kind *before)
{
	if (kind == &header_custom || before == &header_custom)
		return true;
	return has_word(kind->under, before->name);
}
