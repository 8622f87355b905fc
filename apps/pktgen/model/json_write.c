/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "model/json_node.h"

json_t *json_write_number(double n)
{
	return n == floor(n) ? json_integer((json_int_t)n) : json_real(n);
}

json_t *json_write_choice(const char *key, json_t *value)
{
	return json_pack("{s:s, s:o}", "choice", key, key, value);
}

json_t *json_write_keys(const struct json_node *keys, const void *place, const void *context)
{
	json_t *object = json_object();

	for (const struct json_node *n = keys; n->kind; n++) {
		json_t *value = json_write_node(n, (const char *)place + n->at, context);

		if (value)
			json_object_set_new(object, n->key, value);
	}
	return object;
}

/* Chooses the first key that has something to write. */
static json_t *write_choice(const struct json_node *keys, const void *place, const void *context)
{
	for (const struct json_node *n = keys; n->kind; n++) {
		json_t *value = json_write_node(n, (const char *)place + n->at, context);

		if (value)
			return json_write_choice(n->key, value);
	}
	return NULL;
}

static json_t *write_uint(const struct json_node *n, const void *place)
{
	const uint64_t number = n->bytes == sizeof(uint16_t)   ? *(const uint16_t *)place
				: n->bytes == sizeof(uint32_t) ? *(const uint32_t *)place
							       : *(const uint64_t *)place;

	return number || !n->omits_zero ? json_integer((json_int_t)number) : NULL;
}

static json_t *write_number(const struct json_node *n, double number)
{
	return number > 0 || !n->omits_zero ? json_write_number(number) : NULL;
}

json_t *json_write_node(const struct json_node *n, const void *place, const void *context)
{
	if (n->is_read_only)
		return NULL;
	if (n->write)
		return n->write((struct json_from){ n, place, context });
	switch (n->kind) {
	case NODE_END:
	case NODE_UNSUPPORTED:
	case NODE_ANY:
	case NODE_ARRAY: /* these three need a @write function of the node */
	case NODE_TEXT:
	case NODE_VALUE:
		break;
	case NODE_OBJECT:
		return json_write_keys(n->keys, place, context);
	case NODE_CHOICE:
		return write_choice(n->keys, place, context);
	case NODE_UINT:
		return write_uint(n, place);
	case NODE_NUMBER:
		return write_number(n, *(const double *)place);
	case NODE_SCALED:
		return write_number(n, (double)*(const uint64_t *)place / n->factor);
	case NODE_BOOL:
		return n->bytes ? json_boolean(*(const bool *)place) : NULL;
	case NODE_STRING:
		return n->bytes ? json_string(place) : NULL;
	case NODE_ENUM:
		return n->omits_zero && !*(const int *)place
			       ? NULL
			       : json_string(n->names[*(const int *)place]);
	}
	return NULL;
}
