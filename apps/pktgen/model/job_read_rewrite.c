/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/job_reading.h"

static bool read_mac(struct json_reader *r, json_t *value, void *target, bool is_src)
{
	struct job_reading *reading = target;
	const char *text, *why;

	if (!json_get_text(r, value, &text))
		return false;
	why = rewrite_set_mac(&reading->options->rewrite, is_src, text);
	return !why || json_note_refusal(r, "%s: %s", text, why);
}

static bool read_src_mac(struct json_reader *r, json_t *value, void *target)
{
	return read_mac(r, value, target, true);
}

static bool read_dst_mac(struct json_reader *r, json_t *value, void *target)
{
	return read_mac(r, value, target, false);
}

static bool read_from(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;

	return json_get_text(r, value, &reading->from);
}

static bool read_to(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;

	return json_get_text(r, value, &reading->to);
}

static bool read_network(struct json_reader *r, json_t *value, void *target)
{
	static const struct json_key keys[] = {
		{ "from", read_from, true },
		{ "to", read_to, true },
		{ 0 },
	};
	struct job_reading *reading = target;
	const char *why;

	if (!json_read_object(r, value, keys, target))
		return false;
	why = rewrite_add_network(&reading->options->rewrite, reading->from, reading->to);
	return !why || json_note_refusal(r, "%s", why);
}

static bool read_networks(struct json_reader *r, json_t *value, void *target)
{
	return json_read_array(r, value, REWRITE_MAX_NETWORKS, read_network, target);
}

bool job_read_rewrite(struct json_reader *r, json_t *value, void *target)
{
	static const struct json_key keys[] = {
		{ "src_mac", read_src_mac, false },
		{ "dst_mac", read_dst_mac, false },
		{ "ip", read_networks, false },
		{ 0 },
	};
	const struct job_reading *reading = target;

	if (!rewrite_is_empty(&reading->options->rewrite))
		return true; /* read_job() has read it before the flows */
	return json_read_object(r, value, keys, target);
}
