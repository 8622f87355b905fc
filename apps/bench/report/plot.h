/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_PLOT_H
#define BENCH_PLOT_H

#include <stddef.h>

#include "base/row.h"

/**
 * report_plot - draw rows with gnuplot, each picture as SVG and PNG
 * @folder: receives the pictures and their data; created if it does not exist
 * @why: receives the reason if nothing could be drawn
 *
 * Rows with a key "burst" or "size" and a value in cycles/packet become curves, one per driver;
 * every other key is constant in a picture. Rows with a key "stage" become bars.
 *
 * Return: number of pictures; 0 with a reason in @why without gnuplot or such rows; or -errno
 */
int report_plot(const char *folder, const struct bench_table *table, char *why, size_t bytes);

#endif
