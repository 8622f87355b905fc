/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/json.h"

#include <time.h>

#include "report/json_values.h"

static json_t *describe_port(const struct port *p)
{
	char mac[RTE_ETHER_ADDR_FMT_SIZE];
	json_t *j = json_object();

	rte_ether_format_addr(mac, sizeof(mac), &p->mac);
	json_set_number(j, "port", p->id);
	json_set_text(j, "name", p->device);
	json_set_text(j, "driver", p->driver);
	json_set_text(j, "mac", mac);
	json_set_number(j, "mtu", p->mtu);
	json_set_number(j, "link_mbps", p->link_mbps);
	json_set_number(j, "tx_queues", p->n_tx);
	json_set_number(j, "rx_queues", p->n_rx);
	return j;
}

static json_t *describe_rate(const struct rate *r)
{
	static const char *const units[] = {
		[RATE_MAX] = "max",      [RATE_PACKETS] = "pps",        [RATE_BITS] = "bps",
		[RATE_LINE] = "percent", [RATE_LINE_BITS] = "line_bps",
	};
	json_t *j = json_object();

	json_set_text(j, "unit", units[r->unit]);
	if (r->unit != RATE_MAX)
		json_set_real(j, "value", (double)r->micro / RATE_MICRO);
	return j;
}

static json_t *describe_flow(const struct run *r, const struct job_flow *f)
{
	json_t *j = json_object();

	json_set_text(j, "name", f->name);
	json_set_text(j, "port_tx", r->ports.port[f->tx].device);
	json_set_text(j, "port_rx", r->ports.port[f->rx].device);
	json_object_set_new(j, "rate", describe_rate(&f->rate));
	json_set_real(j, "frame_bytes_mean", job_compute_mean(f));
	if (f->pcap)
		json_set_text(j, "pcap", f->pcap);
	if (f->interface)
		json_set_text(j, "interface", f->interface);
	if (f->count)
		json_set_number(j, "count", f->count);
	if (f->duration_ns)
		json_set_real(j, "duration_s", (double)f->duration_ns / 1e9);
	if (!f->capture)
		json_set_text(j, "expect", expect_names[f->expect]);
	return j;
}

static void set_wall_time(json_t *to, const char *name)
{
	const time_t now = time(NULL);
	char text[sizeof("2000-01-01T00:00:00Z") + 8];
	struct tm tm;

	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
	json_set_text(to, name, text);
}

enum pktgen_exit json_write_start(struct record_file *file, const struct run *r)
{
	json_t *j, *command, *ports, *flows;

	if (!file->path)
		return PKTGEN_MET;
	j = json_begin_record("start", 0);
	json_set_number(j, "schema", JSON_SCHEMA_VERSION);
	json_set_text(j, "program", "devx-pktgen");
	json_set_text(j, "version", PKTGEN_VERSION);
	set_wall_time(j, "date");
	json_object_set_new(j, "command", command = json_array());
	for (int i = 0; i < r->o->argc; i++)
		json_array_append_new(command, json_make_text(r->o->argv[i]));
	json_set_number(j, "run", r->number);
	json_set_text(j, "clock", "TSC");
	json_set_number(j, "clock_hz", clock_get_hz());
	json_set_real(j, "interval_s", (double)r->o->interval_ns / 1e9);
	json_object_set_new(j, "verifies", json_boolean(!r->o->send_only));
	json_object_set_new(j, "ports", ports = json_array());
	for (unsigned i = 0; i < r->ports.n; i++)
		json_array_append_new(ports, describe_port(&r->ports.port[i]));
	json_object_set_new(j, "flows", flows = json_array());
	for (unsigned i = 0; i < r->job.n_flows; i++)
		json_array_append_new(flows, describe_flow(r, &r->job.flows[i]));
	return json_write_record(file, j);
}
