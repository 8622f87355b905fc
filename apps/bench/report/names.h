/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_NAMES_H
#define BENCH_NAMES_H

/**
 * report_keep_name - copy a name until the end of the process
 *
 * Return: the copy, the same one for equal names; or NULL without memory
 */
const char *report_keep_name(const char *name);

#endif
