/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/messages.h"
#include "cli/suggest.h"
#include "cli/units.h"
#include "model/json_node.h"
#include "model/options.h"

bool json_note_refusal(struct json_reader *r, const char *format, ...)
{
	int n = snprintf(r->why, sizeof(r->why), "%s: %s%s", r->file, r->path,
			 r->n_path ? ": " : "");
	va_list args;

	va_start(args, format);
	if (n < (int)sizeof(r->why))
		vsnprintf(r->why + n, sizeof(r->why) - (size_t)n, format, args);
	va_end(args);
	return false;
}

bool json_note_reason(struct json_reader *r, const char *reason)
{
	return !reason || json_note_refusal(r, "%s", reason);
}

static size_t add_path(struct json_reader *r, const char *text)
{
	const size_t before = r->n_path, n = strnlen(text, sizeof(r->path) - 1 - before);

	memcpy(r->path + before, text, n);
	r->n_path += n;
	r->path[r->n_path] = '\0';
	return before;
}

size_t json_enter(struct json_reader *r, const char *key)
{
	const size_t before = r->n_path;

	if (before)
		add_path(r, ".");
	add_path(r, key);
	return before;
}

void json_leave(struct json_reader *r, size_t n)
{
	r->n_path = n;
	r->path[n] = '\0';
}

static bool refuse_type(struct json_reader *r, const json_t *value, const char *valid)
{
	static const char *const names[] = {
		[JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "a string",
		[JSON_INTEGER] = "a number", [JSON_REAL] = "a number",  [JSON_TRUE] = "true",
		[JSON_FALSE] = "false",      [JSON_NULL] = "null",
	};

	return json_note_refusal(r, "is %s (valid: %s)", names[json_typeof(value)], valid);
}

/* ---- objects -------------------------------------------------------------------- */

static bool refuse_key(struct json_reader *r, const char *name, const struct json_node *keys)
{
	struct suggestion s = suggest_begin(name, strlen(name));

	for (const struct json_node *n = keys; n->kind; n++) {
		if (n->kind != NODE_UNSUPPORTED)
			suggest_add(&s, n->key);
	}
	return json_note_refusal(r, "unknown key; did you mean %s?", s.best);
}

static const struct json_node *find_key(const struct json_node *keys, const char *name)
{
	while (keys->kind && strcmp(keys->key, name) != 0)
		keys++;
	return keys->kind ? keys : NULL;
}

static bool read_node(struct json_reader *r, json_t *value, const struct json_node *n, void *parent)
{
	void *place = (char *)parent + n->at;

	return n->read ? n->read(r, value, (struct json_at){ n, place })
		       : json_read_kind(r, value, n, place);
}

/* Refuses a key that is unknown or unsupported. */
static bool check_key(struct json_reader *r, const char *name, const struct json_node *keys)
{
	const struct json_node *n = find_key(keys, name);
	const size_t before = json_enter(r, name);

	if (!n)
		return refuse_key(r, name, keys);
	if (n->kind == NODE_UNSUPPORTED)
		return json_note_refusal(r, "this feature of OTG is not supported");
	json_leave(r, before);
	return true;
}

static bool read_key(struct json_reader *r, json_t *value, const struct json_node *n, void *parent)
{
	const size_t before = json_enter(r, n->key);
	const bool ok = read_node(r, value, n, parent);

	if (ok)
		json_leave(r, before);
	return ok;
}

/* Reads the keys with is_first == @are_first, and refuses an object that lacks a required one. */
static bool read_some_keys(struct json_reader *r, json_t *value, const struct json_node *keys,
			   void *place, bool are_first)
{
	const char *name;
	json_t *child;

	json_object_foreach(value, name, child)
	{
		const struct json_node *n = find_key(keys, name);

		if (n->is_first == are_first && !read_key(r, child, n, place))
			return false;
	}
	for (const struct json_node *n = keys; n->kind; n++) {
		if (n->is_required && n->is_first == are_first && !json_object_get(value, n->key))
			return json_note_refusal(r, "the key %s is missing", n->key);
	}
	return true;
}

bool json_read_keys(struct json_reader *r, json_t *value, const struct json_node *keys, void *place)
{
	const char *name;
	json_t *child;

	if (!json_is_object(value))
		return refuse_type(r, value, "an object");
	json_object_foreach(value, name, child)
	{
		if (!check_key(r, name, keys))
			return false;
	}
	return read_some_keys(r, value, keys, place, true) &&
	       read_some_keys(r, value, keys, place, false);
}

/* Reads "choice" into @choice, which keeps the preset if the key is missing. */
static bool read_choice_name(struct json_reader *r, json_t *value, const struct json_node *keys,
			     const char **choice)
{
	json_t *given = json_object_get(value, "choice");
	size_t before;

	if (!given)
		return true;
	before = json_enter(r, "choice");
	if (!json_get_text(r, given, choice))
		return false;
	if (!find_key(keys, *choice)) {
		struct suggestion s = suggest_begin(*choice, strlen(*choice));

		for (; keys->kind; keys++)
			suggest_add(&s, keys->key);
		return json_note_refusal(r, "%s: unknown choice; did you mean %s?", *choice,
					 s.best);
	}
	json_leave(r, before);
	return true;
}

/* Refuses keys other than the chosen one. A missing chosen key counts as null. */
static bool read_choice(struct json_reader *r, json_t *value, const struct json_node *node,
			void *place)
{
	const char *choice = node->preset, *name;
	json_t *child;

	if (!json_is_object(value))
		return refuse_type(r, value, "an object");
	if (!read_choice_name(r, value, node->keys, &choice))
		return false;
	json_object_foreach(value, name, child)
	{
		if (!strcmp(name, "choice") || !strcmp(name, choice))
			continue;
		json_enter(r, name);
		return find_key(node->keys, name)
			       ? json_note_refusal(r,
						   "the choice is %s; remove this key, or choose "
						   "it",
						   choice)
			       : refuse_key(r, name, node->keys);
	}
	child = json_object_get(value, choice);
	return check_key(r, choice, node->keys) &&
	       read_key(r, child ? child : json_null(), find_key(node->keys, choice), place);
}

static bool read_array(struct json_reader *r, json_t *value, const struct json_node *node,
		       void *place)
{
	json_t *child;
	size_t i;

	if (!json_is_array(value))
		return refuse_type(r, value, "an array");
	if (json_array_size(value) > node->max)
		return json_note_refusal(
			r, "has %zu element%s (valid: at most %zu)", json_array_size(value),
			units_get_plural(json_array_size(value)), (size_t)node->max);
	json_array_foreach(value, i, child)
	{
		char index[32];
		size_t before;

		snprintf(index, sizeof(index), "[%zu]", i);
		before = add_path(r, index);
		if (!read_node(r, child, node->keys, place))
			return false;
		json_leave(r, before);
	}
	return true;
}

/* ---- values --------------------------------------------------------------------- */

void json_set_uint(const struct json_node *n, void *place, uint64_t number)
{
	if (n->bytes == sizeof(uint16_t))
		*(uint16_t *)place = (uint16_t)number;
	else if (n->bytes == sizeof(uint32_t))
		*(uint32_t *)place = (uint32_t)number;
	else
		*(uint64_t *)place = number;
}

static bool read_uint(struct json_reader *r, json_t *value, const struct json_node *n, void *place)
{
	const long long given = json_integer_value(value);
	const uint64_t number = (uint64_t)given;

	if (!json_is_integer(value))
		return refuse_type(r, value, "a whole number");
	if (given < 0 || number < n->min || number > n->max)
		return json_note_refusal(r, "is %lld (valid: %llu to %llu)", given,
					 (unsigned long long)n->min, (unsigned long long)n->max);
	json_set_uint(n, place, number);
	return true;
}

static bool read_number(struct json_reader *r, json_t *value, const struct json_node *n,
			void *place)
{
	const double number = json_number_value(value);

	if (!json_is_number(value))
		return refuse_type(r, value, "a number");
	if (!(number >= n->least && number <= n->most))
		return json_note_refusal(r, "is %g (valid: %g to %g)", number, n->least, n->most);
	*(double *)place = number;
	return true;
}

static bool read_scaled(struct json_reader *r, json_t *value, const struct json_node *n,
			void *place)
{
	double number = 0;

	if (!read_number(r, value, n, &number))
		return false;
	*(uint64_t *)place = (uint64_t)llround(number * n->factor);
	return true;
}

bool json_get_text(struct json_reader *r, json_t *value, const char **text)
{
	if (!json_is_string(value))
		return refuse_type(r, value, "a string");
	*text = json_string_value(value);
	return report_can_print(*text) ||
	       json_note_refusal(r, "has a control character: \"%s\"; remove it", *text);
}

static bool read_bool(struct json_reader *r, json_t *value, const struct json_node *n, void *place)
{
	if (!json_is_boolean(value))
		return refuse_type(r, value, "true or false");
	if (n->bytes)
		*(bool *)place = json_is_true(value);
	return true;
}

static bool read_string(struct json_reader *r, json_t *value, const struct json_node *n,
			void *place)
{
	const char *text;

	if (!json_get_text(r, value, &text))
		return false;
	if (!n->bytes)
		return true;
	if (!*text || strlen(text) >= n->bytes)
		return json_note_refusal(r, "has %zu character%s (valid: 1 to %zu)", strlen(text),
					 units_get_plural(strlen(text)), n->bytes - 1);
	strcpy(place, text);
	return true;
}

static bool read_text(struct json_reader *r, json_t *value, const struct json_node *n, void *place)
{
	const char *text, *why;

	if (!json_get_text(r, value, &text))
		return false;
	why = n->kind == NODE_ENUM ? choice_parse(n->names, text, place) : n->parse(place, text);
	return !why || json_note_refusal(r, "%s: %s", text, why);
}

bool json_read_kind(struct json_reader *r, json_t *value, const struct json_node *n, void *place)
{
	if (n->is_optional && json_is_null(value))
		return true;
	switch (n->kind) {
	case NODE_END:
	case NODE_UNSUPPORTED:
	case NODE_VALUE:
	case NODE_ANY:
		break;
	case NODE_OBJECT:
		return json_read_keys(r, value, n->keys, place);
	case NODE_CHOICE:
		return read_choice(r, value, n, place);
	case NODE_ARRAY:
		return read_array(r, value, n, place);
	case NODE_UINT:
		return read_uint(r, value, n, place);
	case NODE_NUMBER:
		return read_number(r, value, n, place);
	case NODE_SCALED:
		return read_scaled(r, value, n, place);
	case NODE_BOOL:
		return read_bool(r, value, n, place);
	case NODE_STRING:
		return read_string(r, value, n, place);
	case NODE_ENUM:
	case NODE_TEXT:
		return read_text(r, value, n, place);
	}
	return true;
}
