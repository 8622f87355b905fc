/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_EXTENT_H
#define PKTGEN_EXTENT_H

#include "run/run.h"

/**
 * struct extent - how much a run will send, as far as the job says
 * @job, @ports: what extent_compute() got
 * @packets: sum of all flows; 0 if a flow has no count or has a duration
 * @seconds: how long sending takes if the rates are kept; 0 if the job does not say
 * @is_endless: a flow has neither count nor duration, so only Ctrl-C ends it
 */
struct extent {
	const struct job *job;
	const struct ports *ports;
	uint64_t packets;
	double seconds;
	bool is_endless;
};

/** extent_compute_rate - compute the rate after the ramp, in packets per second; 0: unlimited */
double extent_compute_rate(const struct job_flow *f, const struct port *from);

/** extent_compute_rate_at - compute the rate when the flow has been sent for @seconds */
double extent_compute_rate_at(const struct job_flow *f, const struct port *from, double seconds);

/** extent_compute_mean_rate - compute the mean rate of the first @seconds of the flow */
double extent_compute_mean_rate(const struct job_flow *f, const struct port *from, double seconds);

/**
 * extent_compute_seconds - compute how long a flow takes for its first @packets, also a part of one
 * @f: the flow, at a limited rate and without bursts
 * @from: the port that sends it
 */
double extent_compute_seconds(const struct job_flow *f, const struct port *from, double packets);

/**
 * extent_compute - compute what a job will send; all its flows run at the same time
 *
 * Return: the extent, which is valid as long as @j and @ports
 */
struct extent extent_compute(const struct job *j, const struct ports *ports);

/**
 * extent_count_planned - count the packets of all flows that have a count in the first @seconds
 * @e: has @packets and @seconds
 * @seconds: at least 0
 *
 * Return: packets, with a fraction, if the rates are kept
 */
double extent_count_planned(const struct extent *e, double seconds);

/**
 * extent_compute_share - compute which share of the time of sending is over
 * @e: the extent
 * @ms: time since the start of the run
 * @sent: packets sent since then
 * @left_s: receives the remaining time if the share is known
 *
 * The time follows the plan. If fewer packets than planned were sent, the rest takes longer by the
 * same factor. Without rates, the time follows from the share of packets that were sent.
 *
 * Return: 0 to 1; negative if the share is unknown
 */
double extent_compute_share(const struct extent *e, uint64_t ms, uint64_t sent, double *left_s);

#endif
