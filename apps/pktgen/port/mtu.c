/* SPDX-License-Identifier: BSD-3-Clause */
#include "port/mtu.h"

#include <stdio.h>

#include "cli/messages.h"
#include "eal/eal_log.h"

enum { VLAN_BYTES = 4, ADVICE_BYTES = 256 };

/* Formats advice on how to reach MTU @mtu. The MTU of an adapter may limit that of its ports. */
static const char *format_mtu_advice(const struct port *port, uint32_t mtu)
{
	static char text[ADVICE_BYTES];

	if (mtu <= port->max_mtu)
		snprintf(text, sizeof(text), "give --mtu %u", mtu);
	else
		snprintf(text, sizeof(text),
			 "raise the MTU of the adapter first (on emu: devx-emu --mtu %u), because "
			 "the "
			 "port takes at most MTU %u; then give --mtu %u",
			 mtu, port->max_mtu, mtu);
	return text;
}

enum pktgen_exit port_set_mtu(struct port *port, uint16_t mtu, const struct rte_eth_dev_info *dev)
{
	int rc;

	if (mtu < dev->min_mtu || mtu > dev->max_mtu)
		return report_error(
			PKTGEN_USAGE, "--mtu %u: invalid for port %s (valid: %u to %u); %s", mtu,
			port->device, dev->min_mtu, dev->max_mtu,
			mtu > dev->max_mtu ? format_mtu_advice(port, mtu) : "give a larger MTU");
	eal_log_clear();
	rc = rte_eth_dev_set_mtu(port->id, mtu);
	if (rc)
		return report_error(PKTGEN_ENVIRONMENT, "--mtu %u: port %s: cannot set it: %s", mtu,
				    port->device, eal_log_read_error(rte_strerror(-rc)));
	return PKTGEN_MET;
}

static bool is_tagged(const struct capture_frame *f)
{
	const uint16_t type = (uint16_t)(f->bytes[12] << 8 | f->bytes[13]);

	return type == RTE_ETHER_TYPE_VLAN || type == RTE_ETHER_TYPE_QINQ;
}

static enum pktgen_exit check_size(const struct port *port, const struct job_flow *f)
{
	const uint32_t most = (uint32_t)port->mtu + RTE_ETHER_HDR_LEN + PKTGEN_FCS_BYTES;
	const uint32_t size = f->size.max;

	if (size <= most)
		return PKTGEN_MET;
	return report_error(
		PKTGEN_USAGE,
		"--size %u: port %s has MTU %u (valid: 64 to %u bytes); for this size %s", size,
		port->device, port->mtu, most,
		format_mtu_advice(port, size - RTE_ETHER_HDR_LEN - PKTGEN_FCS_BYTES));
}

static enum pktgen_exit check_capture(const struct port *port, const struct job_flow *f)
{
	const struct capture *c = f->capture;

	for (uint32_t n = 0; n < c->n_frames; n++) {
		const uint32_t tag = is_tagged(&c->frames[n]) ? VLAN_BYTES : 0;
		const uint32_t most = (uint32_t)port->mtu + RTE_ETHER_HDR_LEN + tag;
		const uint32_t bytes = c->frames[n].n_bytes;

		if (bytes > most)
			return report_error(
				PKTGEN_USAGE,
				"%s: packet %u has %u bytes, port %s has MTU %u (valid: at most %u "
				"bytes); %s",
				f->pcap, n + 1, bytes, port->device, port->mtu, most,
				format_mtu_advice(port, bytes - tag - RTE_ETHER_HDR_LEN));
	}
	return PKTGEN_MET;
}

enum pktgen_exit ports_check_frames(const struct ports *p, const struct job *j)
{
	enum pktgen_exit e = PKTGEN_MET;

	for (unsigned i = 0; i < 2 * j->n_flows && !e; i++) {
		const struct job_flow *f = &j->flows[i / 2];
		const struct port *port = &p->port[i % 2 ? f->rx : f->tx];

		e = f->capture ? check_capture(port, f) : check_size(port, f);
	}
	return e;
}
