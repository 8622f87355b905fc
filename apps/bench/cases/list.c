/* SPDX-License-Identifier: BSD-3-Clause */
#include "cases/cases.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct bench_case *bench_find_case(const char *name)
{
	for (const struct bench_case *const *c = bench_cases; *c; c++)
		if (!strcmp((*c)->name, name))
			return *c;
	return NULL;
}

/* Returns the text that the operation list of @c prints to stdout; the caller frees it. */
static char *read_list(const struct bench_case *c)
{
	FILE *const out = stdout;
	char *text = NULL;
	size_t bytes;
	FILE *memory = open_memstream(&text, &bytes);

	if (!memory)
		return NULL;
	stdout = memory;
	c->list();
	stdout = out;
	fclose(memory);
	return text;
}

int bench_list_points(const struct bench_case *c, const struct bench_run *run, FILE *to)
{
	char *text = read_list(c);
	char *rest;
	int n = 0;

	if (!text)
		return -ENOMEM;
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		if (!bench_wants(run, line))
			continue;
		n++;
		if (to)
			fprintf(to, "%s\n", line);
	}
	free(text);
	return n;
}
