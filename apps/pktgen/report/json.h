/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_JSON_H
#define PKTGEN_JSON_H

#include "report/record_file.h"
#include "report/verdict.h"

/* Version of report.schema.json: rises if a member changes or disappears, not for a new member. */
enum { JSON_SCHEMA_VERSION = 2 };

/** json_write_start - write the start record: program, command line, ports, flows and clock */
enum pktgen_exit json_write_start(struct record_file *file, const struct run *r);

/**
 * json_write_interval - write an interval record
 * @file: if it has no path, the function does nothing
 * @f: the current figures
 * @last: figures of the previous record; rates are those of the time between the two
 * @stage: "sending" or "draining"
 */
enum pktgen_exit json_write_interval(struct record_file *file, const struct figures *f,
				     const struct figures *last, const char *stage);

/** json_write_final - write the final record: all figures, and the verdict */
enum pktgen_exit json_write_final(struct record_file *file, const struct run *r,
				  const struct figures *f, const struct verdict *v);

#endif
