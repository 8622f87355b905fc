/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_RESULT_H
#define PKTGEN_RESULT_H

#include "base/exit.h"

struct run;

/** report_run - print the table of ports, the account of each flow and the verdict */
enum pktgen_exit report_run(const struct run *r);

#endif
