/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "cli/reason.h"
#include "packet/line.h"
#include "packet/stack.h"

static int get_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 'a' - 'A';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

const char *stack_set_hex(struct stack *s, unsigned header, const char *text)
{
	uint8_t bytes[HEADER_MAX_CUSTOM + 1];
	unsigned n = 0;

	if (!strncmp(text, "0x", 2))
		text += 2;
	for (; text[0]; text += 2) {
		const int high = get_digit(text[0]), low = high < 0 ? -1 : get_digit(text[1]);

		if (low < 0)
			return reason_format("%.8s: must be hexadecimal digits, two for each byte",
					     text);
		if (n < sizeof(bytes))
			bytes[n++] = (uint8_t)(high << 4 | low);
	}
	return stack_set_bytes(s, header, bytes, n);
}

static const char *read_values(struct stack *s, unsigned header, const struct header_field *field,
			       char *text)
{
	struct pattern values;
	const char *why;

	if (!strcmp(text, "bad"))
		return stack_set_bad(s, header, field);
	for (char *c = text; *c; c++)
		*c = *c == ';' ? ',' : *c;
	why = pattern_parse(&values, text, field->format, field->bits);
	if (why)
		return reason_format("%s=%s: %s", field->name, text, why);
	why = stack_set_field(s, header, field, &values);
	pattern_free(&values);
	return why;
}

/* Refuses the name of a field, and suggests another one or lists all. */
static const char *refuse_name(const struct header_kind *kind, const char *name, size_t n)
{
	const char *best = header_suggest_field(kind, name, n);
	char list[HEADER_LIST_BYTES];

	if (best)
		return reason_format("%s: no field %.*s; did you mean %s?", kind->name, (int)n,
				     name, best);
	header_list_fields(kind, kind == &header_custom ? "bytes" : "options", list);
	return reason_format("%s: no field %.*s (valid: %s)", kind->name, (int)n, name, list);
}

/* Refuses the name of a header, and suggests another one or lists all. */
static const char *refuse_header(const char *name, size_t n)
{
	const char *best = header_suggest(name, n);
	char list[HEADER_LIST_BYTES];

	if (best)
		return reason_format("%.*s: unknown header; did you mean %s?", (int)n, name, best);
	return reason_format("%.*s: unknown header (valid: %s)", (int)n, name, header_list(list));
}

static const char *read_field(struct stack *s, unsigned header, char *text)
{
	const struct header_kind *kind = s->headers[header].kind;
	const size_t n = strcspn(text, "=");
	const struct header_field *field = header_find_field(kind, text, n);
	const char *more = kind == &header_custom ? "bytes" : "options";

	if (!text[n])
		return reason_format("%s: no value for %s (valid: FIELD=VALUE)", kind->name, text);
	if (field)
		return read_values(s, header, field, text + n + 1);
	if (kind->has_options && n == strlen(more) && !memcmp(text, more, n))
		return stack_set_hex(s, header, text + n + 1);
	return refuse_name(kind, text, n);
}

/* Reads "FIELD=VALUE,FIELD=VALUE)" at *@at, and moves *@at past it. */
static const char *read_fields(struct stack *s, unsigned header, const char **at)
{
	do {
		const size_t n = strcspn(*at, ",)");
		const char *why;
		char *text;

		if (!(*at)[n])
			return reason_format("%s: no ) after its fields",
					     s->headers[header].kind->name);
		text = strndup(*at, n);
		why = text ? read_field(s, header, text) : "no memory for the text";
		free(text);
		if (why)
			return why;
		*at += n + 1;
	} while ((*at)[-1] == ',');
	return NULL;
}

static const char *read_header(struct stack *s, const char **at)
{
	const size_t n = strcspn(*at, "/(");
	const struct header_kind *kind = header_find(*at, n);
	const char *why;

	if (!n)
		return reason_format("no header name at \"%.16s\" (valid: for example "
				     "ethernet/ipv4/udp)",
				     *at);
	if (!kind)
		return refuse_header(*at, n);
	why = stack_add_header(s, kind);
	if (why)
		return why;
	*at += n;
	if (**at != '(')
		return NULL;
	++*at;
	return read_fields(s, s->n_headers - 1, at);
}

const char *stack_parse(struct stack *s, const char *text)
{
	const char *why;

	*s = (struct stack){ 0 };
	for (;; text++) {
		why = read_header(s, &text);
		if (why)
			return why;
		if (!*text)
			return stack_check(s);
		if (*text != '/')
			return reason_format("%.16s: must be / and a header, or the end", text);
	}
}

static void add_bytes(struct line *l, const struct stack_header *h, const char *separator)
{
	if (!h->n_more)
		return;
	line_add_text(l, "%s%s=", separator, h->kind == &header_custom ? "bytes" : "options");
	for (unsigned i = 0; i < h->n_more; i++)
		line_add_text(l, "%02x", h->more[i]);
}

static void add_fields(struct line *l, const struct stack *s, unsigned header)
{
	const char *separator = "(";

	for (unsigned n = 0; n < s->n_fields; n++) {
		const struct stack_field *f = &s->fields[n];
		char values[PATTERN_TEXT_BYTES];

		if (f->header != header)
			continue;
		pattern_format(&f->values, f->field->format, values, sizeof(values));
		for (char *c = values; *c; c++)
			*c = *c == ',' ? ';' : *c;
		line_add_text(l, "%s%s=%s", separator, f->field->name, f->is_bad ? "bad" : values);
		separator = ",";
	}
	add_bytes(l, &s->headers[header], separator);
	if (*separator == ',' || s->headers[header].n_more)
		line_add_text(l, ")");
}

void stack_format(const struct stack *s, char *text, size_t bytes)
{
	struct line l = { .text = text, .bytes = bytes };

	*text = '\0';
	for (unsigned i = 0; i < s->n_headers; i++) {
		line_add_text(&l, "%s%s", i ? "/" : "", s->headers[i].kind->name);
		add_fields(&l, s, i);
	}
}
