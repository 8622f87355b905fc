/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_RESULT_H
#define PKTGEN_RESULT_H

#include "base/exit.h"

struct run;

/** report_run - print ports, flows, CPU time and verdict. Return: the exit status */
enum pktgen_exit report_run(const struct run *r);

#endif
