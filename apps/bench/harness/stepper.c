/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/stepper.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "harness/gauge.h"

static volatile uint64_t n_instructions;
static struct sigaction previous;

/* The kernel clears the trap flag for the handler, and restores it with the registers. */
static void count_step(int signal)
{
	(void)signal;
	n_instructions++;
}

uint64_t bench_stepper_take(void)
{
	const uint64_t n = n_instructions;

	n_instructions = 0;
	return n;
}

void bench_stepper_stop(void)
{
	sigaction(SIGTRAP, &previous, NULL);
}

static unsigned int count_marks(void)
{
	bench_stepper_take();
	bench_gauge_end(BENCH_STEP, bench_gauge_begin(BENCH_STEP));
	return (unsigned int)bench_stepper_take();
}

int bench_stepper_start(unsigned int *per_mark, char *why, size_t why_bytes)
{
	const struct sigaction action = { .sa_handler = count_step };

	sigaction(SIGTRAP, &action, &previous);
	*per_mark = count_marks();
	if (*per_mark && *per_mark == count_marks())
		return 0;
	bench_stepper_stop();
	snprintf(why, why_bytes, "the processor does not trap each instruction");
	return -ENOTSUP;
}
