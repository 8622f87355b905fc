/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORT_JSON_FILE_H
#define REPORT_JSON_FILE_H

#include <stddef.h>

#include <jansson.h>

/** struct report_reading - a file that is being read; @why: buffer for the reason of a refusal */
struct report_reading {
	char *why;
	size_t bytes;
};

/** report_refuse - write the reason of a refusal. Return: -EINVAL */
int report_refuse(const struct report_reading *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * report_json_load - read a file of JSON
 * @all: receives the value, which the caller releases by json_decref()
 *
 * Return: 0; -EINVAL if it is not JSON, or if a name or text has a control character; or -errno of
 * fopen(3). On failure, @r->why has the reason
 */
int report_json_load(const char *path, const struct report_reading *r, json_t **all);

#endif
