/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/json_node.h"

static json_t *make_range(const char *type, json_t *least, json_t *most)
{
	return json_pack("{s:s, s:o, s:o}", "type", type, "minimum", least, "maximum", most);
}

/* Makes the schema of an object; with @is_choice, it includes "choice" with the names of @keys. */
static json_t *make_object(const struct json_node *keys, bool is_choice)
{
	json_t *names = json_array(), *required = json_array(), *properties = json_object();
	json_t *schema = json_pack("{s:s}", "type", "object");

	if (is_choice)
		json_object_set_new(properties, "choice", json_pack("{s:O}", "enum", names));
	for (const struct json_node *n = keys; n->kind; n++) {
		if (n->kind == NODE_UNSUPPORTED)
			continue;
		json_array_append_new(names, json_string(n->key));
		if (n->is_required)
			json_array_append_new(required, json_string(n->key));
		json_object_set_new(properties, n->key, json_make_schema(n));
	}
	json_decref(names);
	if (json_array_size(required))
		json_object_set(schema, "required", required);
	json_decref(required);
	json_object_set_new(schema, "properties", properties);
	json_object_set_new(schema, "additionalProperties", json_false());
	return schema;
}

static json_t *make_enum(const char *const *names)
{
	json_t *list = json_array();

	for (; *names; names++)
		json_array_append_new(list, json_string(*names));
	return json_pack("{s:o}", "enum", list);
}

static json_t *make_kind(const struct json_node *n)
{
	switch (n->kind) {
	case NODE_END:
	case NODE_UNSUPPORTED:
	case NODE_ANY:
		break;
	case NODE_OBJECT:
		return make_object(n->keys, false);
	case NODE_CHOICE:
		return make_object(n->keys, true);
	case NODE_ARRAY:
		return json_pack("{s:s, s:o}", "type", "array", "items", json_make_schema(n->keys));
	case NODE_UINT:
		return make_range("integer", json_integer((json_int_t)n->min),
				  json_integer((json_int_t)n->max));
	case NODE_NUMBER:
	case NODE_SCALED:
		return make_range("number", json_write_number(n->least),
				  json_write_number(n->most));
	case NODE_BOOL:
		return json_pack("{s:s}", "type", "boolean");
	case NODE_ENUM:
		return make_enum(n->names);
	case NODE_STRING:
	case NODE_TEXT:
		return json_pack("{s:s}", "type", "string");
	case NODE_VALUE:
		return json_pack("{s:[s, s]}", "type", "integer", "string");
	}
	return json_object();
}

json_t *json_make_schema(const struct json_node *n)
{
	json_t *schema = n->schema ? n->schema() : make_kind(n);

	if (n->about)
		json_object_set_new(schema, "description", json_string(n->about));
	return schema;
}
