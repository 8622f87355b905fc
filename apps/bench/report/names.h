/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_NAMES_H
#define BENCH_NAMES_H

/** report_keep_name - a copy of @name that is valid until the process ends, the same for equal names; NULL: no memory */
const char *report_keep_name(const char *name);

#endif
