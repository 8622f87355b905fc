/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/firmware/fields.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A bitmap of a layout, followed by one element of its list, in host-endian dwords. The masks are
 * built once, from the names in fields.def, so that checking a mailbox takes one AND per dword.
 */
struct mask {
	uint32_t *dw;
	size_t n;
};

static void mark_bits(struct mask *m, size_t bit, size_t width)
{
	for (size_t i = bit; i < bit + width && i / 32 < m->n; i++)
		m->dw[i / 32] |= 0x80000000u >> i % 32;
}

/* Marks the bits of a row and of its sub-layout; @base is the first bit of the row's layout. */
static void mark_row(struct mask *m, size_t base, const struct prm_row *row)
{
	const size_t n = row->n ? row->n : 1;
	const size_t width = row->sub ? row->sub->bytes * 8 : row->width;

	for (size_t i = 0; i < n; i++) {
		const size_t at = base + row->bit + i * width;

		if (!row->sub)
			mark_bits(m, at, width);
		for (const struct prm_row *r = row->sub ? row->sub->rows : NULL; r && r->name; r++)
			mark_row(m, at, r);
	}
}

/*
 * Marks the bits of a field with a dotted name, such as "ctx.wq.pd", in every element of an array.
 * Returns false if the layout has no such field.
 */
static bool mark_name(struct mask *m, size_t base, const struct prm_layout *layout,
		      const char *name)
{
	const size_t len = strcspn(name, ".");

	for (const struct prm_row *r = layout->rows; r->name; r++) {
		if (strlen(r->name) != len || strncmp(r->name, name, len))
			continue;
		if (!name[len]) {
			mark_row(m, base, r);
			return true;
		}
		for (size_t i = 0; r->sub && i < (r->n ? r->n : 1u); i++)
			if (!mark_name(m, base + r->bit + i * r->sub->bytes * 8, r->sub,
				       name + len + 1))
				return false;
		return r->sub;
	}
	return false;
}

/*
 * Marks the fields of one line of fields.def. "prefix:" is put before each name that follows it.
 * Returns NULL, or @name with the first field that the layout lacks.
 */
static const char *mark_list(struct mask *m, const struct prm_layout *layout, const char *list,
			     char *name, size_t name_bytes)
{
	char prefix[96] = "";

	for (const char *at = list; *at; at += strspn(at, " ")) {
		const int len = (int)strcspn(at, " ");

		if (at[len - 1] == ':') {
			snprintf(prefix, sizeof(prefix), "%.*s.", len - 1, at);
		} else {
			snprintf(name, name_bytes, "%s%.*s", prefix, len, at);
			if (!mark_name(m, 0, layout, name))
				return name;
		}
		at += len;
	}
	return NULL;
}

/* ---- the table ------------------------------------------------------------------ */

enum who { KERNEL, ANYONE };

static const struct listed {
	uint16_t opcode;
	enum who who;
	const char *fields;
} listed[] = {
/* clang-format off */
#define FIELDS(name, who, list) { PRM_OP_##name, who, list },
#include "emu/firmware/fields.def"
	/* clang-format on */
};
enum { N_LISTED = sizeof(listed) / sizeof(listed[0]) };

static struct emu_fields fields[N_LISTED];
static char error[160];

/*
 * Returns the size of a list element. Linux declares the extended form of the elements of a flow
 * context; without extended_destination, which emu does not model, they have half that size.
 */
static size_t get_tail_bytes(const struct prm_command *cmd)
{
	return cmd->opcode == PRM_OP_set_fte ? prm_dest_format_struct_bytes
					     : prm_tail_bytes(cmd->in);
}

static bool resolve_fields(struct emu_fields *f, const struct listed *l)
{
	const struct prm_command *cmd = prm_command_of(l->opcode);
	const size_t n = (cmd->in->bytes + get_tail_bytes(cmd) + 3) / 4;
	struct mask claimed = { calloc(n, 4), n }, modelled = { calloc(n, 4), n };
	char name[160];
	const char *unknown;

	if (!claimed.dw || !modelled.dw) {
		snprintf(error, sizeof(error), "fields.def: out of memory");
		free(claimed.dw);
		free(modelled.dw);
		return false;
	}
	for (const struct prm_row *r = cmd->in->rows; r->name; r++) {
		mark_row(&claimed, 0, r);
		if (!strcmp(r->name, "opcode") || !strcmp(r->name, "uid"))
			mark_row(&modelled, 0, r);
	}
	unknown = mark_list(&modelled, cmd->in, l->fields, name, sizeof(name));
	for (size_t i = 0; i < n; i++) {
		modelled.dw[i] = claimed.dw[i] & ~modelled.dw[i];
		claimed.dw[i] = ~claimed.dw[i];
	}
	*f = (struct emu_fields){ claimed.dw, modelled.dw, cmd->in->bytes, get_tail_bytes(cmd),
				  l->who == KERNEL };
	if (unknown)
		snprintf(error, sizeof(error), "fields.def: %s: no such field %.90s", cmd->name,
			 unknown);
	return !unknown;
}

static void resolve_all(void)
{
	for (int i = 0; i < N_LISTED; i++)
		if (!resolve_fields(&fields[i], &listed[i]))
			return;
}

int emu_fields_resolve(char *why, size_t why_bytes)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, resolve_all);
	if (error[0])
		snprintf(why, why_bytes, "%s", error);
	return error[0] ? -1 : 0;
}

const struct emu_fields *emu_fields_of(uint16_t opcode)
{
	for (int i = 0; i < N_LISTED; i++)
		if (listed[i].opcode == opcode)
			return &fields[i];
	return NULL;
}

int emu_fields_first(const struct emu_fields *f, const uint32_t *mask, const prm_be32 *dw,
		     size_t bytes)
{
	const size_t n = f->head_bytes / 4, tail = f->tail_bytes / 4;

	for (size_t i = 0; i < bytes / 4; i++) {
		const uint32_t wrong = prm_be32_get(dw[i]) & mask[i < n ? i : n + (i - n) % tail];

		if (wrong)
			return (int)(i * 32) + __builtin_clz(wrong);
	}
	return -1;
}
