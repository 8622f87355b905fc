/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_CSV_H
#define PKTGEN_CSV_H

#include "report/record_file.h"
#include "run/figures.h"

enum pktgen_exit csv_write_header(struct record_file *file);

/**
 * csv_write_rows - write one row for each port and flow
 * @file: if it has no path, the function does nothing
 * @f: the current figures
 * @last: figures of the previous record, or NULL if @f is final
 * @stage: "sending", "draining" or "final"
 */
enum pktgen_exit csv_write_rows(struct record_file *file, const struct figures *f,
				const struct figures *last, const char *stage);

#endif
