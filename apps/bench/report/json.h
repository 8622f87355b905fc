/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_JSON_H
#define BENCH_JSON_H

#include <stddef.h>
#include <stdio.h>

#include "base/row.h"
#include "report/about.h"

/**
 * DOC: Rows as JSON
 *
 * doc/bench.md, "JSON" describes the schema. A change that an older reader would misunderstand
 * raises REPORT_JSON_VERSION; a new member does not.
 */

#define REPORT_JSON_SCHEMA "devx-bench"
enum { REPORT_JSON_VERSION = 1 };

/** report_json_write - write all rows. Return: 0, -ENOMEM, or -EIO */
int report_json_write(FILE *to, const struct bench_table *table, const struct report_about *about);

/**
 * report_json_read - read rows that report_json_write() wrote
 * @table: receives the rows, in addition to those that it has
 * @about: receives the description of the run
 * @why: receives the reason of a refusal: the end of a message such as "old.json: ..."
 *
 * Return: 0; -ENOMEM; -EINVAL if it is not JSON of this schema and version; or -errno of the file
 */
int report_json_read(const char *path, struct bench_table *table, struct report_about *about,
		     char *why, size_t bytes);

#endif
