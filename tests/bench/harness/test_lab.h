/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_BENCH_TEST_LAB_H
#define TESTS_BENCH_TEST_LAB_H

#include "harness/lab.h"

/** test_lab_open - start EAL and the stepper at the first call. Return: whether EAL started */
bool test_lab_open(void);

extern struct bench_lab lab;
extern unsigned int per_mark; /* as bench_stepper_start() gives it */
extern bool steps;            /* the stepper works here */

#endif
