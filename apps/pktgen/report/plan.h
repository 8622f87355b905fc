/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_PLAN_H
#define PKTGEN_PLAN_H

struct run;

/** report_plan - what will be sent from where to where */
void report_plan(const struct run *r);

#endif
