/* SPDX-License-Identifier: BSD-3-Clause */
#include "port/ports.h"

#include <stdio.h>
#include <string.h>

#include <rte_dev.h>

#include "cli/messages.h"
#include "eal/eal_log.h"
#include "model/job_check.h"
#include "port/device.h"

static enum pktgen_exit attach_device(const struct options *o, unsigned index)
{
	const char *const device = o->ports[index];
	const char *why, *hint;

	eal_log_clear();
	if (!rte_dev_probe(device))
		return PKTGEN_MET;
	why = eal_log_read_error("the driver refuses the device (--verbose shows the log)");
	hint = device_suggest(device, index);
	/* EAL logs this text if no driver claims the name of the device. */
	if (strstr(why, "failed to parse device"))
		why = *hint ? "no driver claims this device name"
			    : "no driver claims this device name; check the name, or load the "
			      "driver (-- -d librte_net_NAME.so)";
	return report_error(PKTGEN_ENVIRONMENT, "port %s: %s%s%s", device, why, hint,
			    o->demo && !o->ports_given
				    ? "; to run on emulated ports: devx-emu --ports 2 --wire "
				      "pair,pause=on -- devx-pktgen demo"
				    : "");
}

/* Finds the ethdev port with the name of the device, or else the first port of the device. */
static enum pktgen_exit find_port(struct port *port)
{
	char name[RTE_ETH_NAME_MAX_LEN];
	size_t n = strcspn(port->device, ",");

	snprintf(name, sizeof(name), "%.*s", (int)n, port->device);
	if (!rte_eth_dev_get_port_by_name(name, &port->id))
		return PKTGEN_MET;
	uint16_t id;

	RTE_ETH_FOREACH_DEV (id) {
		struct rte_eth_dev_info dev;

		if (!rte_eth_dev_info_get(id, &dev) && dev.device &&
		    !strcmp(rte_dev_name(dev.device), name)) {
			port->id = id;
			return PKTGEN_MET;
		}
	}
	return report_error(PKTGEN_ENVIRONMENT,
			    "port %s: the driver made no ethdev port for the device", port->device);
}

/* Refuses the last port of @p if an earlier device name of @p gave the same port. */
static enum pktgen_exit check_same_port(const struct ports *p)
{
	const struct port *last = &p->port[p->n - 1];

	for (const struct port *port = p->port; port < last; port++) {
		if (port->id == last->id)
			return report_error(PKTGEN_USAGE,
					    "--port %s: the same port as --port %s; give two "
					    "different devices, or --port once",
					    last->device, port->device);
	}
	return PKTGEN_MET;
}

static uint16_t limit_queues(uint16_t most)
{
	return most < QUEUES_MAX ? most : QUEUES_MAX;
}

/* Stores the addresses of the ports. Refuses options of ports that do not exist. */
static enum pktgen_exit take_addresses(struct ports *p, const struct options *o)
{
	const char *why = job_check_numbers(o, p->n);

	if (why)
		return report_error(PKTGEN_USAGE, "%s", why);
	for (unsigned i = 0; i < p->n; i++) {
		struct port *port = &p->port[i];

		port->addresses = o->addresses[i];
		memcpy(port->addresses.mac, port->mac.addr_bytes, MAC_BYTES);
		/* MBUF_FAST_FREE allows one pool per queue, but answers have their own pool. */
		port->fast_free &= !port->addresses.n;
	}
	return PKTGEN_MET;
}

static enum pktgen_exit read_limits(struct port *port)
{
	const uint64_t rss = RTE_ETH_RSS_IP | RTE_ETH_RSS_TCP | RTE_ETH_RSS_UDP;
	struct rte_eth_dev_info dev;
	const int rc = rte_eth_dev_info_get(port->id, &dev);

	if (rc)
		return report_error(PKTGEN_ENVIRONMENT, "port %s: cannot read its limits: %s",
				    port->device, rte_strerror(-rc));
	port->driver = dev.driver_name;
	port->max_mtu = dev.max_mtu;
	port->n_tx = 1;
	port->n_rx = 1;
	port->max_tx = limit_queues(dev.max_tx_queues);
	port->max_rx = limit_queues(dev.max_rx_queues);
	port->rss_hf = dev.flow_type_rss_offloads & rss;
	port->socket = rte_eth_dev_socket_id(port->id);
	port->tx_offloads = dev.tx_offload_capa;
	port->rx_offloads = dev.rx_offload_capa;
	port->fast_free = dev.tx_offload_capa & RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE;
	rte_eth_macaddr_get(port->id, &port->mac);
	return PKTGEN_MET;
}

static enum pktgen_exit attach_devices(struct ports *p, const struct options *o)
{
	for (unsigned i = 0; i < o->n_ports; i++) {
		enum pktgen_exit e = attach_device(o, i);

		if (e)
			return e;
		p->port[p->n].device = o->ports[i];
		e = find_port(&p->port[p->n]);
		if (e)
			return e;
		p->n++;
		e = check_same_port(p);
		if (e)
			return e;
	}
	return PKTGEN_MET;
}

/* Uses all ports that the EAL options created. */
static enum pktgen_exit take_eal_ports(struct ports *p)
{
	uint16_t id;

	RTE_ETH_FOREACH_DEV (id) {
		if (p->n == PKTGEN_MAX_PORTS)
			return report_error(PKTGEN_USAGE,
					    "EAL options: too many ports (valid: at most %d); name "
					    "the ports to use with --port",
					    PKTGEN_MAX_PORTS);
		p->port[p->n].id = id;
		p->port[p->n++].device = "of the EAL options";
	}
	return PKTGEN_MET;
}

enum pktgen_exit ports_open(struct ports *p, const struct options *o)
{
	enum pktgen_exit e;

	*p = (struct ports){ 0 };
	e = o->n_ports ? attach_devices(p, o) : take_eal_ports(p);
	if (!e && !p->n)
		e = report_error(PKTGEN_ENVIRONMENT,
				 "EAL options: no port; name one with --port DEVICE");
	for (unsigned i = 0; i < p->n && !e; i++)
		e = read_limits(&p->port[i]);
	return e ? e : take_addresses(p, o);
}

const struct placement *ports_find_place(const struct ports *p, uint16_t id)
{
	unsigned i = 0;

	while (i + 1 < p->n && p->port[i].id != id)
		i++;
	return &p->place[i];
}

void ports_close(struct ports *p)
{
	ports_stop(p);
	for (unsigned i = 0; i < p->n; i++) {
		rte_eth_dev_close(p->port[i].id);
		for (unsigned queue = 0; queue < QUEUES_MAX; queue++)
			rte_mempool_free(p->port[i].rx_pools[queue]);
	}
	*p = (struct ports){ 0 };
}
