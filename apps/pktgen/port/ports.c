/* SPDX-License-Identifier: BSD-3-Clause */
#include "port/ports.h"

#include <stdio.h>
#include <unistd.h>

#include <rte_dev.h>
#include <rte_errno.h>

#include "cli/messages.h"
#include "eal/eal_log.h"
#include "port/mtu.h"

enum {
	N_BUFFERS = 8192, /* smallest number of buffers of a pool */
	CACHE = 256,
	BUFFER_BYTES = 2048, /* smallest buffer */
	BUFFER_ALIGN = 64,
	BUFFER_EXTRA_BYTES = 128 + 128, /* struct rte_mbuf and RTE_PKTMBUF_HEADROOM */
	FRAME_EXTRA_BYTES = 26,         /* Ethernet header, two VLAN tags, FCS */
	SPARE_MB = 128,                 /* for rings and for the drivers' own memory */
	LINK_WAIT_MS = 5000,
	LINK_POLL_MS = 20,
	TEXT_BYTES = 32,
};

static uint32_t compute_buffer_bytes(uint32_t frame_bytes)
{
	const uint32_t bytes = frame_bytes > BUFFER_BYTES ? frame_bytes : BUFFER_BYTES;

	return RTE_ALIGN_CEIL(bytes, BUFFER_ALIGN);
}

/* Enough for a full ring, the pool's caches, and the bursts that sender and receiver handle. */
static unsigned compute_n_buffers(uint32_t ring)
{
	const unsigned n = ring + 3 * CACHE + 2 * PKTGEN_BURST;

	return n > N_BUFFERS ? n : N_BUFFERS;
}

size_t ports_compute_memory_mb(const struct options *o, uint32_t max_bytes)
{
	const size_t buffer =
		compute_buffer_bytes(max_bytes + FRAME_EXTRA_BYTES) + BUFFER_EXTRA_BYTES;
	const size_t n = (size_t)compute_n_buffers(o->rx_ring) + compute_n_buffers(o->tx_ring);

	return SPARE_MB + (PKTGEN_MAX_PORTS * n * buffer >> 20);
}

static enum pktgen_exit attach_device(const struct options *o, const char *device)
{
	const char *why;

	eal_log_clear();
	if (!rte_dev_probe(device))
		return PKTGEN_MET;
	why = eal_log_read_error("the driver refuses the device (--verbose shows its log)");
	/* EAL logs this text if no driver claims the name of the device. */
	if (strstr(why, "failed to parse device"))
		why = "no driver claims this device name; check the name, or load the driver "
		      "(-- -d librte_net_NAME.so)";
	return report_error(PKTGEN_ENVIRONMENT, "port %s: %s%s", device, why,
			    o->demo && !o->ports_given
				    ? "; to run on emulated ports: devx-emu --ports 2 --wire "
				      "pair,pause=on -- devx-pktgen demo"
				    : "");
}

/* Finds the ethdev port of a device: by its name, else the first port that the device made. */
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

static enum pktgen_exit check_ring(const struct port *port, const char *option, uint32_t n,
				   const struct rte_eth_desc_lim *lim)
{
	if ((!lim->nb_max || n <= lim->nb_max) && n >= lim->nb_min &&
	    (!lim->nb_align || n % lim->nb_align == 0))
		return PKTGEN_MET;
	return report_error(
		PKTGEN_USAGE,
		"--%s %u: invalid for port %s (valid: %u to %u descriptors, in steps of %u)",
		option, n, port->device, lim->nb_min, lim->nb_max,
		lim->nb_align ? lim->nb_align : 1);
}

static enum pktgen_exit set_queues(struct port *port, const struct options *o,
				   const struct rte_eth_dev_info *dev)
{
	struct rte_eth_txconf txconf = dev->default_txconf;
	const char *queue = "receive queue";
	char name[RTE_MEMPOOL_NAMESIZE];
	int rc;

	snprintf(name, sizeof(name), "rx%u", port->id);
	port->pool = rte_pktmbuf_pool_create(
		name, compute_n_buffers(o->rx_ring), CACHE, 0,
		(uint16_t)(RTE_PKTMBUF_HEADROOM +
			   compute_buffer_bytes(port->mtu + FRAME_EXTRA_BYTES)),
		port->socket);
	if (!port->pool)
		return report_error(
			PKTGEN_ENVIRONMENT,
			"port %s: no memory for %u buffers of %u bytes; give EAL more (-- -m 1024)",
			port->device, compute_n_buffers(o->rx_ring),
			compute_buffer_bytes(port->mtu + FRAME_EXTRA_BYTES));
	eal_log_clear();
	rc = rte_eth_rx_queue_setup(port->id, 0, (uint16_t)o->rx_ring, (unsigned)port->socket, NULL,
				    port->pool);
	if (!rc) {
		queue = "send queue";
		if (port->fast_free)
			txconf.offloads |= RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE;
		rc = rte_eth_tx_queue_setup(port->id, 0, (uint16_t)o->tx_ring,
					    (unsigned)port->socket, &txconf);
	}
	if (rc)
		return report_error(PKTGEN_ENVIRONMENT, "port %s: cannot set up its %s: %s",
				    port->device, queue, eal_log_read_error(rte_strerror(-rc)));
	return PKTGEN_MET;
}

static enum pktgen_exit configure_port(struct port *port, const struct options *o)
{
	struct rte_eth_conf conf = { 0 };
	struct rte_eth_dev_info dev;
	enum pktgen_exit e;
	int rc = rte_eth_dev_info_get(port->id, &dev);

	if (rc)
		return report_error(PKTGEN_ENVIRONMENT, "port %s: cannot read its limits: %s",
				    port->device, rte_strerror(-rc));
	port->driver = dev.driver_name;
	port->max_mtu = dev.max_mtu;
	port->socket = rte_eth_dev_socket_id(port->id);
	port->fast_free = dev.tx_offload_capa & RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE;
	e = check_ring(port, "rx-ring", o->rx_ring, &dev.rx_desc_lim);
	if (!e)
		e = check_ring(port, "tx-ring", o->tx_ring, &dev.tx_desc_lim);
	if (e)
		return e;
	/* rte_eth_dev_configure() would set the MTU to 1500. */
	if (!rte_eth_dev_get_mtu(port->id, &port->mtu))
		conf.rxmode.mtu = port->mtu;
	if (port->fast_free)
		conf.txmode.offloads |= RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE;
	eal_log_clear();
	rc = rte_eth_dev_configure(port->id, 1, 1, &conf);
	if (rc)
		return report_error(PKTGEN_ENVIRONMENT, "port %s: cannot configure it: %s",
				    port->device, eal_log_read_error(rte_strerror(-rc)));
	if (o->mtu)
		e = port_set_mtu(port, o->mtu, &dev);
	rte_eth_dev_get_mtu(port->id, &port->mtu);
	rte_eth_macaddr_get(port->id, &port->mac);
	return e ? e : set_queues(port, o, &dev);
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

enum pktgen_exit ports_open(struct ports *p, const struct options *o)
{
	enum pktgen_exit e;
	uint16_t id;

	*p = (struct ports){ 0 };
	for (unsigned i = 0; i < o->n_ports; i++) {
		e = attach_device(o, o->ports[i]);
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
	if (!o->n_ports) {
		RTE_ETH_FOREACH_DEV (id) {
			if (p->n == PKTGEN_MAX_PORTS)
				return report_error(
					PKTGEN_USAGE,
					"EAL options: too many ports (valid: at most %d); name the "
					"ports to use with --port",
					PKTGEN_MAX_PORTS);
			p->port[p->n].id = id;
			p->port[p->n++].device = "of the EAL options";
		}
	}
	if (!p->n)
		return report_error(PKTGEN_ENVIRONMENT,
				    "EAL options: no port; name one with --port DEVICE");
	for (unsigned i = 0; i < p->n; i++) {
		e = configure_port(&p->port[i], o);
		if (e)
			return e;
	}
	return PKTGEN_MET;
}

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
		rte_eth_stats_get(p->port[i].id, &p->port[i].base);
	}
	return PKTGEN_MET;
}

struct rte_eth_stats ports_read_stats(const struct port *port)
{
	struct rte_eth_stats s = { 0 };

	rte_eth_stats_get(port->id, &s);
	s.ipackets -= port->base.ipackets;
	s.opackets -= port->base.opackets;
	s.imissed -= port->base.imissed;
	s.ierrors -= port->base.ierrors;
	s.oerrors -= port->base.oerrors;
	s.rx_nombuf -= port->base.rx_nombuf;
	return s;
}

struct rte_mempool *ports_create_tx_pool(const struct port *port, unsigned i, uint32_t frame_bytes,
					 uint32_t ring)
{
	char name[RTE_MEMPOOL_NAMESIZE];

	snprintf(name, sizeof(name), "tx%u", i);
	return rte_pktmbuf_pool_create(
		name, compute_n_buffers(ring), CACHE, 0,
		(uint16_t)(RTE_PKTMBUF_HEADROOM + compute_buffer_bytes(frame_bytes)), port->socket);
}

void ports_stop(struct ports *p)
{
	for (unsigned i = 0; i < p->n; i++) {
		if (p->port[i].started)
			rte_eth_dev_stop(p->port[i].id);
		p->port[i].started = false;
	}
}

void ports_close(struct ports *p)
{
	ports_stop(p);
	for (unsigned i = 0; i < p->n; i++) {
		rte_eth_dev_close(p->port[i].id);
		rte_mempool_free(p->port[i].pool);
	}
	*p = (struct ports){ 0 };
}
