/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/library.h"

#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ID_BYTES = 20 }; /* SHA-1, the default of ld */

/* A library to find, and room for its description. */
struct search {
	const char *name;
	char *text;
	size_t bytes;
};

/* Appends the build ID of a segment of notes. Returns whether it has one. */
static bool add_build_id(struct search *s, const uint8_t *at, const uint8_t *end)
{
	/* The padding of the last note may end behind the segment. */
	while (end - at > (ptrdiff_t)sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *note = (const void *)at;
		const uint8_t *owner = at + sizeof(*note);
		const uint8_t *id = owner + ((note->n_namesz + 3u) & ~3u);

		if (note->n_type == NT_GNU_BUILD_ID && !memcmp(owner, "GNU", sizeof("GNU")) &&
		    note->n_descsz <= MAX_ID_BYTES) {
			size_t n = strlen(s->text);

			n += (size_t)snprintf(s->text + n, s->bytes - n, " (build ID ");
			for (unsigned i = 0; i < note->n_descsz && n < s->bytes; i++)
				n += (size_t)snprintf(s->text + n, s->bytes - n, "%02x", id[i]);
			if (n < s->bytes)
				snprintf(s->text + n, s->bytes - n, ")");
			return true;
		}
		at = id + ((note->n_descsz + 3u) & ~3u);
	}
	return false;
}

static int describe_one(struct dl_phdr_info *info, size_t bytes, void *arg)
{
	const char *slash = strrchr(info->dlpi_name, '/');
	char path[PATH_MAX];
	struct search *s = arg;

	(void)bytes;
	if (strcmp(slash ? slash + 1 : info->dlpi_name, s->name))
		return 0;
	snprintf(s->text, s->bytes, "%s", realpath(info->dlpi_name, path) ? path : info->dlpi_name);
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		const uint8_t *at = (const uint8_t *)(info->dlpi_addr + p->p_vaddr);

		if (p->p_type == PT_NOTE && add_build_id(s, at, at + p->p_memsz))
			break;
	}
	return 1;
}

void library_describe(const char *name, char *text, size_t bytes)
{
	struct search s = { name, text, bytes };

	*text = '\0';
	dl_iterate_phdr(describe_one, &s);
}
