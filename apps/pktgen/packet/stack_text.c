/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "packet/line.h"
#include "packet/stack.h"

enum { REASON_BYTES = 512 };

/* The text that is read. @reason: the reason of a refusal, if any. */
struct reader {
	const char *at;
	struct stack *stack;
	char *reason;
};

static char *get_reason(void)
{
	static _Thread_local char reason[REASON_BYTES];

	return reason;
}

/* Notes the reason of a refusal. Returns false. */
static bool note_refusal(struct reader *r, const char *format, ...)
{
	char text[REASON_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	memcpy(r->reason, text, sizeof(text));
	return false;
}

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

		if (low < 0) {
			snprintf(get_reason(), REASON_BYTES,
				 "%.8s: must be hexadecimal digits, two for each byte", text);
			return get_reason();
		}
		if (n < sizeof(bytes))
			bytes[n++] = (uint8_t)(high << 4 | low);
	}
	return stack_set_bytes(s, header, bytes, n);
}

static bool read_bytes(struct reader *r, unsigned header, const char *text)
{
	const char *why = stack_set_hex(r->stack, header, text);

	return why ? note_refusal(r, "%s", why) : true;
}

/* Sets a field to the values that @text describes. */
static bool read_values(struct reader *r, unsigned header, const struct header_field *field,
			char *text)
{
	struct pattern values;
	const char *why;

	if (!strcmp(text, "bad")) {
		why = stack_set_bad(r->stack, header, field);
		return why ? note_refusal(r, "%s", why) : true;
	}
	for (char *c = text; *c; c++)
		*c = *c == ';' ? ',' : *c;
	why = pattern_parse(&values, text, field->format, field->bits);
	if (why)
		return note_refusal(r, "%s=%s: %s", field->name, text, why);
	why = stack_set_field(r->stack, header, field, &values);
	pattern_free(&values);
	return why ? note_refusal(r, "%s", why) : true;
}

/* Refuses the name of a field: suggests one, or lists all. */
static bool refuse_name(struct reader *r, const struct header_kind *kind, const char *name,
			size_t n)
{
	const char *best = header_suggest_field(kind, name, n);
	char list[REASON_BYTES] = "";
	size_t at = 0;

	if (best)
		return note_refusal(r, "%s: no field %.*s; did you mean %s?", kind->name, (int)n,
				    name, best);
	for (unsigned i = 0; i < kind->n_fields && at < sizeof(list); i++)
		at += (size_t)snprintf(list + at, sizeof(list) - at, "%s%s", i ? ", " : "",
				       kind->fields[i].name);
	if (kind->has_options && at < sizeof(list))
		snprintf(list + at, sizeof(list) - at, "%s", at ? ", options" : "bytes");
	return note_refusal(r, "%s: no field %.*s (valid: %s)", kind->name, (int)n, name, list);
}

static bool read_field(struct reader *r, unsigned header, char *text)
{
	const struct header_kind *kind = r->stack->headers[header].kind;
	const size_t n = strcspn(text, "=");
	const struct header_field *field = header_find_field(kind, text, n);
	const char *more = kind == &header_custom ? "bytes" : "options";

	if (!text[n])
		return note_refusal(r, "%s: no value for %s (valid: FIELD=VALUE)", kind->name,
				    text);
	if (field)
		return read_values(r, header, field, text + n + 1);
	if (kind->has_options && n == strlen(more) && !memcmp(text, more, n))
		return read_bytes(r, header, text + n + 1);
	return refuse_name(r, kind, text, n);
}

/* Reads "FIELD=VALUE,FIELD=VALUE)". */
static bool read_fields(struct reader *r, unsigned header)
{
	do {
		const size_t n = strcspn(r->at, ",)");
		char *text;
		bool ok;

		if (!r->at[n])
			return note_refusal(r, "%s: no ) behind its fields",
					    r->stack->headers[header].kind->name);
		text = strndup(r->at, n);
		ok = text ? read_field(r, header, text) : note_refusal(r, "no memory for the text");
		free(text);
		if (!ok)
			return false;
		r->at += n + 1;
	} while (r->at[-1] == ',');
	return true;
}

static bool read_header(struct reader *r)
{
	const size_t n = strcspn(r->at, "/(");
	const struct header_kind *kind = header_find(r->at, n);
	const char *why;

	if (!n)
		return note_refusal(r,
				    "no name of a header at \"%.16s\" (valid: for example "
				    "ethernet/ipv4/udp)",
				    r->at);
	if (!kind)
		return note_refusal(r, "%.*s: unknown header; did you mean %s?", (int)n, r->at,
				    header_suggest(r->at, n));
	why = stack_add_header(r->stack, kind);
	if (why)
		return note_refusal(r, "%s", why);
	r->at += n;
	if (*r->at != '(')
		return true;
	r->at++;
	return read_fields(r, r->stack->n_headers - 1);
}

const char *stack_parse(struct stack *s, const char *text)
{
	struct reader r = { .at = text, .stack = s, .reason = get_reason() };

	*s = (struct stack){ 0 };
	while (read_header(&r)) {
		if (!*r.at)
			return stack_check(s);
		if (*r.at != '/') {
			note_refusal(&r, "%.16s: must be / and a header, or the end", r.at);
			break;
		}
		r.at++;
	}
	return r.reason;
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

	for (const struct stack_field *f = s->fields; f < s->fields + s->n_fields; f++) {
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
