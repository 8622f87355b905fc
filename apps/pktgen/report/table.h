/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_TABLE_H
#define PKTGEN_TABLE_H

struct figures;

/** report_table - print packets, bytes and rates of every queue, and the drops of every port */
void report_table(const struct figures *f);

#endif
