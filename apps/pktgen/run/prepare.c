/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/run.h"

#include "cli/messages.h"

static uint64_t compute_flow_count(const struct run *r)
{
	const uint64_t most = 1ull << PKTGEN_MAX_SEQ_LOG2;
	const struct options *o = r->o;
	uint64_t count;

	if (o->count)
		return o->count;
	if (!r->capture.n_frames || (o->duration_ns && !o->loops))
		return most;
	count = o->loops ? o->loops : o->demo ? 1 + 1000000 / r->capture.n_frames : 1;
	return count > most / r->capture.n_frames ? most : count * r->capture.n_frames;
}

/* Warns if the link that flow @i is sent on cannot carry the requested rate. */
static void warn_rate_above_link(const struct run *r, unsigned i)
{
	const struct options *o = r->o;
	const struct port *from = &r->ports.port[i];
	const double rate = (double)o->rate.milli / 1000, link = from->link_mbps * 1e6;
	const double bytes =
		o->pcap ? (double)r->capture.total_bytes / r->capture.n_frames + PKTGEN_FCS_BYTES
			: size_compute_mean(&o->size);
	const double line_bytes = bytes + BUCKET_LINE_EXTRA_BYTES;
	double needed = 0;

	if (o->rate.unit == RATE_PACKETS)
		needed = rate * line_bytes * 8;
	else if (o->rate.unit == RATE_BITS)
		needed = rate * line_bytes / bytes;
	if (link > 0 && needed > link)
		report_warning("--rate: flow %u needs a link of %sb/s, preamble and gap included, "
			       "and port %s has %sb/s; the link cannot carry the rate",
			       i, units_format_si(needed), from->device, units_format_si(link));
}

static enum pktgen_exit prepare_flow(struct run *r, unsigned i)
{
	const struct port *from = &r->ports.port[i], *to = &r->ports.port[r->ports.n - 1 - i];
	const struct options *o = r->o;
	struct endpoint src = i ? o->dst : o->src, dst = i ? o->src : o->dst;

	if (!src.mac_given)
		memcpy(src.mac, from->mac.addr_bytes, sizeof(src.mac));
	if (!dst.mac_given)
		memcpy(dst.mac, to->mac.addr_bytes, sizeof(dst.mac));
	flow_init(&r->flows[i], (uint16_t)i, &src, &dst, &o->size);

	r->tx[i] = (struct tx){
		.port = from->id,
		.flow = &r->flows[i],
		.capture = o->pcap ? &r->capture : NULL,
		.clock = &r->clock,
		.count = compute_flow_count(r),
		.until = UINT64_MAX,
	};
	r->rx[i] = (struct rx){
		.port = to->id,
		.tx = &r->tx[i],
		.clock = &r->clock,
	};
	if (o->rate.unit == RATE_LINE && !from->link_mbps)
		return report_error(PKTGEN_USAGE,
				    "--rate in %%: port %s does not report the speed of its link; "
				    "give the rate in pps or bps",
				    from->device);
	warn_rate_above_link(r, i);
	if (track_init(&r->rx[i].track) || (o->pcap && match_init(&r->rx[i].match, &r->capture)))
		return report_error(
			PKTGEN_ENVIRONMENT,
			"flow %u: no memory to account for its packets; free some memory", i);
	return tx_prepare(&r->tx[i], from, o);
}

enum pktgen_exit run_prepare(struct run *r)
{
	enum pktgen_exit e = PKTGEN_MET;

	if (r->o->both && r->ports.n < 2)
		return report_error(PKTGEN_USAGE, "--both: 1 port (valid: 2); give --port twice");
	r->n_flows = r->o->both ? 2 : 1;
	for (unsigned i = 0; i < r->n_flows && !e; i++)
		e = prepare_flow(r, i);
	return e;
}

void run_free(struct run *r)
{
	for (unsigned i = 0; i < r->n_flows; i++) {
		tx_release(&r->tx[i]);
		if (r->rx[i].track.pages)
			track_free(&r->rx[i].track);
		match_free(&r->rx[i].match);
	}
	capture_free(&r->capture);
}
