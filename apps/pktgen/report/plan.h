/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_PLAN_H
#define PKTGEN_PLAN_H

struct run;

/** report_plan - print for each flow which frames it sends, how many, and between which ports */
void report_plan(const struct run *r);

#endif
