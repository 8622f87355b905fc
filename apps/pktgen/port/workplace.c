/* SPDX-License-Identifier: BSD-3-Clause */
#include "port/workplace.h"

#include <rte_lcore.h>

#include "cli/messages.h"
#include "port/device.h"

enum { LEAST_USEFUL = 4, EAL_PORTS = 2 };

/* Returns how many workers --cores auto may use: one for each queue that --queues asks for. */
static unsigned count_useful(const struct options *o)
{
	const unsigned n_ports = o->n_ports ? o->n_ports : EAL_PORTS;
	unsigned n = 0;

	for (unsigned i = 0; i < n_ports; i++) {
		n += o->queues[i].tx ? o->queues[i].tx : 1;
		n += o->queues[i].rx ? o->queues[i].rx : 1;
	}
	return n > LEAST_USEFUL ? n : LEAST_USEFUL;
}

enum pktgen_exit workplace_choose(struct cores *c, const struct options *o)
{
	static struct topology t;
	int nodes[PKTGEN_MAX_PORTS] = { -1 };
	const struct cores_request request = {
		.option = &o->cores,
		.nodes = nodes,
		.n_nodes = o->n_ports ? o->n_ports : 1,
		.n_useful = count_useful(o),
	};
	const char *why;

	if (topology_read(&t, NULL))
		return report_error(PKTGEN_ENVIRONMENT,
				    "hwloc cannot read the CPUs of this machine; see `lstopo`");
	for (unsigned i = 0; i < o->n_ports; i++)
		nodes[i] = device_read_node(o->ports[i]);
	why = cores_choose(c, &t, &request);
	return why ? report_error(PKTGEN_USAGE, "--cores: %s", why) : PKTGEN_MET;
}

void workplace_read_eal(struct cores *c)
{
	unsigned lcore;

	c->n_workers = 0;
	c->is_loose = false;
	RTE_LCORE_FOREACH_WORKER (lcore) {
		const rte_cpuset_t cpus = rte_lcore_cpuset(lcore);
		const unsigned socket = rte_lcore_to_socket_id(lcore);
		unsigned cpu = 0;

		if (c->n_workers == CORES_MAX_WORKERS)
			break;
		while (cpu < CPU_SETSIZE - 1 && !CPU_ISSET(cpu, &cpus))
			cpu++;
		c->is_loose |= CPU_COUNT(&cpus) != 1;
		c->workers[c->n_workers++] = (struct core_worker){
			.cpu = (uint16_t)cpu,
			.node = (int16_t)(socket == (unsigned)SOCKET_ID_ANY ? -1 : (int)socket),
		};
	}
}

/* Returns how many send queues the flows can use. A capture keeps its order only in one queue. */
static uint16_t compute_most_tx(const struct port *port, const struct job *j, unsigned index)
{
	unsigned n_captures = 0, n_flows = 0;

	for (unsigned i = 0; i < j->n_flows; i++) {
		n_flows += j->flows[i].tx == index;
		n_captures += j->flows[i].tx == index && j->flows[i].capture;
	}
	return n_captures && n_flows == n_captures && n_flows < port->max_tx ? (uint16_t)n_flows
									     : port->max_tx;
}

/* Returns how many receive queues the flows can use. A capture is matched only within one queue. */
static uint16_t compute_most_rx(const struct port *port, const struct job *j, unsigned index)
{
	for (unsigned i = 0; i < j->n_flows; i++) {
		if (j->flows[i].rx == index && j->flows[i].capture)
			return 1;
	}
	return port->rss_hf ? port->max_rx : 1;
}

static void warn_nodes(const struct ports *p, const struct cores *c)
{
	for (unsigned i = 0; i < p->n; i++) {
		const struct port *port = &p->port[i];
		const unsigned n_far = placement_count_far(&p->place[i], c);

		if (c->n_nodes < 2 || c->is_loose)
			continue;
		if (port->socket < 0)
			report_warning("port %s: its NUMA node is unknown; its workers may be on "
				       "another node, which costs time; choose CPUs with --cores",
				       port->device);
		else if (n_far)
			report_warning("port %s: the workers of %u of its queues are on another "
				       "NUMA node, which costs time; choose CPUs of node %d with "
				       "--cores",
				       port->device, n_far, port->socket);
	}
}

void workplace_assign(struct ports *p, const struct job *j, const struct options *o,
		      const struct cores *c)
{
	for (unsigned i = 0; i < p->n; i++) {
		const struct port *port = &p->port[i];

		p->place[i] = (struct placement){
			.id = port->id,
			.node = port->socket,
			.most_tx = compute_most_tx(port, j, i),
			.most_rx = compute_most_rx(port, j, i),
			.asked = o->queues[i],
		};
	}
	for (unsigned i = 0; i < j->n_flows; i++) {
		p->place[j->flows[i].tx].sends = true;
		p->place[j->flows[i].rx].receives = !o->send_only;
	}
	placement_make(p->place, p->n, c, o->cores.n_workers || o->cores.n_cpus);
	for (unsigned i = 0; i < p->n; i++) {
		p->port[i].n_tx = p->place[i].n_tx;
		p->port[i].n_rx = p->place[i].n_rx;
	}
	warn_nodes(p, c);
}
