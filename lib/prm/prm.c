/* SPDX-License-Identifier: BSD-3-Clause */
#include "prm/prm.h"

#include <stdio.h>
#include <string.h>

/* clang-format off */
#define LAYOUT(L, size)                                                                            \
	const struct prm_layout prm_layout_##L = {                                                 \
		.name = #L, .bytes = (size), .rows = (const struct prm_row[]) {
#define UNION(L, size)                                                                             \
	const struct prm_layout prm_layout_##L = {                                                 \
		.name = #L, .bytes = (size), .is_union = true, .rows = (const struct prm_row[]) {
#define F(off, hi, lo, name) { #name, PRM_BIT(off, hi), (hi) - (lo) + 1, 1, NULL },
#define S(off, L2, name) { #name, (off) * 8, 0, 1, &prm_layout_##L2 },
#define A(off, w, n, name) { #name, (off) * 8, (w), (n), NULL },
#define SA(off, L2, n, name) { #name, (off) * 8, 0, (n), &prm_layout_##L2 },
#define TA(off, w, name) { #name, (off) * 8, (w), 0, NULL },
#define T(off, L2, name) { #name, (off) * 8, 0, 0, &prm_layout_##L2 },
#define END(L) { NULL, 0, 0, 0, NULL } } };
#include "layouts.def"
/* clang-format on */

static const struct prm_command commands[] = {
/* clang-format off */
#define CMD(op, name_) { (op), #name_, &prm_layout_##name_##_in, &prm_layout_##name_##_out },
#include "commands.def"
	/* clang-format on */
};

const struct prm_command *prm_command_of(uint16_t opcode)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (commands[i].opcode == opcode)
			return &commands[i];
	return NULL;
}

static size_t row_bits(const struct prm_row *row)
{
	return row->sub ? row->sub->bytes * 8 : row->width;
}

/* Writes "name", or "name[i]" for an element of an array or tail. Returns as snprintf() does. */
static int write_row_name(const struct prm_row *row, size_t i, char *buf, size_t bytes)
{
	return row->n == 1 ? snprintf(buf, bytes, "%s", row->name)
			   : snprintf(buf, bytes, "%s[%zu]", row->name, i);
}

size_t prm_row_bytes(const struct prm_row *row)
{
	return (row_bits(row) + 7) / 8;
}

size_t prm_tail_bytes(const struct prm_layout *layout)
{
	for (const struct prm_row *r = layout->rows; r->name; r++) {
		if (r->n == 0)
			return prm_row_bytes(r);
		if (r->sub && r->bit / 8 + r->sub->bytes == layout->bytes) {
			const size_t inner = prm_tail_bytes(r->sub);

			if (inner)
				return inner;
		}
	}
	return 0;
}

/*
 * Returns whether a row contains @bit, counted from the start of @layout. Writes the dotted name of
 * the row to @buf, unless @buf is NULL. Recurses into embedded layouts.
 */
static bool find_name(const struct prm_layout *layout, size_t bit, char *buf, size_t bytes)
{
	for (const struct prm_row *r = layout->rows; r->name; r++) {
		const size_t width = row_bits(r);
		const bool here = bit >= r->bit && (r->n == 0 || bit < r->bit + width * r->n);
		const bool in_inner_tail = r->sub && r->n == 1 && bit >= layout->bytes * 8 &&
					   r->bit / 8 + r->sub->bytes == layout->bytes &&
					   prm_tail_bytes(r->sub);

		if (!here && !in_inner_tail)
			continue;

		const size_t i = r->n == 1 ? 0 : (bit - r->bit) / width;
		int used = buf ? write_row_name(r, i, buf, bytes) : 0;

		if (!r->sub)
			return true;
		if (buf && (size_t)used + 1 < bytes) {
			buf[used++] = '.';
			buf[used] = '\0';
		}
		if (find_name(r->sub, bit - r->bit - i * width, buf ? buf + used : NULL,
			      buf && (size_t)used < bytes ? bytes - (size_t)used : 0))
			return true;
		if (!layout->is_union)
			return false; /* a reserved bit of the embedded layout */
	}
	if (buf && bytes)
		snprintf(buf, bytes, "reserved_at_%zx", bit);
	return false;
}

bool prm_name_of(const struct prm_layout *layout, size_t bit, char *buf, size_t bytes)
{
	return find_name(layout, bit, bytes ? buf : NULL, bytes);
}

int prm_first_reserved(const struct prm_layout *layout, const prm_be32 *dw, size_t bytes)
{
	for (size_t i = 0; i < bytes / 4; i++) {
		for (uint32_t set = prm_be32_get(dw[i]); set;) {
			const int lead = __builtin_clz(set);

			if (!find_name(layout, i * 32 + (size_t)lead, NULL, 0))
				return (int)(i * 32) + lead;
			set &= ~(0x80000000u >> lead);
		}
	}
	return -1;
}

struct walk {
	const prm_be32 *dw;
	size_t bits;
	int (*fn)(const char *name, uint64_t value, void *arg);
	void *arg;
	char name[160];
};

static int walk_rows(struct walk *w, const struct prm_layout *layout, size_t base, size_t len)
{
	for (const struct prm_row *r = layout->rows; r->name; r++) {
		const size_t width = row_bits(r), first = base + r->bit;
		const size_t n = r->n ? r->n : w->bits > first ? (w->bits - first) / width : 0;

		for (size_t i = 0; i < n && first + (i + 1) * width <= w->bits; i++) {
			const int used = write_row_name(r, i, w->name + len, sizeof(w->name) - len);
			const size_t end = len + (size_t)used < sizeof(w->name) - 2
						   ? len + (size_t)used
						   : sizeof(w->name) - 2;
			int rc = 0;

			if (r->sub) {
				w->name[end] = '.';
				w->name[end + 1] = '\0';
				rc = walk_rows(w, r->sub, first + i * width, end + 1);
			} else {
				const uint64_t v = prm_get_(w->dw, first + i * width, width);

				if (v)
					rc = w->fn(w->name, v, w->arg);
			}
			if (rc)
				return rc;
		}
	}
	return 0;
}

int prm_each_set(const struct prm_layout *layout, const prm_be32 *dw, size_t bytes,
		 int (*fn)(const char *name, uint64_t value, void *arg), void *arg)
{
	struct walk w = { .dw = dw, .bits = bytes * 8, .fn = fn, .arg = arg };

	return walk_rows(&w, layout, 0, 0);
}

const char *prm_status_name(uint8_t status)
{
	switch ((enum prm_status)status) {
	/* clang-format off */
	case PRM_STATUS_OK:                 return "OK";
	case PRM_STATUS_INT_ERR:            return "INT_ERR";
	case PRM_STATUS_BAD_OP:             return "BAD_OP";
	case PRM_STATUS_BAD_PARAM:          return "BAD_PARAM";
	case PRM_STATUS_BAD_SYS_STATE:      return "BAD_SYS_STATE";
	case PRM_STATUS_BAD_RES:            return "BAD_RES";
	case PRM_STATUS_RES_BUSY:           return "RES_BUSY";
	case PRM_STATUS_LIM_ERR:            return "LIM_ERR";
	case PRM_STATUS_BAD_RES_STATE:      return "BAD_RES_STATE";
	case PRM_STATUS_IX_ERR:             return "IX_ERR";
	case PRM_STATUS_NO_RES_ERR:         return "NO_RES_ERR";
	case PRM_STATUS_BAD_INP_LEN:        return "BAD_INP_LEN";
	case PRM_STATUS_BAD_OUTP_LEN:       return "BAD_OUTP_LEN";
	case PRM_STATUS_BAD_QP_STATE:       return "BAD_QP_STATE";
	case PRM_STATUS_BAD_PKT:            return "BAD_PKT";
	case PRM_STATUS_BAD_SIZE_OUTS_CQES: return "BAD_SIZE_OUTS_CQES";
		/* clang-format on */
	}
	return "?";
}
