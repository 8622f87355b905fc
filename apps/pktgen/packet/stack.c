/* SPDX-License-Identifier: BSD-3-Clause */
#include "packet/stack.h"

#include <stdlib.h>
#include <string.h>

#include "cli/reason.h"
#include "cli/units.h"

static unsigned count_bytes(const struct stack *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->n_headers; i++)
		n += s->headers[i].kind->bytes + s->headers[i].n_more;
	return n;
}

static const char *refuse_memory(struct stack *s)
{
	s->lacks_memory = true;
	return "no memory for the headers; free some memory";
}

const char *stack_add_header(struct stack *s, const struct header_kind *kind)
{
	struct stack_header *grown;
	const struct header_kind *before = s->n_headers ? s->headers[s->n_headers - 1].kind : NULL;

	if (s->n_headers == STACK_MAX_HEADERS)
		return reason_format("%s: too many headers (valid: at most %d)", kind->name,
				     STACK_MAX_HEADERS);
	if (count_bytes(s) + kind->bytes > STACK_MAX_BYTES)
		return reason_format("%s: the headers are too long (valid: at most %d bytes)",
				     kind->name, STACK_MAX_BYTES);
	if (!before && !header_is(kind, HEADER_ETHERNET) && kind != &header_custom)
		return reason_format("%s: cannot be the first header (valid: ethernet, custom)",
				     kind->name);
	if (before && !header_may_follow(kind, before))
		return reason_format("%s: cannot follow %s (valid: after %s)", kind->name,
				     before->name, kind->under);
	grown = realloc(s->headers, (s->n_headers + 1) * sizeof(*grown));
	if (!grown)
		return refuse_memory(s);
	s->headers = grown;
	s->headers[s->n_headers++] = (struct stack_header){ .kind = kind };
	return NULL;
}

/* Adds an entry for a field. Returns NULL, or the reason of a refusal. */
static const char *add_field(struct stack *s)
{
	struct stack_field *grown;

	if (s->n_fields == STACK_MAX_FIELDS)
		return reason_format("too many fields (valid: at most %d)", STACK_MAX_FIELDS);
	grown = realloc(s->fields, (s->n_fields + 1) * sizeof(*grown));
	if (!grown)
		return refuse_memory(s);
	s->fields = grown;
	s->fields[s->n_fields++] = (struct stack_field){ 0 };
	return NULL;
}

/* Finds an empty entry for a field: the one that it has, or a new one. Returns as add_field(). */
static const char *find_entry(struct stack *s, unsigned header, const struct header_field *field,
			      struct stack_field **entry)
{
	unsigned i = 0;

	while (i < s->n_fields && (s->fields[i].header != header || s->fields[i].field != field))
		i++;
	if (i == s->n_fields) {
		const char *why = add_field(s);

		if (why)
			return why;
	}
	*entry = &s->fields[i];
	pattern_free(&s->fields[i].values);
	s->fields[i] = (struct stack_field){ .header = header, .field = field };
	return NULL;
}

const char *stack_set_field(struct stack *s, unsigned header, const struct header_field *field,
			    const struct pattern *values)
{
	struct stack_field *f;
	const char *why = find_entry(s, header, field, &f);

	if (why)
		return why;
	if (header_is_flag(field) && values->kind != PATTERN_VALUE)
		return reason_format("%s: several values (valid: 0 or 1, in all frames)",
				     field->name);
	f->values = pattern_copy(values);
	return NULL;
}

const char *stack_set_bad(struct stack *s, unsigned header, const struct header_field *field)
{
	struct stack_field *f;
	const char *why;

	if (field->autos < AUTO_SUM_HEADER)
		return reason_format("%s=bad: not a checksum (valid: a number)", field->name);
	why = find_entry(s, header, field, &f);
	if (!why)
		f->is_bad = true;
	return why;
}

const char *stack_set_bytes(struct stack *s, unsigned header, const uint8_t *bytes, unsigned n)
{
	struct stack_header *h = &s->headers[header];
	const bool is_custom = h->kind == &header_custom;
	const unsigned most = is_custom ? HEADER_MAX_CUSTOM : HEADER_MAX_OPTIONS;

	if (n > most || (!is_custom && n % 4))
		return reason_format("%s: %u byte%s (valid: %s %u)",
				     is_custom ? "bytes" : "options", n, units_get_plural(n),
				     is_custom ? "at most" : "a multiple of 4, at most", most);
	if (count_bytes(s) - h->n_more + n > STACK_MAX_BYTES)
		return reason_format("the headers are too long (valid: at most %d bytes)",
				     STACK_MAX_BYTES);
	memcpy(h->more, bytes, n);
	h->n_more = (uint16_t)n;
	return NULL;
}

const struct stack_field *stack_find_field(const struct stack *s, unsigned header,
					   const struct header_field *field)
{
	for (unsigned n = 0; n < s->n_fields; n++) {
		const struct stack_field *f = &s->fields[n];

		if (f->header == header && f->field == field)
			return f;
	}
	return NULL;
}

const char *stack_check(const struct stack *s)
{
	const struct header_kind *last;

	if (!s->n_headers)
		return "no header (valid: for example ethernet/ipv4/udp)";
	for (unsigned n = 0; n < s->n_headers; n++) {
		const struct stack_header *h = &s->headers[n];

		if (h->kind == &header_custom && !h->n_more)
			return "custom: no bytes (valid: for example custom(bytes=00ff))";
	}
	last = s->headers[s->n_headers - 1].kind;
	if (header_is(last, HEADER_VXLAN) || header_is(last, HEADER_NVGRE))
		return reason_format("%s: no header in the tunnel; add /ethernet", last->name);
	return NULL;
}

void stack_set_macs(struct stack *s, const uint8_t src[6], const uint8_t dst[6])
{
	for (unsigned i = 0; i < s->n_headers; i++) {
		const struct header_kind *kind = s->headers[i].kind;

		for (unsigned f = 0; f < kind->n_fields; f++) {
			const struct header_field *field = &kind->fields[f];
			const uint8_t *mac = field->autos == AUTO_SRC_MAC ? src : dst;
			struct pattern value = pattern_make_value(0);

			if ((field->autos != AUTO_SRC_MAC && field->autos != AUTO_DST_MAC) ||
			    stack_find_field(s, i, field))
				continue;
			for (unsigned b = 0; b < 6; b++)
				value.start = value.start << 8 | mac[b];
			stack_set_field(s, i, field, &value);
		}
	}
}

bool stack_find_ip(const struct stack *s, struct stack_ip *ip)
{
	*ip = (struct stack_ip){ 0 };
	for (unsigned i = 0; i < s->n_headers; i++) {
		const struct header_kind *kind = s->headers[i].kind;

		ip->header = i;
		ip->is_v6 = header_is(kind, HEADER_IPV6);
		if (header_is_ip(kind))
			return true;
		if (!header_is(kind, i ? HEADER_VLAN : HEADER_ETHERNET))
			return false;
		ip->offset += kind->bytes;
	}
	return false;
}

static void set_address(struct stack *s, const struct stack_ip *ip, const char *name,
			const uint8_t *bytes)
{
	const struct header_kind *kind = s->headers[ip->header].kind;
	const struct header_field *field = header_find_field(kind, name, strlen(name));
	struct pattern value = pattern_make_value(0);

	if (!bytes || stack_find_field(s, ip->header, field))
		return;
	for (unsigned i = 0; i < field->bits / 8u; i++)
		value.start = value.start << 8 | bytes[i];
	stack_set_field(s, ip->header, field, &value);
}

void stack_set_ips(struct stack *s, const struct stack_ip *ip, const uint8_t *src,
		   const uint8_t *dst)
{
	set_address(s, ip, "src", src);
	set_address(s, ip, "dst", dst);
}

/* Returns what the user set for a field, or its default. */
static struct stack_field get_setting(const struct stack *s, unsigned header,
				      const struct header_field *field)
{
	const struct stack_field *set = stack_find_field(s, header, field);

	if (set)
		return *set;
	return (struct stack_field){ .header = header,
				     .field = field,
				     .values = pattern_make_value(field->value) };
}

/* Exchanges two fields of a header, if it has both. */
static void exchange_fields(struct stack *s, unsigned header, const char *a, const char *b)
{
	const struct header_kind *kind = s->headers[header].kind;
	const struct header_field *first = header_find_field(kind, a, strlen(a));
	const struct header_field *second = header_find_field(kind, b, strlen(b));
	struct stack_field x, y;

	if (!first || !second)
		return;
	x = get_setting(s, header, first);
	y = get_setting(s, header, second);
	x.values = pattern_copy(&x.values);
	y.values = pattern_copy(&y.values);
	stack_set_field(s, header, first, &y.values);
	stack_set_field(s, header, second, &x.values);
	pattern_free(&x.values);
	pattern_free(&y.values);
}

/* Exchanges the MAC addresses of a header. Those that the user did not set stay automatic. */
static void exchange_macs(struct stack *s, unsigned header)
{
	const struct header_kind *kind = s->headers[header].kind;
	const struct header_field *dst = &kind->fields[0], *src = &kind->fields[1];

	for (unsigned n = 0; n < s->n_fields; n++) {
		struct stack_field *f = &s->fields[n];

		if (f->header == header && (f->field == dst || f->field == src))
			f->field = f->field == dst ? src : dst;
	}
}

void stack_reverse(struct stack *s)
{
	for (unsigned i = 0; i < s->n_headers; i++) {
		const struct header_kind *next =
			i + 1 < s->n_headers ? s->headers[i + 1].kind : NULL;

		if (header_is(s->headers[i].kind, HEADER_ETHERNET))
			exchange_macs(s, i);
		else
			exchange_fields(s, i, "src", "dst");
		/* The UDP destination port of a tunnel identifies its protocol. */
		if (!next || !next->udp_port)
			exchange_fields(s, i, "src_port", "dst_port");
	}
}

void stack_copy(struct stack *to, const struct stack *from)
{
	*to = (struct stack){ .headers = calloc(from->n_headers + 1, sizeof(*to->headers)),
			      .fields = calloc(from->n_fields + 1, sizeof(*to->fields)),
			      .lacks_memory = from->lacks_memory };
	if (!to->headers || !to->fields) {
		refuse_memory(to);
		return;
	}
	for (; to->n_headers < from->n_headers; to->n_headers++)
		to->headers[to->n_headers] = from->headers[to->n_headers];
	for (; to->n_fields < from->n_fields; to->n_fields++) {
		to->fields[to->n_fields] = from->fields[to->n_fields];
		to->fields[to->n_fields].values = pattern_copy(&from->fields[to->n_fields].values);
	}
}

void stack_free(struct stack *s)
{
	for (unsigned i = 0; i < s->n_fields; i++)
		pattern_free(&s->fields[i].values);
	free(s->headers);
	free(s->fields);
	*s = (struct stack){ 0 };
}
