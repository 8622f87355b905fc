/* SPDX-License-Identifier: BSD-3-Clause */
#include "packet/change.h"

#include <stdio.h>
#include <string.h>

#include "cli/units.h"
#include "packet/dissect.h"

/* Both frames, and their headers. @padding: bytes that follow the received frame */
struct comparing {
	struct change_list *list;
	const struct change_frame *sent, *received;
	uint32_t padding;
	struct dissection from, to;
};

static void add_change(struct comparing *c, struct change change)
{
	if (c->list->n < CHANGE_MAX)
		c->list->list[c->list->n++] = change;
}

/* Returns how many headers of the same kind stand before header @i. */
static uint8_t find_place(const struct dissection *d, unsigned i)
{
	uint8_t place = 0;

	for (unsigned n = 0; n < i; n++)
		place += d->headers[n].kind == d->headers[i].kind;
	return place;
}

/* ---- one header ------------------------------------------------------------------ */

/* Returns whether the value of a field follows from the headers and their lengths. */
static bool is_derived(const struct header_field *field)
{
	switch (field->autos) {
	case AUTO_ETHER_TYPE:
	case AUTO_IP_PROTOCOL:
	case AUTO_BOTTOM:
	case AUTO_HEADER_WORDS:
	case AUTO_OPTION_WORDS:
	case AUTO_LENGTH:
		return true;
	default:
		return false;
	}
}

/* Returns whether other fields of the header have the same bits, as "dscp" and "ecn" have. */
static bool has_parts(const struct header_kind *kind, const struct header_field *field)
{
	for (unsigned i = 0; i < kind->n_fields; i++) {
		const struct header_field *f = &kind->fields[i];

		if (f != field && f->bit >= field->bit &&
		    f->bit + f->bits <= field->bit + field->bits)
			return true;
	}
	return false;
}

/* Returns whether the bytes of a field are equal. Neither header lacks an optional part. */
static bool has_same_bytes(const struct comparing *c, const struct dissected *a,
			   const struct dissected *b, const struct header_field *field)
{
	const unsigned first = field->bit / 8u, last = (field->bit + field->bits - 1u) / 8;

	return last < a->bytes && last < b->bytes &&
	       !memcmp(c->sent->frame + a->offset + first, c->received->frame + b->offset + first,
		       last - first + 1);
}

static void compare_fields(struct comparing *c, unsigned from, unsigned to, bool same_headers)
{
	const struct dissected *a = &c->from.headers[from], *b = &c->to.headers[to];
	const bool is_fixed = !a->absent && !b->absent;

	if (a->bytes == b->bytes &&
	    !memcmp(c->sent->frame + a->offset, c->received->frame + b->offset, a->bytes))
		return;
	for (unsigned i = 0; i < a->kind->n_fields; i++) {
		const struct header_field *field = &a->kind->fields[i];
		struct change change = { .kind = CHANGE_FIELD, .header = a->kind, .field = field };

		if (field->autos >= AUTO_SUM_HEADER || (is_derived(field) && !same_headers) ||
		    (is_fixed && has_same_bytes(c, a, b, field)) ||
		    !dissect_get_field(a, field, c->sent->frame, &change.sent) ||
		    !dissect_get_field(b, field, c->received->frame, &change.received) ||
		    change.sent == change.received || has_parts(a->kind, field))
			continue;
		change.place = find_place(&c->from, from);
		add_change(c, change);
	}
}

static uint32_t count_options(const struct dissected *h)
{
	const uint32_t absent = (uint32_t)__builtin_popcount(h->absent) * HEADER_PART_BYTES;

	return h->bytes - (h->kind->bytes - absent);
}

static void compare_options(struct comparing *c, unsigned from, unsigned to)
{
	const struct dissected *a = &c->from.headers[from], *b = &c->to.headers[to];
	const uint32_t n = count_options(a), m = count_options(b);

	if (n != m || memcmp(c->sent->frame + a->offset + a->bytes - n,
			     c->received->frame + b->offset + b->bytes - m, n))
		add_change(c, (struct change){ .kind = CHANGE_OPTIONS,
					       .place = find_place(&c->from, from),
					       .header = a->kind,
					       .sent = n,
					       .received = m });
}

/* ---- all headers ----------------------------------------------------------------- */

enum { NO_PARTNER = UINT8_MAX };

/*
 * Finds for each sent header the received one that it became: the longest common subsequence of
 * both lists. Of several, prefers the innermost headers, which stay if a tunnel comes or goes.
 */
static void pair_headers(const struct comparing *c, uint8_t partner[STACK_MAX_HEADERS])
{
	uint8_t common[STACK_MAX_HEADERS + 1][STACK_MAX_HEADERS + 1] = { 0 };
	unsigned i, j;

	for (i = 1; i <= c->from.n; i++) {
		partner[i - 1] = NO_PARTNER;
		for (j = 1; j <= c->to.n; j++) {
			const uint8_t up = common[i - 1][j], left = common[i][j - 1];

			if (c->from.headers[i - 1].kind == c->to.headers[j - 1].kind)
				common[i][j] = (uint8_t)(common[i - 1][j - 1] + 1);
			else
				common[i][j] = up > left ? up : left;
		}
	}
	i = c->from.n;
	j = c->to.n;
	while (i && j) {
		if (c->from.headers[i - 1].kind == c->to.headers[j - 1].kind)
			partner[--i] = (uint8_t)--j;
		else if (common[i - 1][j] >= common[i][j - 1])
			i--;
		else
			j--;
	}
}

/* A zero checksum of UDP means none, also in the outer header of a tunnel over IPv6 (RFC 6935). */
static bool is_sum_absent(const struct comparing *c, unsigned to)
{
	const struct dissected *h = &c->to.headers[to];
	const struct header_field *field = header_find_field(h->kind, "checksum", 8);
	pattern_value sum = 1;

	return header_is(h->kind, HEADER_UDP) && field &&
	       dissect_get_field(h, field, c->received->frame, &sum) && !sum;
}

static void verify_sum(struct comparing *c, unsigned from, unsigned to)
{
	const struct change_frame *sent = c->sent, *received = c->received;

	/* A packet in a tunnel may have been padded: its padding belongs to the outer packet. */
	if (dissect_has_right_sum(&c->to, to, received->frame, received->bytes + c->padding))
		return;
	if (from == NO_PARTNER ? !is_sum_absent(c, to)
			       : dissect_has_right_sum(&c->from, from, sent->frame, sent->bytes))
		c->list->is_damaged = true;
}

static void add_header(struct comparing *c, enum change_kind kind, const struct dissection *d,
		       unsigned i)
{
	add_change(c, (struct change){ .kind = kind,
				       .place = find_place(d, i),
				       .header = d->headers[i].kind });
}

static void compare_rest(struct comparing *c)
{
	const uint32_t n = c->from.rest, m = c->to.rest;

	if (n != m || memcmp(c->sent->frame + c->from.bytes, c->received->frame + c->to.bytes, n))
		add_change(c, (struct change){ .kind = CHANGE_BYTES, .sent = n, .received = m });
}

void change_find(struct change_list *list, const struct change_frame *sent,
		 const struct change_frame *received, uint32_t padding)
{
	struct comparing c = {
		.list = list, .sent = sent, .received = received, .padding = padding
	};
	uint8_t partner[STACK_MAX_HEADERS];
	unsigned next = 0; /* the first received header without a pair */
	bool same_headers;

	list->n = 0;
	dissect_frame(&c.from, sent->frame, sent->header_bytes);
	dissect_frame(&c.to, received->frame, received->header_bytes);
	list->is_damaged = c.to.is_broken && !c.from.is_broken;
	pair_headers(&c, partner);
	same_headers = c.from.n == c.to.n;
	for (unsigned i = 0; i < c.from.n; i++)
		same_headers &= partner[i] == i;
	for (unsigned i = 0; i < c.from.n; i++) {
		if (partner[i] == NO_PARTNER) {
			add_header(&c, CHANGE_REMOVED, &c.from, i);
			continue;
		}
		for (; next < partner[i]; next++) {
			add_header(&c, CHANGE_ADDED, &c.to, next);
			verify_sum(&c, NO_PARTNER, next);
		}
		compare_fields(&c, i, next, same_headers);
		compare_options(&c, i, next);
		verify_sum(&c, i, next++);
	}
	for (; next < c.to.n; next++) {
		add_header(&c, CHANGE_ADDED, &c.to, next);
		verify_sum(&c, NO_PARTNER, next);
	}
	compare_rest(&c);
	if (padding)
		add_change(&c, (struct change){ .kind = CHANGE_PADDING, .received = padding });
}

/* ---- compare with a list --------------------------------------------------------- */

/* Finds the flag that announces the optional part of a field. */
static const struct header_field *find_flag(const struct header_kind *kind,
					    const struct header_field *field)
{
	const unsigned part = (field->bit / 8u - kind->first_part) / HEADER_PART_BYTES;

	for (unsigned i = 0; i < kind->n_fields; i++) {
		if (kind->fields[i].autos == AUTO_FLAG && kind->fields[i].group == part)
			return &kind->fields[i];
	}
	return field;
}

static void compare_listed(struct comparing *c, const struct stack *listed, unsigned from,
			   unsigned to)
{
	const struct dissected *h = &c->to.headers[to];

	for (unsigned n = 0; n < listed->n_fields; n++) {
		const struct stack_field *f = &listed->fields[n];
		struct change change = { .kind = CHANGE_FIELD,
					 .place = find_place(&c->from, from),
					 .header = h->kind,
					 .field = f->field,
					 .sent = f->values.start };

		if (f->header != from)
			continue;
		if (!dissect_get_field(h, f->field, c->received->frame, &change.received)) {
			change.field = find_flag(h->kind, f->field);
			change.sent = 1;
			change.received = 0;
		}
		if (change.sent != change.received)
			add_change(c, change);
	}
}

void change_find_unlisted(struct change_list *list, const struct stack *listed,
			  const struct change_frame *received)
{
	struct comparing c = { .list = list, .received = received };
	uint8_t partner[STACK_MAX_HEADERS];
	unsigned next = 0;

	list->n = 0;
	for (; c.from.n < listed->n_headers; c.from.n++)
		c.from.headers[c.from.n].kind = listed->headers[c.from.n].kind;
	dissect_frame(&c.to, received->frame, received->header_bytes);
	pair_headers(&c, partner);
	for (unsigned i = 0; i < c.from.n; i++) {
		if (partner[i] == NO_PARTNER) {
			add_header(&c, CHANGE_REMOVED, &c.from, i);
			continue;
		}
		for (; next < partner[i]; next++)
			add_header(&c, CHANGE_ADDED, &c.to, next);
		compare_listed(&c, listed, i, next++);
	}
	for (; next < c.to.n; next++)
		add_header(&c, CHANGE_ADDED, &c.to, next);
	if (c.to.rest)
		add_change(&c, (struct change){ .kind = CHANGE_BYTES, .received = c.to.rest });
}

/* ---- report ---------------------------------------------------------------------- */

bool change_is_same(const struct change *a, const struct change *b)
{
	return a->kind == b->kind && a->place == b->place && a->header == b->header &&
	       a->field == b->field;
}

const char *change_get_name(enum change_kind kind)
{
	static const char *const names[] = {
		[CHANGE_FIELD] = "field", [CHANGE_OPTIONS] = "options",
		[CHANGE_ADDED] = "added", [CHANGE_REMOVED] = "removed",
		[CHANGE_BYTES] = "bytes", [CHANGE_PADDING] = "padding",
	};

	return names[kind];
}

void change_format_value(const struct change *c, pattern_value value, char *text, size_t bytes)
{
	if (c->kind == CHANGE_FIELD)
		pattern_format_value(value, c->field->format, text, bytes);
	else
		snprintf(text, bytes, "%u byte%s", (unsigned)value,
			 units_get_plural((uint64_t)value));
}
