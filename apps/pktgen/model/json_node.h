/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_JSON_NODE_H
#define PKTGEN_JSON_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

/**
 * DOC: One table for reader, writer and schema
 *
 * A table of nodes describes the keys of a JSON object: the kind of each value, its range, and its
 * place in a struct. The reader, the writer and the schema follow the same table:
 *
 *     { "tx", NODE_UINT, NODE_AT(struct queues_option, tx), .min = 1, .max = QUEUES_MAX }
 *
 * The reader tracks the path of the current value, so that a refusal names it: "job.json:
 * flows[2].rate.ppps: unknown key; did you mean pps?". A function that returns bool returns false
 * after a refusal, with the message in @why of the reader.
 */

enum { JSON_PATH_BYTES = 256, JSON_WHY_BYTES = 512 };

/**
 * struct json_reader - reads one file
 * @file: its name
 * @context: for the @read functions of nodes
 * @path, @n_path: path of the current value, and its length
 * @why: message of the refusal
 */
struct json_reader {
	const char *file;
	void *context;
	char path[JSON_PATH_BYTES];
	size_t n_path;
	char why[JSON_WHY_BYTES];
};

/** enum node_kind - kind of a value, and the C type at its place */
enum node_kind {
	NODE_END,         /* end of a table */
	NODE_UNSUPPORTED, /* a key of OTG that is refused */
	NODE_OBJECT,      /* @keys, with places relative to that of the object */
	NODE_CHOICE,      /* an object of OTG with "choice" and the chosen one of @keys */
	NODE_ARRAY,       /* at most @max elements, each described by the first of @keys */
	NODE_UINT,        /* a whole number from @min to @max: uint16_t, uint32_t or uint64_t */
	NODE_NUMBER,      /* a number from @least to @most: double */
	NODE_SCALED,      /* a number like that, multiplied by @factor: uint64_t */
	NODE_BOOL,        /* true or false: bool; not stored if @bytes is 0 */
	NODE_ENUM,        /* one of @names: an enum with the index of the name */
	NODE_STRING,      /* at least 1 character: char[@bytes]; not stored if @bytes is 0 */
	NODE_TEXT,        /* a string that @parse or @read reads and @write writes */
	NODE_VALUE,       /* a number or a string, as @read and @write decide */
	NODE_ANY,         /* any value; it is ignored */
};

/** struct json_at - the node of a value to read, and the place that receives it */
struct json_at {
	const struct json_node *node;
	void *place;
};

/** struct json_from - the node of a value to write, its place, and the caller's context */
struct json_from {
	const struct json_node *node;
	const void *place, *context;
};

/**
 * struct json_node - a value
 * @key: its key; NULL for an element of an array
 * @at, @bytes: its place relative to that of the object, and its size
 * @is_required: the reader refuses an object without the key
 * @is_first: the reader reads this key before the others, which depend on it
 * @is_optional: null keeps the value at the place; a choice without the chosen key counts as null
 * @omits_zero: the writer omits 0
 * @is_read_only: the writer omits the key
 * @missing: the number that null stands for
 * @tag: for @read and @write
 * @preset: the chosen key of a choice without "choice"
 * @about: a sentence for the schema, or NULL
 * @parse: returns NULL, or the reason of a refusal
 * @schema: makes the schema, in place of that of the kind
 * @read, @write: replace the functions of the kind. @write returns NULL to omit the key
 */
struct json_node {
	const char *key;
	enum node_kind kind;
	size_t at, bytes;
	bool is_required, is_first, is_optional, omits_zero, is_read_only;
	uint64_t min, max;
	double least, most, factor, missing;
	int tag;
	const char *preset, *about;
	const struct json_node *keys;
	const char *const *names;
	const char *(*parse)(void *place, const char *text);
	bool (*read)(struct json_reader *r, json_t *value, struct json_at at);
	json_t *(*write)(struct json_from from);
	json_t *(*schema)(void);
};

#define NODE_AT(type, member) .at = offsetof(type, member), .bytes = sizeof(((type *)0)->member)

/** json_note_refusal - set @why to file, path and the formatted reason. Return: false */
bool json_note_refusal(struct json_reader *r, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** json_note_reason - json_note_refusal() unless @reason is NULL. Return: whether it is NULL */
bool json_note_reason(struct json_reader *r, const char *reason);

/** json_enter - append ".@key" to the path. Return: its length before, for json_leave() */
size_t json_enter(struct json_reader *r, const char *key);

/** json_leave - cut the path back to length @n */
void json_leave(struct json_reader *r, size_t n);

/** json_read_kind - read a value by its kind, without @read of the node. @place: of the value */
bool json_read_kind(struct json_reader *r, json_t *value, const struct json_node *n, void *place);

/** json_read_keys - read an object by the table of its keys. @place: of the object */
bool json_read_keys(struct json_reader *r, json_t *value, const struct json_node *keys,
		    void *place);

void json_set_uint(const struct json_node *n, void *place, uint64_t number);

/** json_get_text - read a string without control characters, which lives as long as @value */
bool json_get_text(struct json_reader *r, json_t *value, const char **text);

/** json_write_node - make a value. Return: NULL if there is nothing to write */
json_t *json_write_node(const struct json_node *n, const void *place, const void *context);

/** json_write_keys - make an object by the table of its keys. @place: of the object */
json_t *json_write_keys(const struct json_node *keys, const void *place, const void *context);

json_t *json_make_schema(const struct json_node *n);

/** json_write_choice - make {"choice": @key, @key: @value} */
json_t *json_write_choice(const char *key, json_t *value);

/** json_write_number - make an integer, or a real if @n has a fraction */
json_t *json_write_number(double n);

#endif
