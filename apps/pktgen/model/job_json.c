/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/job_json.h"
#include "model/job_nodes.h"
#include "model/job_settings.h"

enum { READ_BYTES = 1 << 16 };

/* ---- rewrite --------------------------------------------------------------------- */

static const char *parse_src_mac(void *place, const char *text)
{
	return rewrite_set_mac(place, true, text);
}

static const char *parse_dst_mac(void *place, const char *text)
{
	return rewrite_set_mac(place, false, text);
}

/* Writes the source MAC if the node has a @tag, else the destination MAC. */
static json_t *write_mac(struct json_from from)
{
	const struct rewrite *r = from.place;
	const uint8_t *mac = from.node->tag ? r->src_mac : r->dst_mac;

	return (from.node->tag ? r->has_src_mac : r->has_dst_mac)
		       ? json_sprintf("%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1], mac[2],
				      mac[3], mac[4], mac[5])
		       : NULL;
}

struct network {
	const char *from, *to;
};

static bool read_network_text(struct json_reader *r, json_t *value, struct json_at at)
{
	return json_get_text(r, value, at.place);
}

static const struct json_node network_keys[] = {
	{ "from", NODE_TEXT, NODE_AT(struct network, from), .is_required = true,
	  .read = read_network_text },
	{ "to", NODE_TEXT, NODE_AT(struct network, to), .is_required = true,
	  .read = read_network_text },
	{ 0 },
};

static bool read_network(struct json_reader *r, json_t *value, struct json_at at)
{
	struct network network;

	return json_read_kind(r, value, at.node, &network) &&
	       json_note_reason(r, rewrite_add_network(at.place, network.from, network.to));
}

static json_t *write_network(const struct address *a)
{
	char text[ADDRESS_TEXT_BYTES];

	return json_sprintf("%s/%u", address_format(a, text), a->prefix);
}

static json_t *write_networks(struct json_from from)
{
	const struct rewrite *r = from.place;
	json_t *networks = r->n ? json_array() : NULL;

	for (unsigned i = 0; i < r->n; i++)
		json_array_append_new(networks, json_pack("{s:o, s:o}", "from",
							  write_network(&r->networks[i].from), "to",
							  write_network(&r->networks[i].to)));
	return networks;
}

static const struct json_node network = { .kind = NODE_OBJECT,
					  .keys = network_keys,
					  .read = read_network };
static const struct json_node rewrite_keys[] = {
	{ "src_mac", NODE_TEXT, .tag = true, .parse = parse_src_mac, .write = write_mac },
	{ "dst_mac", NODE_TEXT, .parse = parse_dst_mac, .write = write_mac },
	{ "ip", NODE_ARRAY, .max = REWRITE_MAX_NETWORKS, .keys = &network,
	  .write = write_networks },
	{ 0 },
};

static bool read_rewrite(struct json_reader *r, json_t *value, struct json_at at)
{
	return json_read_kind(r, value, at.node,
			      &((struct job_target *)r->context)->options->rewrite);
}

static json_t *write_rewrite(struct json_from from)
{
	const struct rewrite *r = &((const struct job_source *)from.context)->options->rewrite;

	return rewrite_is_empty(r) ? NULL : json_write_keys(from.node->keys, r, from.context);
}

/* ---- the file -------------------------------------------------------------------- */

static const struct json_node flow = { .kind = NODE_OBJECT,
				       .keys = job_flow_keys,
				       .read = job_read_flow };

static bool read_flows(struct json_reader *r, json_t *value, struct json_at at)
{
	struct job *j = ((struct job_target *)r->context)->job;

	/* Too many get no memory, because json_read_kind() refuses them. */
	if (json_array_size(value) > JOB_MAX_FLOWS)
		return json_read_kind(r, value, at.node, at.place);
	j->flows = calloc(json_array_size(value) + 1, sizeof(*j->flows));
	return j->flows ? json_read_kind(r, value, at.node, at.place)
			: json_note_refusal(r, "no memory for them");
}

static json_t *write_flows(struct json_from from)
{
	const struct job *j = ((const struct job_source *)from.context)->job;
	json_t *flows = json_array();

	for (unsigned i = 0; i < j->n_flows; i++)
		json_array_append_new(flows,
				      json_write_keys(job_flow_keys, &j->flows[i], from.context));
	return flows;
}

/* Reading the flows needs the ports and the rewritten addresses, so those two keys come first. */
const struct json_node job_keys[] = {
	{ "ports", NODE_ARRAY, .max = PKTGEN_MAX_PORTS, .keys = job_port_node, .is_required = true,
	  .is_first = true, .write = job_write_ports },
	{ "devices", NODE_ARRAY, .max = PKTGEN_MAX_PORTS, .keys = job_device_node,
	  .read = job_read_devices, .write = job_write_devices },
	{ "flows", NODE_ARRAY, .max = JOB_MAX_FLOWS, .keys = &flow, .is_required = true,
	  .read = read_flows, .write = write_flows },
	{ "devx_rewrite", NODE_OBJECT, .keys = rewrite_keys, .is_first = true, .read = read_rewrite,
	  .write = write_rewrite, .about = "new addresses of the frames of the capture" },
	{ "devx_pktgen", NODE_OBJECT, .keys = job_settings_keys, .read = job_read_settings,
	  .write = job_write_settings },
	{ "lags", NODE_UNSUPPORTED },
	{ "layer1", NODE_UNSUPPORTED },
	{ "captures", NODE_UNSUPPORTED },
	{ "events", NODE_UNSUPPORTED },
	{ "options", NODE_UNSUPPORTED },
	{ "lldp", NODE_UNSUPPORTED },
	{ 0 },
};

/* Divides the rate of each port among its flows. */
static bool share_port_rates(struct json_reader *r, struct job *j)
{
	for (unsigned i = 0; i < j->n_flows; i++) {
		const struct job_flow *f = &j->flows[i];

		if (j->ports[f->tx].rate.unit != RATE_MAX &&
		    (f->rate.unit != RATE_MAX || f->speed > 0))
			return json_note_refusal(r,
						 "flow %s has a rate or the times of a capture, "
						 "and its port %s has devx_rate; choose one",
						 f->name, j->ports[f->tx].name);
	}
	return job_share_port_rates(j) ||
	       json_note_refusal(r, "devx_rate of a port is too small for its flows; raise it");
}

static bool read_job(struct json_reader *r, json_t *root, struct job *j)
{
	if (!json_read_keys(r, root, job_keys, j))
		return false;
	if (!j->n_ports || !j->n_flows)
		return json_note_refusal(r, "%s: is empty (valid: at least 1)",
					 j->n_ports ? "flows" : "ports");
	return share_port_rates(r, j);
}

/* Reads the whole file into memory. Returns NULL after a refusal. */
static char *read_text(struct json_reader *r, FILE *file, size_t *n)
{
	char *text = NULL, *more;

	for (*n = 0; !feof(file) && !ferror(file);) {
		more = realloc(text, *n + READ_BYTES);
		if (!more || *n > JOB_MAX_FILE_BYTES) {
			free(more ? more : text);
			json_note_refusal(r, more ? "is longer than %d MiB" : "no memory for it",
					  JOB_MAX_FILE_BYTES >> 20);
			return NULL;
		}
		text = more;
		*n += fread(text + *n, 1, READ_BYTES, file);
	}
	if (!ferror(file))
		return text;
	json_note_refusal(r, "cannot read it: %s", strerror(errno));
	free(text);
	return NULL;
}

static json_t *load_file(struct json_reader *r, const char *path)
{
	const bool is_stdin = !strcmp(path, "-");
	FILE *file = is_stdin ? stdin : fopen(path, "re");
	json_error_t error;
	json_t *root = NULL;
	char *text;
	size_t n;

	if (!file) {
		json_note_refusal(r, "cannot open it: %s", strerror(errno));
		return NULL;
	}
	text = read_text(r, file, &n);
	if (text)
		root = json_loadb(text, n, JSON_REJECT_DUPLICATES, &error);
	if (text && !root)
		json_note_refusal(r, "line %d, column %d: %s", error.line, error.column,
				  error.text);
	free(text);
	if (!is_stdin)
		fclose(file);
	return root;
}

int job_read_file(struct job *j, struct options *o, const char *path, char *why, size_t why_bytes)
{
	struct job_target context = { .job = j, .options = o, .names = json_object() };
	struct json_reader r = { .file = strcmp(path, "-") ? path : "stdin", .context = &context };
	json_t *root = load_file(&r, path);
	const bool ok = root && read_job(&r, root, j);

	json_decref(root);
	json_decref(context.names);
	if (!ok)
		snprintf(why, why_bytes, "%s", r.why);
	return ok ? 0 : -EINVAL;
}

char *job_write(const struct job *j, const struct options *o)
{
	const struct job_source source = { j, o };
	json_t *root = json_write_keys(job_keys, j, &source);
	char *text = root ? json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15)) : NULL;

	json_decref(root);
	return text;
}
