/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_EAL_ARGS_H
#define PKTGEN_EAL_ARGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/exit.h"
#include "model/options.h"

enum { EAL_MAX_ARGS = 64 };

/**
 * struct eal_args - EAL's command line
 * @v: the options of ours that the user did not give, then the user's; NULL behind the last
 * @n: how many, the program's name included
 * @asks: one of them has EAL print something and exit
 */
struct eal_args {
	char *v[EAL_MAX_ARGS];
	int n;
	bool asks;
};

/**
 * eal_args_make - make EAL's command line
 * @a: receives it
 * @o: the command line of devx-pktgen
 * @memory_mb: packet memory needed
 *
 * Return: PKTGEN_MET, or another code after one line on stderr
 */
enum pktgen_exit eal_args_make(struct eal_args *a, const struct options *o, size_t memory_mb);

#endif
