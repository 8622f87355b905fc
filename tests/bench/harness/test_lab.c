/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/test_lab.h"

#include <signal.h>

#include "ct.h"
#include "harness/stepper.h"

struct bench_lab lab;
unsigned int per_mark;
bool steps;

bool test_lab_open(void)
{
	static const volatile sig_atomic_t running;
	const struct bench_run run = { .stopped = &running };
	static bool tried, open;
	char why[256];

	if (tried)
		return open;
	tried = true;
	steps = !bench_stepper_start(&per_mark, why, sizeof(why));
	open = !bench_lab_open(&lab, &run, why, sizeof(why));
	if (!open)
		ADD_FAILURE("%s", why);
	return open;
}
