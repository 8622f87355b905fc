/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_JSON_VALUES_H
#define PKTGEN_JSON_VALUES_H

#include <stdint.h>

#include <jansson.h>

#include "report/record_file.h"

/** json_make_text - make a string. If @text is not UTF-8, a '?' replaces each byte beyond ASCII */
json_t *json_make_text(const char *text);

void json_set_number(json_t *to, const char *name, uint64_t n);
void json_set_real(json_t *to, const char *name, double value);
void json_set_text(json_t *to, const char *name, const char *text);

/** json_begin_record - make the object of a record. @kind: its "record"; @ns: since the start */
json_t *json_begin_record(const char *kind, uint64_t ns);

/** json_write_record - write a record as one line, and free it. Return: as record_file_write() */
enum pktgen_exit json_write_record(struct record_file *file, json_t *record);

#endif
