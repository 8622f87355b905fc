/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/json_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/messages.h"
#include "cli/suggest.h"

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

json_t *json_load_text(struct json_reader *r, const char *text, size_t n)
{
	json_error_t error;
	json_t *root = json_loadb(text, n, JSON_REJECT_DUPLICATES, &error);

	if (!root)
		json_note_refusal(r, "line %d, column %d: %s", error.line, error.column,
				  error.text);
	return root;
}

static size_t add_path(struct json_reader *r, const char *text)
{
	const size_t before = r->n_path;
	const int n = snprintf(r->path + before, sizeof(r->path) - before, "%s", text);

	r->n_path = before + (size_t)n < sizeof(r->path) ? before + (size_t)n : sizeof(r->path) - 1;
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

static const char *name_type(const json_t *value)
{
	static const char *const names[] = {
		[JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "a string",
		[JSON_INTEGER] = "a number", [JSON_REAL] = "a number",  [JSON_TRUE] = "true",
		[JSON_FALSE] = "false",      [JSON_NULL] = "null",
	};

	return names[json_typeof(value)];
}

static bool refuse_type(struct json_reader *r, const json_t *value, const char *valid)
{
	return json_note_refusal(r, "is %s (valid: %s)", name_type(value), valid);
}

/* ---- keys ----------------------------------------------------------------------- */

static bool refuse_key(struct json_reader *r, const char *name, const struct json_key *keys)
{
	struct suggestion s = suggest_begin(name, strlen(name));

	for (const struct json_key *key = keys; key->name; key++) {
		if (key->read)
			suggest_add(&s, key->name);
	}
	return json_note_refusal(r, "unknown key; did you mean %s?", s.best);
}

static const struct json_key *find_key(const struct json_key *keys, const char *name)
{
	while (keys->name && strcmp(keys->name, name) != 0)
		keys++;
	return keys->name ? keys : NULL;
}

bool json_read_key(struct json_reader *r, const char *name, json_t *value,
		   const struct json_key *keys, void *target)
{
	const size_t before = json_enter(r, name);
	const struct json_key *key = find_key(keys, name);

	if (!key)
		return refuse_key(r, name, keys);
	if (!key->read)
		return json_note_refusal(r, "this feature of OTG is not supported");
	if (!key->read(r, value, target))
		return false;
	json_leave(r, before);
	return true;
}

bool json_require_key(struct json_reader *r, const char *name, const json_t *object)
{
	return json_object_get(object, name) || json_note_refusal(r, "the key %s is missing", name);
}

bool json_read_object(struct json_reader *r, json_t *value, const struct json_key *keys,
		      void *target)
{
	const char *name;
	json_t *child;

	if (!json_is_object(value))
		return refuse_type(r, value, "an object");
	json_object_foreach(value, name, child)
	{
		if (!json_read_key(r, name, child, keys, target))
			return false;
	}
	for (const struct json_key *key = keys; key->name; key++) {
		if (key->is_required && !json_require_key(r, key->name, value))
			return false;
	}
	return true;
}

bool json_read_choice(struct json_reader *r, json_t *value, const struct json_key *keys,
		      const char *preset, void *target)
{
	const char *choice = preset, *name;
	const struct json_key *key;
	json_t *given, *child;

	if (!json_is_object(value))
		return refuse_type(r, value, "an object");
	given = json_object_get(value, "choice");
	if (given) {
		const size_t before = json_enter(r, "choice");

		if (!json_get_text(r, given, &choice))
			return false;
		if (!find_key(keys, choice)) {
			struct suggestion s = suggest_begin(choice, strlen(choice));

			for (key = keys; key->name; key++)
				suggest_add(&s, key->name);
			return json_note_refusal(r, "%s: unknown choice; did you mean %s?", choice,
						 s.best);
		}
		json_leave(r, before);
	}
	json_object_foreach(value, name, child)
	{
		if (!strcmp(name, "choice") || !strcmp(name, choice))
			continue;
		json_enter(r, name);
		return find_key(keys, name)
			       ? json_note_refusal(r,
						   "the choice is %s; remove this key, or choose "
						   "it",
						   choice)
			       : refuse_key(r, name, keys);
	}
	child = json_object_get(value, choice);
	return json_read_key(r, choice, child ? child : json_null(), keys, target);
}

bool json_read_array(struct json_reader *r, json_t *value, size_t most, json_read *read,
		     void *target)
{
	json_t *child;
	size_t i;

	if (!json_is_array(value))
		return refuse_type(r, value, "an array");
	if (json_array_size(value) > most)
		return json_note_refusal(r, "has %zu elements (valid: at most %zu)",
					 json_array_size(value), most);
	json_array_foreach(value, i, child)
	{
		char index[32];
		size_t before;

		snprintf(index, sizeof(index), "[%zu]", i);
		before = add_path(r, index);
		if (!read(r, child, target))
			return false;
		json_leave(r, before);
	}
	return true;
}

/* ---- values --------------------------------------------------------------------- */

bool json_get_uint(struct json_reader *r, json_t *value, uint64_t min, uint64_t max, uint64_t *n)
{
	if (!json_is_integer(value))
		return refuse_type(r, value, "a whole number");
	if (json_integer_value(value) < 0 || (uint64_t)json_integer_value(value) < min ||
	    (uint64_t)json_integer_value(value) > max)
		return json_note_refusal(r, "is %lld (valid: %llu to %llu)",
					 (long long)json_integer_value(value),
					 (unsigned long long)min, (unsigned long long)max);
	*n = (uint64_t)json_integer_value(value);
	return true;
}

bool json_get_number(struct json_reader *r, json_t *value, double min, double max, double *n)
{
	if (!json_is_number(value))
		return refuse_type(r, value, "a number");
	*n = json_number_value(value);
	if (!(*n >= min && *n <= max))
		return json_note_refusal(r, "is %g (valid: %g to %g)", *n, min, max);
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

bool json_get_bool(struct json_reader *r, json_t *value, bool *is)
{
	if (!json_is_boolean(value))
		return refuse_type(r, value, "true or false");
	*is = json_is_true(value);
	return true;
}
