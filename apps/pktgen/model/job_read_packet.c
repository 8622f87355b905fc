/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "model/job_field.h"
#include "model/job_json.h"

static bool read_hex(struct json_reader *r, json_t *value, struct field_reading *reading)
{
	const char *text, *why;

	if (!json_get_text(r, value, &text))
		return false;
	why = stack_set_hex(reading->stack, reading->header, text);
	return !why || json_note_refusal(r, "%s", why);
}

/* Is @key an object of OTG that contains fields of the header? */
static bool has_inner_fields(const char *header, const char *key)
{
	static const struct {
		const char *header, *key;
	} inner[] = { { "icmp", "echo" }, { "icmpv6", "echo" }, { "ipv4", "priority" } };

	for (unsigned i = 0; i < sizeof(inner) / sizeof(inner[0]); i++) {
		if (!strcmp(inner[i].header, header) && !strcmp(inner[i].key, key))
			return true;
	}
	return false;
}

/* Finds a field by its name in OTG. */
static const struct header_field *find_field(const struct header_kind *kind, const char *key)
{
	static const struct {
		const char *otg, *name;
	} names[] = { { "squence_number", "sequence_number" },
		      { "raw", "priority" },
		      { "phb", "dscp" } };

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(names[i].otg, key))
			key = names[i].name;
	}
	return header_find_field(kind, key, strlen(key));
}

static bool read_header_fields(struct json_reader *r, json_t *value, struct field_reading *reading);

static bool read_header_key(struct json_reader *r, const char *key, json_t *value,
			    struct field_reading *reading)
{
	const struct header_kind *kind = reading->stack->headers[reading->header].kind;
	const char *bytes = kind == &header_custom ? "bytes" : "devx_options";

	if (has_inner_fields(kind->name, key) && json_is_object(value) &&
	    (strcmp(key, "priority") != 0 || !json_object_get(value, "value")))
		return read_header_fields(r, value, reading);
	if (!strcmp(key, "dscp") && json_is_object(value) && json_object_get(value, "phb"))
		return read_header_fields(r, value, reading);
	if (kind->has_options && !strcmp(key, bytes))
		return read_hex(r, value, reading);
	if (!strcmp(key, "options") || !strcmp(key, "extension_headers") ||
	    !strcmp(key, "pfc_queue") || !strcmp(key, "tos"))
		return json_note_refusal(r, "this feature of OTG is not supported");
	reading->field = find_field(kind, key);
	if (!reading->field) {
		const char *best = header_suggest_field(kind, key, strlen(key));

		return json_note_refusal(r, "unknown field; did you mean %s?", best ? best : bytes);
	}
	return job_read_field(r, value, reading);
}

static bool read_header_fields(struct json_reader *r, json_t *value, struct field_reading *reading)
{
	const char *key;
	json_t *child;

	if (!json_is_object(value))
		return json_note_refusal(r, "must be an object");
	json_object_foreach(value, key, child)
	{
		const size_t before = json_enter(r, key);

		if (strcmp(key, "choice") != 0 && !read_header_key(r, key, child, reading))
			return false;
		json_leave(r, before);
	}
	return true;
}

static const struct header_kind *find_header(struct json_reader *r, const char *name)
{
	static const char *const others[] = { "pfcpause", "ethernetpause", "gtpv2", "ppp",
					      "igmpv1",   "snmpv2c",       "rsvp" };
	const struct header_kind *kind = header_find(name, strlen(name));

	for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]) && !kind; i++) {
		if (!strcmp(others[i], name)) {
			json_note_refusal(r, "%s: this header of OTG is not supported", name);
			return NULL;
		}
	}
	if (!kind)
		json_note_refusal(r, "%s: unknown header; did you mean %s?", name,
				  header_suggest(name, strlen(name)));
	return kind;
}

static bool read_header(struct json_reader *r, json_t *value, void *target)
{
	struct field_reading reading = { .stack = target };
	const struct header_kind *kind;
	const char *name = "ethernet", *key, *why;
	json_t *choice = json_object_get(value, "choice"), *child;
	size_t before;

	if (!json_is_object(value))
		return json_note_refusal(r, "must be an object");
	if (choice && !json_get_text(r, choice, &name))
		return false;
	kind = find_header(r, name);
	if (!kind)
		return false;
	why = stack_add_header(reading.stack, kind);
	if (why)
		return json_note_refusal(r, "%s", why);
	reading.header = reading.stack->n_headers - 1;
	json_object_foreach(value, key, child)
	{
		if (!strcmp(key, "choice"))
			continue;
		before = json_enter(r, key);
		if (strcmp(key, name) != 0)
			return json_note_refusal(r,
						 "the choice is %s; remove this key, or choose "
						 "it",
						 name);
		if (!read_header_fields(r, child, &reading))
			return false;
		json_leave(r, before);
	}
	return true;
}

bool job_read_packet(struct json_reader *r, json_t *value, void *flow)
{
	struct job_flow *f = flow;
	const char *why;

	if (!json_read_array(r, value, STACK_MAX_HEADERS, read_header, &f->stack))
		return false;
	why = stack_check(&f->stack);
	return !why || json_note_refusal(r, "%s", why);
}
