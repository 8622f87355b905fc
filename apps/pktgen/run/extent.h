/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_EXTENT_H
#define PKTGEN_EXTENT_H

#include "run/run.h"

/**
 * struct extent - how much a run will send, as far as the job says
 * @packets: of all flows; 0: a flow has no count, or ends by its duration
 * @seconds: time that sending takes if the rates are kept; 0: the job does not say
 * @is_endless: a flow has neither count nor duration: it ends by Ctrl-C
 */
struct extent {
	uint64_t packets;
	double seconds;
	bool is_endless;
};

/** extent_compute_rate - compute the rate after the ramp, in packets per second; 0: not limited */
double extent_compute_rate(const struct job_flow *f, const struct port *from);

/** extent_compute_rate_at - compute the rate at a time since the flow began, in seconds */
double extent_compute_rate_at(const struct job_flow *f, const struct port *from, double seconds);

/** extent_compute_mean_rate - compute the mean rate of the first @seconds of the flow */
double extent_compute_mean_rate(const struct job_flow *f, const struct port *from, double seconds);

/** extent_compute - compute what a job will send. Flows run at the same time */
struct extent extent_compute(const struct job *j, const struct ports *ports);

/**
 * extent_compute_share - compute how much of it is done
 * @e: the extent
 * @ms: time since the start of the run
 * @sent: packets sent since then
 * @left_s: set to the time that is left, if the share is known
 *
 * Return: 0 to 1; or a negative number: unknown
 */
double extent_compute_share(const struct extent *e, uint64_t ms, uint64_t sent, double *left_s);

#endif
