/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/job_reading.h"

static bool read_drain(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;
	const char *text, *why;

	if (!json_get_text(r, value, &text))
		return false;
	why = units_parse_duration(text, &reading->options->drain_ns);
	return !why || json_note_refusal(r, "%s: %s", text, why);
}

static bool read_send_only(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;

	return json_get_bool(r, value, &reading->options->send_only);
}

static bool read_sender(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;
	const char *text, *why;

	if (!json_get_text(r, value, &text))
		return false;
	why = sender_choice_parse(&reading->options->sender, text);
	return !why || json_note_refusal(r, "%s: %s", text, why);
}

static bool read_checksums(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;
	const char *text, *why;

	if (!json_get_text(r, value, &text))
		return false;
	why = checksums_choice_parse(&reading->options->checksums, text);
	return !why || json_note_refusal(r, "%s: %s", text, why);
}

static bool read_timestamps(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;
	const char *text, *why;

	if (!json_get_text(r, value, &text))
		return false;
	why = timestamps_choice_parse(&reading->options->timestamps, text);
	return !why || json_note_refusal(r, "%s: %s", text, why);
}

static bool read_mtu(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;
	uint64_t n = 0;
	const bool ok = json_get_uint(r, value, PKTGEN_MIN_MTU, UINT16_MAX, &n);

	reading->options->mtu = (uint16_t)n;
	return ok;
}

static bool read_ring(struct json_reader *r, json_t *value, uint32_t *ring)
{
	uint64_t n = 0;
	const bool ok = json_get_uint(r, value, 1, UINT16_MAX, &n);

	*ring = (uint32_t)n;
	return ok;
}

static bool read_rx_ring(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;

	return read_ring(r, value, &reading->options->rx_ring);
}

static bool read_tx_ring(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;

	return read_ring(r, value, &reading->options->tx_ring);
}

static bool read_cores(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;
	const char *text, *why;

	if (!json_get_text(r, value, &text))
		return false;
	why = cores_option_parse(&reading->options->cores, text);
	return !why || json_note_refusal(r, "%s: %s", text, why);
}

bool job_read_settings(struct json_reader *r, json_t *value, void *target)
{
	static const struct json_key keys[] = {
		{ "drain", read_drain, false },           { "send_only", read_send_only, false },
		{ "sender", read_sender, false },         { "mtu", read_mtu, false },
		{ "rx_ring", read_rx_ring, false },       { "tx_ring", read_tx_ring, false },
		{ "cores", read_cores, false },           { "checksums", read_checksums, false },
		{ "timestamps", read_timestamps, false }, { 0 },
	};

	struct job_reading *reading = target;
	struct options *o = reading->options;
	const struct options given = *o;
	bool ok;

	ok = json_read_object(r, value, keys, target);
	/* The command line wins. */
	o->drain_ns = o->settings & SETTING_DRAIN ? given.drain_ns : o->drain_ns;
	o->send_only = o->settings & SETTING_SEND_ONLY ? given.send_only : o->send_only;
	o->sender = o->settings & SETTING_SENDER ? given.sender : o->sender;
	o->checksums = o->settings & SETTING_CHECKSUMS ? given.checksums : o->checksums;
	o->timestamps = o->settings & SETTING_TIMESTAMPS ? given.timestamps : o->timestamps;
	o->mtu = o->settings & SETTING_MTU ? given.mtu : o->mtu;
	o->rx_ring = o->settings & SETTING_RX_RING ? given.rx_ring : o->rx_ring;
	o->tx_ring = o->settings & SETTING_TX_RING ? given.tx_ring : o->tx_ring;
	o->cores = o->settings & SETTING_CORES ? given.cores : o->cores;
	return ok;
}
