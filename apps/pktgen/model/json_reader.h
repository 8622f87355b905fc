/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_JSON_READER_H
#define PKTGEN_JSON_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

/**
 * DOC: Reading JSON
 *
 * A reader knows the path of the value that it reads, so a refusal names it: "job.json:
 * flows[2].rate.ppps: unknown key; did you mean pps?". All functions that return bool return false
 * after a refusal; then @why has the line.
 */

enum { JSON_PATH_BYTES = 256, JSON_WHY_BYTES = 512 };

/**
 * struct json_reader - reads one file
 * @file: its name
 * @path, @n_path: path of the value that is read, and its length
 * @why: the line of the refusal
 */
struct json_reader {
	const char *file;
	char path[JSON_PATH_BYTES];
	size_t n_path;
	char why[JSON_WHY_BYTES];
};

/** typedef json_read - read a value into @target */
typedef bool json_read(struct json_reader *r, json_t *value, void *target);

/**
 * struct json_key - a key of an object
 * @name: the key; NULL: end of the table
 * @read: reads its value; NULL: the key is one of OTG that is not supported
 * @is_required: an object without it is refused
 */
struct json_key {
	const char *name;
	json_read *read;
	bool is_required;
};

/** json_load_text - parse @text. Return: NULL after a refusal, which has line and column */
json_t *json_load_text(struct json_reader *r, const char *text, size_t n);

/** json_note_refusal - write the line: file, path and the formatted reason. Return: false */
bool json_note_refusal(struct json_reader *r, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** json_enter - append ".@key" to the path. Return: its length before, for json_leave() */
size_t json_enter(struct json_reader *r, const char *key);

/** json_leave - cut the path to the length @n */
void json_leave(struct json_reader *r, size_t n);

/** json_read_key - read one key of an object by the table @keys; refuses a key not in it */
bool json_read_key(struct json_reader *r, const char *name, json_t *value,
		   const struct json_key *keys, void *target);

/** json_require_key - refuse an object without this key */
bool json_require_key(struct json_reader *r, const char *name, const json_t *object);

/** json_read_object - read an object by the table of its keys */
bool json_read_object(struct json_reader *r, json_t *value, const struct json_key *keys,
		      void *target);

/**
 * json_read_choice - read an object of OTG that has "choice" and the chosen key
 * @keys: the choices
 * @preset: the choice if "choice" is missing
 *
 * A key that is not the chosen one is refused. A missing value of the chosen key is read as null.
 */
bool json_read_choice(struct json_reader *r, json_t *value, const struct json_key *keys,
		      const char *preset, void *target);

/** json_read_array - read each element of an array. @most: largest number of elements */
bool json_read_array(struct json_reader *r, json_t *value, size_t most, json_read *read,
		     void *target);

/** json_get_uint - read a whole number from @min to @max */
bool json_get_uint(struct json_reader *r, json_t *value, uint64_t min, uint64_t max, uint64_t *n);

/** json_get_number - read a number, whole or not, from @min to @max */
bool json_get_number(struct json_reader *r, json_t *value, double min, double max, double *n);

/** json_get_text - read a string. It lives as long as @value */
bool json_get_text(struct json_reader *r, json_t *value, const char **text);

/** json_get_bool - read true or false */
bool json_get_bool(struct json_reader *r, json_t *value, bool *is);

#endif
