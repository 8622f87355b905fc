/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <unistd.h>

#include "cli/messages.h"
#include "eal/eal_log.h"
#include "port/pause.h"
#include "port/ports.h"

enum { LINK_WAIT_MS = 5000, LINK_POLL_MS = 20, TEXT_BYTES = 32 };

static enum pktgen_exit wait_link(struct port *port, const volatile int *stop)
{
	struct rte_eth_link link = { 0 };

	for (unsigned ms = 0; ms <= LINK_WAIT_MS && !*stop; ms += LINK_POLL_MS) {
		if (!rte_eth_link_get_nowait(port->id, &link) &&
		    link.link_status == RTE_ETH_LINK_UP) {
			port->link_mbps =
				link.link_speed == RTE_ETH_SPEED_NUM_UNKNOWN ? 0 : link.link_speed;
			return PKTGEN_MET;
		}
		if (ms % 1000 == 980)
			report_line("port %u: waiting for the link", port->id);
		usleep(LINK_POLL_MS * 1000);
	}
	if (*stop)
		return PKTGEN_MET; /* run_on_ports() checks *@stop next */
	return report_error(PKTGEN_ENVIRONMENT,
			    "port %s: the link has been down for %d s; check the cable, the other "
			    "end and `ip link`",
			    port->device, LINK_WAIT_MS / 1000);
}

static void report_port(const struct port *port)
{
	char speed[TEXT_BYTES] = "unknown speed";

	if (port->link_mbps)
		snprintf(speed, sizeof(speed), "%g Gb/s", port->link_mbps / 1000.0);
	report_line("port %u: %s (%s), MAC %02x:%02x:%02x:%02x:%02x:%02x, MTU %u, link up, %s%s",
		    port->id, port->device, port->driver, port->mac.addr_bytes[0],
		    port->mac.addr_bytes[1], port->mac.addr_bytes[2], port->mac.addr_bytes[3],
		    port->mac.addr_bytes[4], port->mac.addr_bytes[5], port->mtu, speed,
		    port->promisc ? ", promiscuous" : "");
}

enum pktgen_exit ports_start(struct ports *p, const struct options *o, const volatile int *stop)
{
	for (unsigned i = 0; i < p->n; i++) {
		struct port *port = &p->port[i];
		int rc;

		eal_log_clear();
		rc = rte_eth_dev_start(port->id);
		if (rc)
			return report_error(PKTGEN_ENVIRONMENT, "port %s: cannot start it: %s",
					    port->device, eal_log_read_error(rte_strerror(-rc)));
		port->started = true;
		port->promisc = !o->send_only && !rte_eth_promiscuous_enable(port->id) &&
				rte_eth_promiscuous_get(port->id) == 1;
	}
	for (unsigned i = 0; i < p->n; i++) {
		const enum pktgen_exit e = wait_link(&p->port[i], stop);

		if (e)
			return e;
		report_port(&p->port[i]);
		events_begin(&p->port[i].events, p->port[i].id);
	}
	ports_begin_stats(p);
	return PKTGEN_MET;
}

void ports_begin_stats(struct ports *p)
{
	for (unsigned i = 0; i < p->n; i++) {
		struct port *port = &p->port[i];

		rte_eth_stats_get(port->id, &port->base);
		port->counts_pauses = pause_read(port->id, &port->base_pauses);
		port->last_pauses = port->base_pauses;
	}
}

struct rte_eth_stats ports_read_stats(const struct port *port)
{
	const struct rte_eth_stats *base = &port->base, *last = &port->last;
	struct rte_eth_stats s = { 0 };

	rte_eth_stats_get(port->id, &s);
	s.ipackets = RTE_MAX(s.ipackets, last->ipackets) - base->ipackets;
	s.opackets = RTE_MAX(s.opackets, last->opackets) - base->opackets;
	s.imissed = RTE_MAX(s.imissed, last->imissed) - base->imissed;
	s.ierrors = RTE_MAX(s.ierrors, last->ierrors) - base->ierrors;
	s.oerrors = RTE_MAX(s.oerrors, last->oerrors) - base->oerrors;
	s.rx_nombuf = RTE_MAX(s.rx_nombuf, last->rx_nombuf) - base->rx_nombuf;
	return s;
}

void ports_stop(struct ports *p)
{
	/* Reads all ports first: a net_memif port that stops resets the counters of its peer. */
	for (unsigned i = 0; i < p->n; i++) {
		if (!p->port[i].started)
			continue;
		rte_eth_stats_get(p->port[i].id, &p->port[i].last);
		if (p->port[i].counts_pauses)
			pause_read(p->port[i].id, &p->port[i].last_pauses);
	}
	for (unsigned i = 0; i < p->n; i++) {
		if (!p->port[i].started)
			continue;
		events_end(&p->port[i].events);
		rte_eth_dev_stop(p->port[i].id);
		p->port[i].started = false;
	}
}
