/* SPDX-License-Identifier: BSD-3-Clause */
#include "port/mtu.h"

#include <stdio.h>

#include "cli/messages.h"
#include "eal/eal_log.h"

enum { VLAN_BYTES = 4, ADVICE_BYTES = 256 };

/* Says what to do to use MTU @mtu: the MTU of an adapter may limit that of its ports. */
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

enum pktgen_exit ports_check_frames(const struct ports *p, const struct options *o,
				    const struct capture *c)
{
	for (unsigned i = 0; i < p->n; i++) {
		const struct port *port = &p->port[i];
		const uint32_t most = (uint32_t)port->mtu + RTE_ETHER_HDR_LEN;

		if (!c && o->size.max > most + PKTGEN_FCS_BYTES)
			return report_error(
				PKTGEN_USAGE,
				"--size %u: port %s has MTU %u (valid: 64 to %u bytes); for this "
				"size %s",
				o->size.max, port->device, port->mtu, most + PKTGEN_FCS_BYTES,
				format_mtu_advice(port, o->size.max - RTE_ETHER_HDR_LEN -
								PKTGEN_FCS_BYTES));
		for (uint32_t n = 0; c && n < c->n_frames; n++) {
			const uint32_t tag = is_tagged(&c->frames[n]) ? VLAN_BYTES : 0;

			if (c->frames[n].n_bytes <= most + tag)
				continue;
			return report_error(
				PKTGEN_USAGE,
				"%s: packet %u has %u bytes, port %s has MTU %u (valid: at most %u "
				"bytes); %s",
				o->pcap, n + 1, c->frames[n].n_bytes, port->device, port->mtu,
				most + tag,
				format_mtu_advice(port,
						  c->frames[n].n_bytes - tag - RTE_ETHER_HDR_LEN));
		}
	}
	return PKTGEN_MET;
}
