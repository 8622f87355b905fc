/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_EAL_ARGS_H
#define PKTGEN_EAL_ARGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/exit.h"
#include "model/options.h"
#include "port/cores.h"

enum { EAL_MAX_ARGS = 64 };

/**
 * struct eal_args - EAL's command line
 * @v: the program's name, the options that devx-pktgen adds, the user's options, NULL
 * @n: number of arguments, the program's name included
 * @has_user_cores: the user gave an option that chooses CPUs
 * @asks: the user gave an option that makes EAL print a text and end the program (--help)
 * @huge_mb: MiB of free hugepages that EAL shall use; 0: the user chose, or ordinary memory
 */
struct eal_args {
	char *v[EAL_MAX_ARGS];
	int n;
	bool has_user_cores, asks;
	size_t huge_mb;
};

/**
 * eal_args_make - make EAL's command line
 * @a: receives the arguments
 * @o: the command line of devx-pktgen
 * @cores: the CPUs of the threads, unless the user's EAL options choose them
 * @memory_mb: MiB of packet memory needed
 *
 * Return: PKTGEN_MET, or another code after one line on stderr
 */
enum pktgen_exit eal_args_make(struct eal_args *a, const struct options *o,
			       const struct cores *cores, size_t memory_mb);

/** eal_args_lost_pages - whether the free hugepages that EAL shall use are not free any more */
bool eal_args_lost_pages(const struct eal_args *a);

/** eal_args_make_secondary - make the command line of a secondary process of devx-pktgen @pid */
void eal_args_make_secondary(struct eal_args *a, int pid);

/** eal_args_format_prefix - format the file prefix that EAL uses in devx-pktgen @pid */
const char *eal_args_format_prefix(int pid);

#endif
