/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "model/job_reading.h"

/* Reads a rate: @most of the unit of the key, each of @milli thousandths of @unit. */
static bool read_rate_of(struct json_reader *r, json_t *value, struct job_reading *reading,
			 enum rate_unit unit, double milli, double preset, double most)
{
	struct rate *rate = reading->rate;
	double n = preset;

	if (!json_is_null(value) && !json_get_number(r, value, 0, most, &n))
		return false;
	rate->unit = unit;
	rate->milli = (uint64_t)llround(n * milli);
	return rate->milli || json_note_refusal(r, "is 0 (valid: above 0)");
}

static bool read_pps(struct json_reader *r, json_t *value, void *target)
{
	return read_rate_of(r, value, target, RATE_PACKETS, 1e3, 1000, 1e12);
}

static bool read_bps(struct json_reader *r, json_t *value, void *target)
{
	return read_rate_of(r, value, target, RATE_BITS, 1e3, 1e9, 1e15);
}

static bool read_kbps(struct json_reader *r, json_t *value, void *target)
{
	return read_rate_of(r, value, target, RATE_BITS, 1e6, 1e6, 1e12);
}

static bool read_mbps(struct json_reader *r, json_t *value, void *target)
{
	return read_rate_of(r, value, target, RATE_BITS, 1e9, 1000, 1e9);
}

static bool read_gbps(struct json_reader *r, json_t *value, void *target)
{
	return read_rate_of(r, value, target, RATE_BITS, 1e12, 1, 1e6);
}

static bool read_percentage(struct json_reader *r, json_t *value, void *target)
{
	return read_rate_of(r, value, target, RATE_LINE, 1e3, 100, 100);
}

static bool read_line_bps(struct json_reader *r, json_t *value, void *target)
{
	return read_rate_of(r, value, target, RATE_LINE_BITS, 1e3, 1e9, 1e15);
}

static bool read_rate(struct json_reader *r, json_t *value, struct job_reading *reading,
		      struct rate *rate)
{
	static const struct json_key keys[] = {
		{ "pps", read_pps, false },
		{ "bps", read_bps, false },
		{ "kbps", read_kbps, false },
		{ "mbps", read_mbps, false },
		{ "gbps", read_gbps, false },
		{ "percentage", read_percentage, false },
		{ "devx_line_bps", read_line_bps, false },
		{ 0 },
	};

	reading->rate = rate;
	return json_read_choice(r, value, keys, "pps", reading);
}

bool job_read_rate(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;

	return read_rate(r, value, reading, &reading->flow->rate);
}

bool job_read_port_rate(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;

	return read_rate(r, value, reading, &reading->port->rate);
}

static bool read_first_rate(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;

	return read_rate(r, value, reading, &reading->flow->ramp_from);
}

static bool read_ramp_seconds(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;
	double seconds = 1;

	if (!json_get_number(r, value, 1e-6, UNITS_MAX_HOURS * 3600.0, &seconds))
		return false;
	reading->flow->ramp_ns = (uint64_t)llround(seconds * 1e9);
	return true;
}

bool job_read_ramp(struct json_reader *r, json_t *value, void *target)
{
	static const struct json_key keys[] = {
		{ "from", read_first_rate, true },
		{ "seconds", read_ramp_seconds, true },
		{ 0 },
	};

	return json_read_object(r, value, keys, target);
}

static bool read_packets(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;

	return json_get_uint(r, value, 1, 1ull << PKTGEN_MAX_SEQ_LOG2, &reading->flow->count);
}

/* Reads a time of OTG: {"choice": "microseconds", "microseconds": 5}. */
static bool read_ns(struct json_reader *r, json_t *value, uint64_t *ns, double factor)
{
	double n = 0;

	if (!json_get_number(r, value, 0, UNITS_MAX_HOURS * 3600e9 / factor, &n))
		return false;
	*ns = (uint64_t)llround(n * factor);
	return true;
}

static bool read_nanoseconds(struct json_reader *r, json_t *value, void *ns)
{
	return read_ns(r, value, ns, 1);
}

static bool read_microseconds(struct json_reader *r, json_t *value, void *ns)
{
	return read_ns(r, value, ns, 1000);
}

static bool read_time(struct json_reader *r, json_t *value, uint64_t *ns)
{
	static const struct json_key keys[] = {
		{ "nanoseconds", read_nanoseconds, false },
		{ "microseconds", read_microseconds, false },
		{ "bytes", NULL, false },
		{ 0 },
	};

	return json_read_choice(r, value, keys, "bytes", ns);
}

static bool read_delay(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;

	return read_time(r, value, &reading->flow->delay_ns);
}

static bool read_burst_gap(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;

	return read_time(r, value, &reading->flow->burst_gap_ns);
}

static bool read_burst_packets(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;

	return json_get_uint(r, value, 1, 1ull << 32, &reading->flow->burst_packets);
}

/* The number of bursts is kept in @count until both numbers are known. */
static bool read_bursts(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;

	return json_get_uint(r, value, 0, UINT32_MAX, &reading->flow->count);
}

static bool read_burst(struct json_reader *r, json_t *value, void *target)
{
	static const struct json_key keys[] = {
		{ "packets", read_burst_packets, true },
		{ "bursts", read_bursts, false },
		{ "inter_burst_gap", read_burst_gap, true },
		{ "delay", read_delay, false },
		{ "gap", NULL, false },
		{ 0 },
	};
	struct job_reading *reading = target;
	struct job_flow *f = reading->flow;

	if (!json_read_object(r, value, keys, target))
		return false;
	if (f->count > (1ull << PKTGEN_MAX_SEQ_LOG2) / f->burst_packets)
		return json_note_refusal(r, "has too many packets (valid: at most 2^%d)",
					 PKTGEN_MAX_SEQ_LOG2);
	f->count *= f->burst_packets;
	return true;
}

static bool read_fixed_packets(struct json_reader *r, json_t *value, void *target)
{
	static const struct json_key keys[] = {
		{ "packets", read_packets, true },
		{ "gap", NULL, false },
		{ "delay", read_delay, false },
		{ 0 },
	};

	return json_read_object(r, value, keys, target);
}

bool job_read_seconds(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;
	double seconds = 1;

	if (!json_get_number(r, value, 1e-6, UNITS_MAX_HOURS * 3600.0, &seconds))
		return false;
	reading->flow->duration_ns = (uint64_t)llround(seconds * 1e9);
	return true;
}

static bool read_fixed_seconds(struct json_reader *r, json_t *value, void *target)
{
	static const struct json_key keys[] = {
		{ "seconds", job_read_seconds, true },
		{ "gap", NULL, false },
		{ "delay", read_delay, false },
		{ 0 },
	};

	return json_read_object(r, value, keys, target);
}

static bool read_continuous(struct json_reader *r, json_t *value, void *target)
{
	static const struct json_key keys[] = {
		{ "gap", NULL, false },
		{ "delay", read_delay, false },
		{ 0 },
	};

	return json_is_null(value) || json_read_object(r, value, keys, target);
}

bool job_read_duration(struct json_reader *r, json_t *value, void *target)
{
	static const struct json_key keys[] = {
		{ "fixed_packets", read_fixed_packets, false },
		{ "fixed_seconds", read_fixed_seconds, false },
		{ "continuous", read_continuous, false },
		{ "burst", read_burst, false },
		{ 0 },
	};

	return json_read_choice(r, value, keys, "continuous", target);
}
