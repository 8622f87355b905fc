/* SPDX-License-Identifier: BSD-3-Clause */
#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <rte_mbuf.h>

#include "ct.h"

enum { MAX_REPORTS = 40, REPORT_BYTES = 512 };

struct known {
	enum report_judge judge;
	const char *config, *words, *field;
	uint64_t mask, want, got;
	const char *reason;
	unsigned int n_used;
};

static struct known known[] = {
#define KNOWN(...) { __VA_ARGS__, 0 },
#include "known.def"
#undef KNOWN
};
enum { N_KNOWN = sizeof(known) / sizeof(known[0]) };

/*
 * Returns whether @text contains each of @words, separated by spaces, at the start of a word. After
 * a ^ it returns whether @text starts with the words.
 */
static bool contains_words(const char *text, const char *words)
{
	if (*words == '^')
		return !strncmp(text, words + 1, strlen(words + 1));
	while (*words) {
		const size_t n = strcspn(words, " ");
		const char *p = text;

		while (*p && strncmp(p, words, n)) {
			p += strcspn(p, " ");
			p += strspn(p, " ");
		}
		if (!*p)
			return false;
		words += n + strspn(words + n, " ");
	}
	return true;
}

/* Returns whether @name is in @list, whose names have a | between them. */
static bool lists_name(const char *list, const char *name)
{
	const size_t n = strlen(name);

	for (; *list; list += strcspn(list, "|"), list += *list == '|')
		if (strcspn(list, "|") == n && !strncmp(list, name, n))
			return true;
	return false;
}

/* Returns the bits of the difference that a row explains. */
static uint64_t explain_bits(const struct known *k, const struct difference *d)
{
	if (k->judge != d->judge || (*k->config && !lists_name(k->config, d->config)) ||
	    !lists_name(k->field, d->field) || !contains_words(d->subject, k->words))
		return 0;
	if (!k->mask)
		return UINT64_MAX;
	return (d->want & k->mask) == k->want && (d->got & k->mask) == k->got ? k->mask : 0;
}

static char seen[MAX_REPORTS][REPORT_BYTES];
static unsigned int n_seen;

void report_start(void)
{
	n_seen = 0;
}

/* Returns whether the same difference was reported before, such as with bursts of another size. */
static bool is_repeated(const struct difference *d)
{
	char key[REPORT_BYTES];

	snprintf(key, sizeof(key), "%d|%s|%s|%s", (int)d->judge, d->config, d->subject, d->field);
	for (unsigned int i = 0; i < n_seen; i++)
		if (!strcmp(seen[i], key))
			return true;
	if (n_seen == MAX_REPORTS)
		return true; /* the test has failed already */
	strcpy(seen[n_seen++], key);
	return false;
}

/*
 * Fails the test. With a DPDK for which nobody has written known.def, skips it: then net_mlx5 has
 * changed, and not net_devx.
 */
static void report_text(const char *text)
{
	if (*NEW_DPDK)
		SKIP("new with DPDK " NEW_DPDK
		     ": %s; when known.def has all differences, add " NEW_DPDK
		     " to known_dpdk in tests/differ/meson.build",
		     text);
	ADD_FAILURE("%s", text);
}

void report_difference(const struct difference *d)
{
	static const char *const names[][2] = { { "net_mlx5", "net_devx" },
						{ "the frame", "net_mlx5" } };
	char text[REPORT_BYTES];
	uint64_t left = d->want ^ d->got;

	for (unsigned int i = 0; i < N_KNOWN; i++) {
		const uint64_t bits = explain_bits(&known[i], d) & (d->want ^ d->got);

		known[i].n_used += bits != 0;
		left &= ~bits;
	}
	if (!left || is_repeated(d))
		return;
	if (d->want_text)
		snprintf(text, sizeof(text), "%s, \"%s\": %s is %s with %s, %s with %s", d->config,
			 d->subject, d->field, d->want_text, names[d->judge][0], d->got_text,
			 names[d->judge][1]);
	else
		snprintf(text, sizeof(text),
			 "%s, \"%s\": %s is %" PRIu64 " (0x%" PRIx64 ") with %s, %" PRIu64
			 " (0x%" PRIx64 ") with %s",
			 d->config, d->subject, d->field, d->want, d->want, names[d->judge][0],
			 d->got, d->got, names[d->judge][1]);
	report_text(text);
}

void report_unused(void)
{
	char text[REPORT_BYTES];

	for (unsigned int i = 0; i < N_KNOWN; i++) {
		if (known[i].n_used)
			continue;
		snprintf(text, sizeof(text),
			 "known.def: no %s of \"%s\" %s differs: \"%s\"; remove the row",
			 known[i].field, known[i].words, known[i].config, known[i].reason);
		report_text(text);
	}
}
