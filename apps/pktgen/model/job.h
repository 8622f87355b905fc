/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_JOB_H
#define PKTGEN_JOB_H

#include "model/capture.h"
#include "model/expect.h"
#include "model/options.h"
#include "packet/offload.h"

/**
 * DOC: The traffic model
 *
 * A job lists the flows and the ports that send and receive them. The names are those of the Open
 * Traffic Generator model (OTG). The command line or a job file makes a job. The rest of the
 * program takes everything about flows from the job.
 */

enum {
	JOB_MAX_FLOWS = 100000,
	JOB_NAME_BYTES = 64,
};

/**
 * struct job_flow - one flow
 * @name: unique in the job; by default "flow 0", "flow 1" ...
 * @tx, @rx: index of the port that sends, and of the port that receives
 * @stack: headers of generated frames. MAC addresses default to those of the ports
 * @size: sizes of generated frames
 * @offload: the checksums of generated frames that the port writes
 * @capture, @pcap: the frames to replay, and their file; NULL: the flow sends generated frames
 * @interface: number or name of the interface of @pcap; NULL: each Ethernet interface
 * @speed: speed of a replay, relative to the times of the capture; 0: send at @rate
 * @expect: how generated frames may differ when they arrive
 * @egress: the headers that generated frames have when they arrive, and values of their fields;
 *   NULL: @expect says it
 * @rate: rate of the flow; with a ramp, the rate at its end
 * @ramp_from, @ramp_ns: rate at the start of the ramp, in the same unit, and length of the ramp
 * @count: packets to send; 0: no limit
 * @duration_ns: time to send for; 0: no limit
 * @delay_ns: time before the first packet
 * @burst_packets, @burst_gap_ns: packets of a burst, and time between bursts; 0: no bursts
 */
struct job_flow {
	char name[JOB_NAME_BYTES];
	unsigned tx, rx;
	struct stack stack;
	struct size size;
	struct offload offload;
	const struct capture *capture;
	const char *pcap, *interface;
	double speed;
	enum expect expect;
	struct stack *egress;
	struct rate rate, ramp_from;
	uint64_t ramp_ns, count, duration_ns, delay_ns, burst_packets, burst_gap_ns;
};

/**
 * struct job_port - a port
 * @name: unique in the job
 * @device: its EAL name; free() it
 * @rate: total rate of the flows that the port sends; RATE_MAX: each flow has its own rate
 */
struct job_port {
	char name[JOB_NAME_BYTES];
	char *device;
	struct rate rate;
};

/**
 * struct job_capture - a capture that flows replay
 * @next: the next capture of the job, or NULL
 * @path: its file; free() it
 * @interface: number or name of its interface, or NULL: each Ethernet interface; free() it
 */
struct job_capture {
	struct job_capture *next;
	char *path, *interface;
	struct capture capture;
};

/**
 * struct job - ports and flows
 * @ports, @n_ports: the ports that a job file names; none if the command line made the job
 * @captures: list of the captures that flows replay; each file is in memory once
 */
struct job {
	unsigned n_ports;
	struct job_port ports[PKTGEN_MAX_PORTS];
	unsigned n_flows;
	struct job_flow *flows;
	struct job_capture *captures;
};

/**
 * job_load_capture - find a capture of the job by path and interface, or read its file
 * @j: receives the capture
 * @path: the file; "-": stdin
 * @interface: number or name of its interface; NULL: each Ethernet interface
 * @rewrite: addresses to rewrite, may be empty
 * @why: receives one line after a failure: what was found, what is valid, what to do
 * @why_bytes: size of @why
 *
 * Return: the capture, owned by @j at a fixed address; NULL after a failure
 */
const struct job_capture *job_load_capture(struct job *j, const char *path, const char *interface,
					   const struct rewrite *rewrite, char *why,
					   size_t why_bytes);

/** job_count_flows - count the flows of the command line on @n_ports ports, before --flows */
static inline unsigned job_count_flows(const struct options *o, unsigned n_ports)
{
	return n_ports < 2 ? n_ports : n_ports / 2 * (o->both ? 2 : 1);
}

/**
 * job_make_flows - make the flows of the command line
 * @j: job_load_capture() has read the capture that the command line names, if any
 * @o: the command line
 * @n_ports: number of open ports
 *
 * A single port sends to itself. Of several ports, each even one sends to the next one; with
 * --both, the next one also sends back. --flows divides each of these flows (share.h).
 *
 * Return: NULL; or the reason of a refusal, valid until the next call of this thread
 */
const char *job_make_flows(struct job *j, const struct options *o, unsigned n_ports);

/**
 * job_set_ips - set the IP addresses that the user left out to the first addresses of the ports
 * @s: the headers of a flow; only the outermost IP header changes
 * @from, @to: addresses of the sending and of the receiving port
 */
void job_set_ips(struct stack *s, const struct addresses *from, const struct addresses *to);

/**
 * job_share_port_rates - divide the rate of each port equally among its flows
 *
 * Return: true, or false if a part is less than a thousandth of the unit
 */
bool job_share_port_rates(struct job *j);

/* The longest and the mean length of the frames of a flow, FCS included. */
uint32_t job_compute_longest(const struct job_flow *f);
double job_compute_mean(const struct job_flow *f);

/** job_free - free flows and captures; @j is all zero afterwards */
void job_free(struct job *j);

#endif
