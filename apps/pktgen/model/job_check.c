/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/job_check.h"

#include <string.h>

#include "cli/reason.h"
#include "model/flow.h"
#include "model/share.h"

/* Returns the least possible size of the frames; 0 without headers, for a capture. */
static uint32_t compute_least(const struct job_flow *f)
{
	return f->stack.n_headers ? flow_compute_min_size(&f->stack) : 0;
}

void job_raise_sizes(struct job_flow *f)
{
	size_raise(&f->size, compute_least(f));
}

const char *job_check_flow(const struct job_flow *f, bool is_file)
{
	const uint32_t least = compute_least(f);
	struct stack_ip ip;

	if (f->speed > 0 && f->rate.unit != RATE_MAX)
		return reason_format("%s: a capture with its own times has no rate; choose one",
				     is_file ? "devx_capture" : "--timing original and --rate");
	if (f->speed > 0 && f->burst_packets)
		return reason_format("%s: a capture with its own times has no bursts; choose one",
				     is_file ? "devx_capture and burst"
					     : "--timing original and --burst");
	if (f->ramp_ns && f->ramp_from.unit != f->rate.unit)
		return reason_format("%s: its unit differs from that of the rate of the flow, or "
				     "the flow has no rate (valid: the same unit for both, such as "
				     "pps)",
				     is_file ? "devx_ramp" : "--ramp");
	if (f->ramp_ns && f->burst_packets)
		return reason_format("%s: gaps between bursts cannot ramp; choose a ramp or bursts",
				     is_file ? "devx_ramp and burst" : "--ramp and --burst");
	if ((f->expect == EXPECT_ROUTED || f->expect == EXPECT_ROUTED_DSCP) && !f->capture &&
	    !stack_find_ip(&f->stack, &ip))
		return reason_format("%s: %s; the frames have no IP header that a router reads "
				     "(valid: same, any)",
				     is_file ? "devx_expect" : "--expect", expect_names[f->expect]);
	if (!f->capture && f->size.min < least)
		return reason_format("%s: frames of %u bytes; the headers and the signature need "
				     "%u (valid: %u to %d)",
				     is_file ? "size" : "--size", f->size.min, least, least,
				     PKTGEN_MAX_SIZE);
	return NULL;
}

const char *job_check_ports(const struct options *o, unsigned n_ports)
{
	if (n_ports > 1 && n_ports % 2)
		return reason_format(
			"%u ports (valid: 1, or an even number: pairs of sender and receiver); "
			"add or remove one --port",
			n_ports);
	if (o->both && n_ports < 2)
		return "--both: 1 port (valid: 2); give --port twice";
	if ((uint64_t)o->n_flows * job_count_flows(o, n_ports) > JOB_MAX_FLOWS)
		return reason_format("--flows %u: makes %u flows on %u ports (valid: at most %d); "
				     "give a lower number",
				     o->n_flows, o->n_flows * job_count_flows(o, n_ports), n_ports,
				     JOB_MAX_FLOWS);
	return NULL;
}

const char *job_check_receivers(const struct options *o, bool is_file)
{
	if (!o->send_only || !o->address_given)
		return NULL;
	return reason_format("%s: a port that does not receive can neither answer nor see answers; "
			     "choose one",
			     is_file ? "send_only and addresses"
				     : "--address or --gateway, and --send-only");
}

const char *job_check_numbers(const struct options *o, unsigned n_ports)
{
	for (unsigned i = n_ports; i < PKTGEN_MAX_PORTS; i++) {
		const char *option = o->addresses[i].n            ? "address"
				     : o->addresses[i].n_gateways ? "gateway"
				     : o->queues[i].is_named      ? "queues"
								  : NULL;

		if (option)
			return reason_format("--%s %u=: no such port (valid: 0 to %u)", option, i,
					     n_ports - 1);
	}
	for (unsigned i = 0; i < n_ports; i++) {
		const char *why = addresses_check(&o->addresses[i]);

		if (why)
			return reason_format("--gateway %u=%s", i, why);
	}
	return NULL;
}

static const char *check_capture(const struct options *o)
{
	if (o->loops && !o->pcap)
		return "--loops: no capture to repeat; give --pcap FILE, or --count N for "
		       "generated frames";
	if (o->loops && o->count)
		return "--loops and --count: both set the number of packets; give one";
	if (o->capture_option && !o->pcap)
		return reason_format("--%s: no capture; give --pcap FILE", o->capture_option);
	if (o->speed > 0 && !o->original_timing)
		return "--speed: only with the times of the capture; give --timing original";
	if (!rewrite_is_empty(&o->rewrite) && !o->pcap)
		return "--rewrite-...: no capture to rewrite; give --pcap FILE, or set the "
		       "addresses of generated frames (--src-ip ...)";
	if (o->frame_option && o->pcap)
		return reason_format("--%s and --pcap: a capture has its own sizes and headers; "
				     "leave one of the options out",
				     o->frame_option);
	return NULL;
}

static const char *check_bursts(const struct options *o)
{
	if (!o->burst_packets != !o->burst_gap_ns)
		return "--burst and --burst-gap: one is missing; give the number of packets and "
		       "the time between bursts";
	if (o->burst_packets && o->count % o->burst_packets)
		return reason_format("--count %llu: is not a whole number of bursts (valid: "
				     "multiples of --burst, %llu)",
				     (unsigned long long)o->count,
				     (unsigned long long)o->burst_packets);
	return NULL;
}

static const char *check_ports(const struct options *o)
{
	const char *why;

	if (o->print_config && !o->n_ports)
		return "--print-config: no port; give --port DEVICE, for example --port "
		       "net_devx0,ibdev=mlx5_0";
	if (o->demo && o->send_only)
		return "demo --send-only: the wire of the demo (pause=on) stops the sender when no "
		       "port receives; use devx-emu --wire sink -- devx-pktgen run --send-only "
		       "--port net_devx0,ibdev=mlx5_0";
	if (!o->n_ports && !o->n_eal)
		return "run: no port; give --port DEVICE, for example --port "
		       "net_devx0,ibdev=mlx5_0";
	why = o->n_ports ? job_check_ports(o, o->n_ports) : NULL;
	return why || !o->n_ports ? why : job_check_numbers(o, o->n_ports);
}

const char *options_check(const struct options *o)
{
	struct job_flow flow = { .size = o->size,
				 .stack = o->pcap ? (struct stack){ 0 } : o->stack,
				 .speed = o->speed,
				 .expect = o->pcap ? EXPECT_DEFAULT : o->expect,
				 .rate = o->rate,
				 .ramp_from = o->ramp_from,
				 .ramp_ns = o->ramp_ns,
				 .burst_packets = o->burst_packets };
	const char *why = check_capture(o);

	job_raise_sizes(&flow);
	if (!why && o->packet && o->field_option)
		why = reason_format("--%s and --packet: the first is a field of the default "
				    "packet; give it in --packet",
				    o->field_option);
	if (!why)
		why = check_bursts(o);
	if (!why)
		why = job_check_flow(&flow, false);
	if (!why)
		why = share_check(o);
	if (!why)
		why = check_ports(o);
	return why ? why : job_check_receivers(o, false);
}

static bool is_stdout(const char *path)
{
	return path && !strcmp(path, "-");
}

const char *options_check_reports(const struct options *o)
{
	if (is_stdout(o->json) + is_stdout(o->csv) + is_stdout(o->latency_log) > 1)
		return reason_format("%s and %s: both write to stdout; give one of them a file",
				     is_stdout(o->json) ? "--json -" : "--csv -",
				     is_stdout(o->latency_log) ? "--latency-log -" : "--csv -");
	if (o->latency_log && o->pcap)
		return "--latency-log and --pcap: the frames of a capture have no latency, because "
		       "they carry no time; leave --latency-log out";
	if (o->latency_log && o->send_only)
		return "--latency-log and --send-only: no latency without a receiver; give one";
	if (o->interval_ns && !o->json && !o->csv)
		return "--interval: no records; give --json or --csv";
	return NULL;
}
