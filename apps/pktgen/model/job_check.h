/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_JOB_CHECK_H
#define PKTGEN_JOB_CHECK_H

#include "model/job.h"

/**
 * DOC: What does not fit together
 *
 * Values that are valid alone and impossible together, on the command line and in a job file. Each
 * function returns NULL, or the reason of a refusal with the place in front: an option, or a key of
 * the flow. The reason is valid until the next call of this thread.
 */

/** job_check_flow - check a flow of a job file (@is_file), or that of the command line */
const char *job_check_flow(const struct job_flow *f, bool is_file);

/** job_check_ports - check that the @n_ports ports of the command line are pairs */
const char *job_check_ports(const struct options *o, unsigned n_ports);

/** job_check_receivers - check that no port that receives nothing has an address */
const char *job_check_receivers(const struct options *o, bool is_file);

/** options_check - check the options of ports and flows: without --config */
const char *options_check(const struct options *o);

/** options_check_reports - check the options of reports */
const char *options_check_reports(const struct options *o);

#endif
