/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/targets.h"

#include <errno.h>
#include <string.h>

#include "report/json_file.h"

#define SCHEMA "devx-bench-targets"
enum { VERSION = 1 };

/* A file that is being read, and the number of the target in it. */
struct reading {
	struct report_reading file;
	unsigned index;
};

/* Copies the string @name, or @otherwise; refuses a string that does not fit. */
static int copy_text(const struct reading *r, const json_t *o, const char *name,
		     const char *otherwise, char *text, size_t bytes)
{
	const char *value = json_string_value(json_object_get(o, name));

	if (!value)
		value = otherwise;
	if (!value)
		return report_refuse(&r->file, "target %u: no string \"%s\"", r->index, name);
	if (strlen(value) >= bytes)
		return report_refuse(&r->file,
				     "target %u: %s has %zu characters (valid: at most %zu)",
				     r->index, name, strlen(value), bytes - 1);
	strcpy(text, value);
	return 0;
}

static int read_keys(const struct reading *r, json_t *keys, struct report_target *t)
{
	const char *name;
	json_t *value;

	json_object_foreach(keys, name, value)
	{
		const char *text = json_string_value(value);

		if (t->n_keys == TARGETS_MAX_KEYS || !text ||
		    strlen(name) >= sizeof(t->key[0].name) ||
		    strlen(text) >= sizeof(t->key[0].value))
			return report_refuse(&r->file,
					     "target %u: key %.40s is invalid (valid: at most %d "
					     "short strings)",
					     r->index, name, TARGETS_MAX_KEYS);
		strcpy(t->key[t->n_keys].name, name);
		strcpy(t->key[t->n_keys++].value, text);
	}
	return 0;
}

/* A target without "rival" limits the value itself. */
static int read_limits(const struct reading *r, const json_t *o, struct report_target *t)
{
	t->ship = json_number_value(json_object_get(o, "ship"));
	t->stretch = json_number_value(json_object_get(o, "stretch"));
	if (!(t->ship > 0) || t->stretch < 0 || t->stretch > t->ship)
		return report_refuse(
			&r->file, "target %u: needs ship > 0, and stretch at most ship", r->index);
	return 0;
}

static int read_target(const struct reading *r, const json_t *o, struct report_target *t)
{
	int rc;

	*t = (struct report_target){ 0 };
	rc = copy_text(r, o, "path", NULL, t->path, sizeof(t->path));
	if (!rc)
		rc = copy_text(r, o, "unavailable", "", t->unavailable, sizeof(t->unavailable));
	if (!rc)
		rc = copy_text(r, o, "rival", "", t->rival, sizeof(t->rival));
	if (!rc)
		rc = copy_text(r, o, "metric", t->unavailable[0] ? "" : NULL, t->metric,
			       sizeof(t->metric));
	if (!rc)
		rc = read_limits(r, o, t);
	if (rc || t->unavailable[0])
		return rc;
	rc = copy_text(r, o, "select", NULL, t->select, sizeof(t->select));
	if (!rc)
		rc = copy_text(r, o, "case", NULL, t->case_name, sizeof(t->case_name));
	if (!rc)
		rc = copy_text(r, o, "driver", "net_devx", t->driver, sizeof(t->driver));
	return rc ? rc : read_keys(r, json_object_get(o, "keys"), t);
}

static int read_all(struct reading *r, const json_t *all, struct report_targets *targets)
{
	const char *schema = json_string_value(json_object_get(all, "schema"));
	json_t *list = json_object_get(all, "targets"), *o;
	int rc = 0;

	if (!schema || strcmp(schema, SCHEMA) ||
	    json_integer_value(json_object_get(all, "version")) != VERSION)
		return report_refuse(&r->file,
				     "not the targets of devx-bench (valid: schema \"" SCHEMA
				     "\", version %d)",
				     VERSION);
	if (!json_is_array(list) || json_array_size(list) > TARGETS_MAX)
		return report_refuse(&r->file, "needs an array \"targets\" (valid: at most %d)",
				     TARGETS_MAX);
	json_array_foreach(list, r->index, o)
	{
		rc = read_target(r, o, &targets->target[targets->n]);
		if (rc)
			break;
		targets->n++;
	}
	return rc;
}

int report_targets_read(const char *path, struct report_targets *targets, char *why, size_t bytes)
{
	struct reading r = { .file = { why, bytes } };
	json_t *all;
	int rc;

	*targets = (struct report_targets){ 0 };
	rc = report_json_load(path, &r.file, &all);
	if (rc)
		return rc;
	rc = read_all(&r, all, targets);
	json_decref(all);
	return rc;
}
