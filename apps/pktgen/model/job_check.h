/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_JOB_CHECK_H
#define PKTGEN_JOB_CHECK_H

#include "model/job.h"

/**
 * DOC: Combinations of values
 *
 * These functions refuse values that are valid alone but contradict each other, on the command line
 * and in a job file. Each returns NULL, or the reason of a refusal, which begins with the option or
 * key. The reason is valid until the next call of this thread.
 */

/** job_raise_sizes - raise the sizes of a predefined mix to the least possible with the headers */
void job_raise_sizes(struct job_flow *f);

/** job_check_flow - check a flow of a job file (@is_file), or that of the command line */
const char *job_check_flow(const struct job_flow *f, bool is_file);

/** job_check_ports - check that the @n_ports ports of the command line form pairs */
const char *job_check_ports(const struct options *o, unsigned n_ports);

/** job_check_receivers - refuse addresses if no port receives (--send-only) */
const char *job_check_receivers(const struct options *o, bool is_file);

/**
 * job_check_numbers - check the options that name a port by its number
 *
 * Refuses numbers of ports that do not exist, and gateways outside the networks of their port.
 */
const char *job_check_numbers(const struct options *o, unsigned n_ports);

/** options_check - check the options of ports and flows on a command line without --config */
const char *options_check(const struct options *o);

const char *options_check_reports(const struct options *o);

#endif
