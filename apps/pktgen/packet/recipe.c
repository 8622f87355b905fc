/* SPDX-License-Identifier: BSD-3-Clause */
#include "packet/recipe.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <rte_byteorder.h>

enum {
	WIDE_BYTES = 16,
	TYPE_EXPERIMENTAL = 0x88b5, /* Ethernet type for local experiments (IEEE 802) */
};

/* ---- compile -------------------------------------------------------------------- */

/* A header to compile. @offset, @bytes: place in the frame. @skip: bits of absent parts. */
struct place {
	const struct stack_header *header;
	unsigned offset, bytes, skip;
};

/* Returns whether the user set the flag of the optional part @part, or a field in it. */
static bool has_part(const struct stack *s, unsigned header, unsigned part)
{
	const struct header_kind *kind = s->headers[header].kind;
	const unsigned first = (kind->first_part + part * HEADER_PART_BYTES) * 8;

	for (unsigned n = 0; n < s->n_fields; n++) {
		const struct stack_field *f = &s->fields[n];
		const struct header_field *field = f->field;

		if (f->header != header)
			continue;
		if (field->bit >= first && field->bit < first + HEADER_PART_BYTES * 8)
			return true;
		if (header_is_flag(field) && field->group == part && f->values.start)
			return true;
	}
	return false;
}

/* Returns the absent optional parts: bit 0 for the first part. */
static unsigned find_absent(const struct stack *s, unsigned header)
{
	const struct header_kind *kind = s->headers[header].kind;
	unsigned skip = 0;

	if (!kind->first_part)
		return 0;
	for (unsigned part = 0; kind->first_part + part * HEADER_PART_BYTES < kind->bytes; part++)
		skip |= has_part(s, header, part) ? 0 : 1u << part;
	return skip;
}

/* Finds the places of all headers. Returns their total length. */
static unsigned place_headers(const struct stack *s, struct place places[STACK_MAX_HEADERS])
{
	unsigned offset = 0;

	for (unsigned i = 0; i < s->n_headers; i++) {
		const struct stack_header *h = &s->headers[i];
		const unsigned skip = find_absent(s, i);
		const unsigned bytes = h->kind->bytes + h->n_more -
				       (unsigned)__builtin_popcount(skip) * HEADER_PART_BYTES;

		places[i] = (struct place){ h, offset, bytes, skip };
		offset += bytes;
	}
	return offset;
}

/* Finds the first bit of a field in the frame. Returns false if its optional part is absent. */
static bool find_bit(const struct place *p, const struct header_field *field, unsigned *bit)
{
	const unsigned first = p->header->kind->first_part;
	const unsigned byte = field->bit / 8;
	unsigned part, absent;

	*bit = p->offset * 8 + field->bit;
	if (!first || byte < first)
		return true;
	part = (byte - first) / HEADER_PART_BYTES;
	absent = p->skip & ((1u << part) - 1);
	*bit -= (unsigned)__builtin_popcount(absent) * HEADER_PART_BYTES * 8;
	return !(p->skip >> part & 1);
}

static enum recipe_access get_access(const struct recipe_field *f)
{
	if (f->bytes == WIDE_BYTES)
		return RECIPE_WIDE;
	if (f->mask == UINT32_MAX && f->bytes == sizeof(uint32_t))
		return RECIPE_WHOLE;
	return f->mask == UINT16_MAX && f->bytes == sizeof(uint16_t) ? RECIPE_HALF : RECIPE_BITS;
}

static struct recipe_field make_field(unsigned bit, unsigned bits)
{
	const unsigned last = bit + bits - 1;
	struct recipe_field f = { .offset = (uint16_t)(bit / 8),
				  .bytes = (uint8_t)(last / 8 - bit / 8 + 1),
				  .shift = (uint8_t)(7 - last % 8) };

	f.mask = bits >= 64 ? UINT64_MAX : ((1ull << bits) - 1) << f.shift;
	f.access = get_access(&f);
	return f;
}

/* Returns the value of a field that the user did not set. @next: the next header, or NULL. */
static pattern_value get_auto_value(const struct place *p, const struct header_field *field,
				    const struct header_kind *next)
{
	switch (field->autos) {
	case AUTO_ETHER_TYPE:
		return next && next->ether_type ? next->ether_type : TYPE_EXPERIMENTAL;
	case AUTO_IP_PROTOCOL:
		return next ? next->ip_protocol : HEADER_NO_PROTOCOL; /* hop-by-hop is 0 */
	case AUTO_UDP_PORT:
		return next && next->udp_port ? next->udp_port : field->value;
	case AUTO_BOTTOM:
		return !next || !header_is(next, HEADER_MPLS);
	case AUTO_HEADER_WORDS:
		return p->bytes / 4;
	case AUTO_OPTION_WORDS:
		return p->header->n_more / 4;
	case AUTO_FLAG:
		return !(p->skip >> field->group & 1);
	default:
		return field->value;
	}
}

/* Finds the last IP header before a header. Returns it, or NULL. */
static const struct place *find_ip(const struct place *places, unsigned i)
{
	while (i--) {
		const struct header_kind *kind = places[i].header->kind;

		if (header_is_ip(kind))
			return &places[i];
	}
	return NULL;
}

static void add_sum(struct recipe *p, const struct place *places, unsigned i, enum field_auto kind,
		    unsigned bit, bool is_bad)
{
	const struct place *at = &places[i], *ip = find_ip(places, i);
	struct recipe_sum *sum = &p->sums[p->n_sums];

	if (p->by_port && kind == AUTO_SUM_HEADER)
		return;
	p->n_sums++;
	*sum = (struct recipe_sum){ .kind = kind,
				    .offset = (uint16_t)(bit / 8),
				    .start = (uint16_t)at->offset,
				    .is_bad = is_bad,
				    .is_partial = p->by_port,
				    .has_zero = header_is(at->header->kind, HEADER_UDP) };
	if (p->by_port)
		sum->end = sum->start;
	else if (kind == AUTO_SUM_HEADER)
		sum->end = (uint16_t)(at->offset + at->bytes);
	else
		p->covers_payload = true;
	if (kind != AUTO_SUM_PSEUDO || !ip)
		return;
	sum->protocol = at->header->kind->ip_protocol;
	sum->addresses =
		(uint16_t)(ip->offset + (header_is(ip->header->kind, HEADER_IPV4) ? 12 : 8));
	sum->address_bytes = header_is(ip->header->kind, HEADER_IPV4) ? 8 : 32;
}

/* Compiles a field that the user did not set, or a checksum that shall be wrong. */
static void add_auto_field(struct recipe *p, const struct place *places, unsigned i,
			   const struct header_field *field, unsigned bit, bool is_bad,
			   const struct header_kind *next)
{
	const struct place *at = &places[i];
	struct recipe_field f;
	pattern_value value;

	if (field->autos >= AUTO_SUM_HEADER) {
		add_sum(p, places, i, field->autos, bit, is_bad);
		return;
	}
	if (field->autos == AUTO_LENGTH) {
		p->lengths[p->n_lengths++] =
			(struct recipe_length){ .offset = (uint16_t)(bit / 8),
						.from = (uint16_t)(at->offset + field->group) };
		return;
	}
	value = get_auto_value(at, field, next);
	f = make_field(bit, field->bits);
	/* Skips 0: the defaults of "dscp" and "ecn" must not overwrite "priority" around them. */
	if (value)
		recipe_write_field(&f, value, p->template);
}

static void add_user_field(struct recipe *p, const struct stack_field *set, unsigned bit)
{
	struct recipe_field f = make_field(bit, set->field->bits);
	struct pattern values = set->values;

	/* Mixes in the bit, so that fields with the same seed are independent of each other. */
	values.seed = size_hash(values.seed + ((uint64_t)bit << 32));
	if (f.access == RECIPE_WIDE)
		f.wide = values;
	else
		pattern_word_init(&f.word, &values);
	recipe_write_field(&f, pattern_compute(&values, 0), p->template);
	if (values.kind != PATTERN_VALUE)
		p->fields[p->n_fields++] = f;
}

static void add_header(struct recipe *p, const struct stack *s, const struct place *places,
		       unsigned i)
{
	const struct place *at = &places[i];
	const struct header_kind *kind = at->header->kind;
	const struct header_kind *next = i + 1 < s->n_headers ? places[i + 1].header->kind : NULL;
	unsigned bit;

	memcpy(p->template + at->offset + at->bytes - at->header->n_more, at->header->more,
	       at->header->n_more);
	for (unsigned f = 0; f < kind->n_fields; f++) {
		const struct stack_field *set = stack_find_field(s, i, &kind->fields[f]);

		if (find_bit(at, &kind->fields[f], &bit) && (!set || set->is_bad))
			add_auto_field(p, places, i, &kind->fields[f], bit, set && set->is_bad,
				       next);
	}
	for (unsigned n = 0; n < s->n_fields; n++) {
		const struct stack_field *f = &s->fields[n];

		if (f->header == i && !f->is_bad && find_bit(at, f->field, &bit))
			add_user_field(p, f, bit);
	}
}

/* Removes the first checksum from the set @even. Returns its index, or RECIPE_MAX_SUMS. */
static uint8_t take_index(struct recipe_cover *cover)
{
	const unsigned i = cover->even ? (unsigned)__builtin_ctz(cover->even) : RECIPE_MAX_SUMS;

	cover->even &= (uint16_t)(cover->even - 1);
	return (uint8_t)i;
}

/* Finds the checksums that cover the bytes at @offset. */
static struct recipe_cover find_cover(const struct recipe *p, unsigned offset)
{
	struct recipe_cover cover = { 0 };

	for (unsigned i = 0; i < p->n_sums; i++) {
		const struct recipe_sum *s = &p->sums[i];
		unsigned distance;

		if (offset >= s->start && (!s->end || offset < s->end))
			distance = offset - s->start;
		else if (offset >= s->addresses && offset < s->addresses + s->address_bytes)
			distance = offset - s->addresses;
		else
			continue;
		if (s->kind != AUTO_CRC32C)
			*(distance % 2 ? &cover.odd : &cover.even) |= (uint16_t)(1u << i);
	}
	cover.first = take_index(&cover);
	cover.second = take_index(&cover);
	cover.has_others = cover.even || cover.odd;
	return cover;
}

/* Writes the lengths to the template, because all frames have the same. */
static void fix_lengths(struct recipe *p, uint32_t bytes)
{
	for (; p->n_lengths; p->n_lengths--) {
		const struct recipe_length *l = &p->lengths[p->n_lengths - 1];
		const uint16_t length = rte_cpu_to_be_16((uint16_t)(bytes - l->from));

		memcpy(p->template + l->offset, &length, sizeof(length));
	}
}

/*
 * Adds up the bytes that are the same in all frames, and zeroes the fields that fill whole bytes in
 * the template, as recipe_write_field() expects.
 */
static void compute_constants(struct recipe *p, uint32_t bytes)
{
	for (struct recipe_field *f = p->fields; f < p->fields + p->n_fields; f++) {
		f->cover = find_cover(p, f->offset);
		if (f->access != RECIPE_BITS)
			memset(p->template + f->offset, 0, f->bytes);
	}
	for (struct recipe_length *l = p->lengths; l < p->lengths + p->n_lengths; l++)
		l->cover = find_cover(p, l->offset);
	if (bytes)
		fix_lengths(p, bytes);
	for (struct recipe_sum *s = p->sums; s < p->sums + p->n_sums; s++) {
		const uint32_t end = s->end ? s->end : p->bytes;

		s->cover = find_cover(p, s->offset);
		s->is_special = s->is_bad || s->has_zero || s->is_partial;
		s->is_odd = !s->end && (p->bytes - s->start) % 2;
		s->constant = recipe_sum_words(p->template + s->start, end - s->start) +
			      recipe_sum_words(p->template + s->addresses, s->address_bytes) +
			      rte_cpu_to_be_16(s->protocol);
	}
}

uint32_t recipe_compute_bytes(const struct stack *s)
{
	struct place places[STACK_MAX_HEADERS];

	return place_headers(s, places);
}

void recipe_init(struct recipe *p, const struct stack *s, uint32_t bytes, bool by_port)
{
	struct place places[STACK_MAX_HEADERS];

	/* The arrays are large, and only their used elements are read. */
	memset(p, 0, offsetof(struct recipe, fields));
	p->bytes = place_headers(s, places);
	p->by_port = by_port;
	/* Inner headers come first, because the checksums of a tunnel cover the checksums in it. */
	for (unsigned i = s->n_headers; i--;)
		add_header(p, s, places, i);
	compute_constants(p, bytes);
}

struct recipe *recipe_make(const struct stack *s, uint32_t bytes, bool by_port)
{
	struct recipe whole, *p;
	size_t n;

	recipe_init(&whole, s, bytes, by_port);
	n = offsetof(struct recipe, fields) + whole.n_fields * sizeof(whole.fields[0]);
	p = malloc(n);
	if (p)
		memcpy(p, &whole, n);
	return p;
}
