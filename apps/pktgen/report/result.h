/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_RESULT_H
#define PKTGEN_RESULT_H

#include "report/verdict.h"

void report_run(const struct run *r, const struct figures *f, const struct verdict *v);

#endif
