/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include "model/job_field_nodes.h"
#include "model/job_nodes.h"

static bool read_hex(struct json_reader *r, json_t *value, struct field_place *p)
{
	const char *text;

	return json_get_text(r, value, &text) &&
	       json_note_reason(r, stack_set_hex(p->stack, p->header, text));
}

/* Keys whose value OTG makes an object with fields of the header. */
static const struct {
	const char *header, *key;
} inner[] = { { "icmp", "echo" }, { "icmpv6", "echo" }, { "ipv4", "priority" } };

/* Returns whether @value is such an object. */
static bool has_inner_fields(const struct header_kind *kind, const char *key, const json_t *value)
{
	if (!strcmp(key, "dscp"))
		return json_object_get(value, "phb");
	for (unsigned i = 0; i < sizeof(inner) / sizeof(inner[0]); i++) {
		if (!strcmp(inner[i].header, kind->name) && !strcmp(inner[i].key, key))
			return json_is_object(value) &&
			       (strcmp(key, "priority") != 0 || !json_object_get(value, "value"));
	}
	return false;
}

/* Returns the key of the options that follow a header, or of the bytes of "custom". */
static const char *get_bytes_key(const struct header_kind *kind)
{
	return kind == &header_custom ? "bytes" : "devx_options";
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

static bool read_fields(struct json_reader *r, json_t *value, struct field_place *p);

static bool read_header_key(struct json_reader *r, const char *key, json_t *value,
			    struct field_place *p)
{
	const struct header_kind *kind = p->stack->headers[p->header].kind;
	const char *bytes = get_bytes_key(kind), *best;
	char list[HEADER_LIST_BYTES];

	if (has_inner_fields(kind, key, value))
		return read_fields(r, value, p);
	if (kind->has_options && !strcmp(key, bytes))
		return read_hex(r, value, p);
	if (!strcmp(key, "options") || !strcmp(key, "extension_headers") ||
	    !strcmp(key, "pfc_queue") || !strcmp(key, "tos"))
		return json_note_refusal(r, "this feature of OTG is not supported");
	p->field = find_field(kind, key);
	if (p->field)
		return job_read_field(r, value, p);
	best = header_suggest_field(kind, key, strlen(key));
	return best ? json_note_refusal(r, "unknown field; did you mean %s?", best)
		    : json_note_refusal(r, "unknown field (valid: %s)",
					header_list_fields(kind, bytes, list));
}

static bool read_fields(struct json_reader *r, json_t *value, struct field_place *p)
{
	const char *key;
	json_t *child;

	if (!json_is_object(value))
		return json_note_refusal(r, "must be an object");
	json_object_foreach(value, key, child)
	{
		const size_t before = json_enter(r, key);

		if (strcmp(key, "choice") != 0 && !read_header_key(r, key, child, p))
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
	char list[HEADER_LIST_BYTES];
	const char *best;

	for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]) && !kind; i++) {
		if (!strcmp(others[i], name)) {
			json_note_refusal(r, "%s: this header of OTG is not supported", name);
			return NULL;
		}
	}
	best = kind ? NULL : header_suggest(name, strlen(name));
	if (best)
		json_note_refusal(r, "%s: unknown header; did you mean %s?", name, best);
	else if (!kind)
		json_note_refusal(r, "%s: unknown header (valid: %s)", name, header_list(list));
	return kind;
}

static bool read_header(struct json_reader *r, json_t *value, struct json_at at)
{
	struct field_place p = { .stack = at.place };
	const struct header_kind *kind;
	const char *name = "ethernet", *key;
	json_t *choice = json_object_get(value, "choice"), *child;

	if (!json_is_object(value))
		return json_note_refusal(r, "must be an object");
	if (choice && !json_get_text(r, choice, &name))
		return false;
	kind = find_header(r, name);
	if (!kind)
		return false;
	if (!json_note_reason(r, stack_add_header(p.stack, kind)))
		return false;
	p.header = p.stack->n_headers - 1;
	json_object_foreach(value, key, child)
	{
		const size_t before = json_enter(r, key);

		if (strcmp(key, "choice") && strcmp(key, name))
			return json_note_refusal(
				r, "the choice is %s; remove this key, or choose it", name);
		if (strcmp(key, "choice") && !read_fields(r, child, &p))
			return false;
		json_leave(r, before);
	}
	return true;
}

static json_t *make_object_schema(json_t *properties)
{
	return json_pack("{s:s, s:o, s:b}", "type", "object", "properties", properties,
			 "additionalProperties", 0);
}

static json_t *make_fields_schema(const struct header_kind *kind)
{
	json_t *fields = json_pack("{s:{s:s}}", "choice", "type", "string");

	for (unsigned i = 0; i < kind->n_fields; i++)
		json_object_set_new(fields, kind->fields[i].name,
				    job_make_field_schema(&kind->fields[i]));
	return fields;
}

/* Makes the schema of the priority of IPv4: a pattern, or an object with "raw" or "dscp". */
static json_t *make_priority_schema(const struct header_kind *ipv4)
{
	json_t *schemas = job_make_pattern_schemas();
	json_t *keys =
		json_incref(json_object_get(json_object_get(schemas, "pattern"), "properties"));
	json_t *dscp = json_pack("{s:{s:s}}", "choice", "type", "string");

	json_object_set_new(keys, "choice", json_pack("{s:s}", "type", "string"));
	json_object_set_new(keys, "raw", job_make_field_schema(find_field(ipv4, "raw")));
	json_object_set_new(dscp, "phb", job_make_field_schema(find_field(ipv4, "phb")));
	json_object_set_new(dscp, "ecn", job_make_field_schema(find_field(ipv4, "ecn")));
	json_object_set_new(keys, "dscp", make_object_schema(dscp));
	json_decref(schemas);
	return make_object_schema(keys);
}

static json_t *make_header_schema(const struct header_kind *kind)
{
	json_t *fields = make_fields_schema(kind);

	for (unsigned i = 0; i < sizeof(inner) / sizeof(inner[0]); i++) {
		if (!strcmp(inner[i].header, kind->name))
			json_object_set_new(fields, inner[i].key,
					    strcmp(inner[i].key, "priority") != 0
						    ? make_object_schema(make_fields_schema(kind))
						    : make_priority_schema(kind));
	}
	if (!strcmp(kind->name, "gtpv1")) /* OTG spells it like this */
		json_object_set_new(fields, "squence_number",
				    job_make_field_schema(find_field(kind, "squence_number")));
	if (kind->has_options)
		json_object_set_new(fields, get_bytes_key(kind),
				    json_pack("{s:s, s:s}", "type", "string", "description",
					      "hexadecimal digits, two for each byte"));
	return make_object_schema(fields);
}

static json_t *make_packet_schema(void)
{
	json_t *names = json_array(), *headers = json_object();

	json_object_set_new(headers, "choice", json_pack("{s:O}", "enum", names));
	for (const struct header_kind *kind = header_kinds; kind->name; kind++) {
		json_array_append_new(names, json_string(kind->name));
		json_object_set_new(headers, kind->name, make_header_schema(kind));
	}
	json_array_append_new(names, json_string(header_custom.name));
	json_object_set_new(headers, header_custom.name, make_header_schema(&header_custom));
	json_decref(names);
	return make_object_schema(headers);
}

const struct json_node job_header_node[1] = {
	{ .kind = NODE_OBJECT, .read = read_header, .schema = make_packet_schema }
};

bool job_read_packet(struct json_reader *r, json_t *value, struct json_at at)
{
	return json_read_kind(r, value, at.node, at.place) &&
	       json_note_reason(r, stack_check(at.place));
}

static void add_bytes(json_t *fields, const struct stack_header *h)
{
	char text[2 * HEADER_MAX_CUSTOM + 1];

	for (unsigned i = 0; i < h->n_more; i++)
		snprintf(text + 2 * (size_t)i, 3, "%02x", h->more[i]);
	if (h->n_more)
		json_object_set_new(fields, get_bytes_key(h->kind), json_string(text));
}

static json_t *write_header(const struct stack *s, unsigned header)
{
	const struct stack_header *h = &s->headers[header];
	json_t *fields = json_object();

	for (unsigned n = 0; n < s->n_fields; n++) {
		const struct stack_field *f = &s->fields[n];

		if (f->header == header)
			json_object_set_new(fields, f->field->name, job_write_field(f));
	}
	add_bytes(fields, h);
	if (!strcmp(h->kind->name, "icmp") || !strcmp(h->kind->name, "icmpv6"))
		fields = json_write_choice("echo", fields);
	return json_write_choice(h->kind->name, fields);
}

static json_t *write_stack(const struct stack *s)
{
	json_t *packet = json_array();

	for (unsigned i = 0; i < s->n_headers; i++)
		json_array_append_new(packet, write_header(s, i));
	return packet;
}

json_t *job_write_packet(struct json_from from)
{
	const struct stack *s = from.place;

	return container_of(s, const struct job_flow, stack)->capture ? NULL : write_stack(s);
}

/* ---- headers of arriving frames --------------------------------------------------- */

/* Refuses what cannot be compared with the headers of an arriving frame. */
static bool check_egress(struct json_reader *r, const struct stack *s)
{
	for (unsigned n = 0; n < s->n_headers; n++) {
		const struct stack_header *h = &s->headers[n];

		if (h->kind == &header_custom)
			return json_note_refusal(r, "custom: arriving frames are read by the "
						    "numbers of their protocols, and custom has "
						    "none (valid: other headers)");
		if (!strcmp(h->kind->name, "nvgre"))
			return json_note_refusal(r, "nvgre: arriving frames have it as gre with a "
						    "key, which is vsid and flow_id; write gre");
		if (h->n_more)
			return json_note_refusal(r, "%s: options are not compared; leave out %s",
						 h->kind->name, get_bytes_key(h->kind));
	}
	for (unsigned n = 0; n < s->n_fields; n++) {
		const struct stack_field *f = &s->fields[n];
		const char *header = s->headers[f->header].kind->name;

		if (f->is_bad)
			return json_note_refusal(r,
						 "%s.%s: a wrong checksum counts as corrupted; "
						 "leave it out",
						 header, f->field->name);
		if (f->values.kind != PATTERN_VALUE)
			return json_note_refusal(r,
						 "%s.%s: has several values (valid: one value); "
						 "leave it out for any value",
						 header, f->field->name);
	}
	return true;
}

bool job_read_egress(struct json_reader *r, json_t *value, struct json_at at)
{
	struct stack **egress = at.place;

	if (json_is_array(value) && !json_array_size(value))
		return true;
	*egress = calloc(1, sizeof(**egress));
	if (!*egress)
		return json_note_refusal(r, "no memory for it");
	return json_read_kind(r, value, at.node, *egress) &&
	       json_note_reason(r, stack_check(*egress)) && check_egress(r, *egress);
}

json_t *job_write_egress(struct json_from from)
{
	const struct stack *const *egress = from.place;

	return *egress ? write_stack(*egress) : NULL;
}
