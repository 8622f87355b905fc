/* SPDX-License-Identifier: BSD-3-Clause */
#include "cases/cases.h"

#include <stddef.h>

const struct bench_case *const bench_cases[] = {
	&bench_cycles,     &bench_instructions, &bench_pcie, &bench_control,
	&bench_throughput, &bench_pktgen,       NULL,
};
