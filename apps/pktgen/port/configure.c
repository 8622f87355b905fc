/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

#include "cli/messages.h"
#include "eal/eal_log.h"
#include "port/mtu.h"
#include "port/ports.h"

enum {
	N_BUFFERS = 8192, /* smallest number of buffers of a pool */
	CACHE = 256,
	BUFFER_BYTES = 2048, /* smallest buffer */
	BUFFER_ALIGN = 64,
	BUFFER_EXTRA_BYTES = 128 + 128, /* struct rte_mbuf and RTE_PKTMBUF_HEADROOM */
	FRAME_EXTRA_BYTES = 26,         /* Ethernet header, two VLAN tags, FCS */
	EAL_PORTS = 2,                  /* assumed number of ports that EAL options create */
	SPARE_MB = 96,                  /* for rings and for the drivers' own memory */
	QUEUE_MB = 14, /* the same per queue, plus the overhead of its buffer pool */
};

static uint32_t compute_buffer_bytes(uint32_t frame_bytes)
{
	const uint32_t bytes = frame_bytes > BUFFER_BYTES ? frame_bytes : BUFFER_BYTES;

	return RTE_ALIGN_CEIL(bytes, BUFFER_ALIGN);
}

/* Covers a full ring, the caches of the pool, and the bursts that sender and receiver handle. */
static unsigned compute_n_buffers(uint32_t ring)
{
	const unsigned n = ring + 3 * CACHE + 2 * PKTGEN_BURST;

	return n > N_BUFFERS ? n : N_BUFFERS;
}

/* Returns how many queues of one direction need buffers: at least one per port. */
static size_t count_queues(const struct options *o, unsigned n_workers, bool is_tx)
{
	const unsigned n_ports = o->n_ports ? o->n_ports : EAL_PORTS;
	const bool is_spread = o->cores.n_workers || o->cores.n_cpus;
	size_t n = is_spread ? (n_workers + 1) / 2 : 0;

	for (unsigned i = 0; i < n_ports; i++) {
		const unsigned asked = is_tx ? o->queues[i].tx : o->queues[i].rx;

		n += asked ? asked : 1;
	}
	return n;
}

size_t ports_compute_memory_mb(const struct options *o, unsigned n_workers, uint32_t max_bytes)
{
	const size_t buffer =
		compute_buffer_bytes(max_bytes + FRAME_EXTRA_BYTES) + BUFFER_EXTRA_BYTES;
	const size_t n_rx = count_queues(o, n_workers, false);
	const size_t n_tx = count_queues(o, n_workers, true);
	const size_t n_buffers =
		n_rx * compute_n_buffers(o->rx_ring) + n_tx * compute_n_buffers(o->tx_ring);

	return SPARE_MB + (n_rx + n_tx) * QUEUE_MB + (n_buffers * buffer >> 20);
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

static enum pktgen_exit check_queues(const struct port *port)
{
	if (port->n_tx > port->max_tx)
		return report_error(
			PKTGEN_USAGE,
			"port %s: %u send queues (valid: at most %u); give --queues with fewer",
			port->device, port->n_tx, port->max_tx);
	if (port->n_rx > port->max_rx)
		return report_error(
			PKTGEN_USAGE,
			"port %s: %u receive queues (valid: at most %u); give --queues with fewer",
			port->device, port->n_rx, port->max_rx);
	if (port->n_rx > 1 && !port->rss_hf)
		return report_error(PKTGEN_USAGE,
				    "port %s: %u receive queues, and the port has no RSS to spread "
				    "frames over them (valid: 1); give --queues %u:1",
				    port->device, port->n_rx, port->n_tx);
	return PKTGEN_MET;
}

static enum pktgen_exit report_queue(const struct port *port, const char *direction, unsigned queue,
				     int rc)
{
	return report_error(PKTGEN_ENVIRONMENT, "port %s: cannot set up its %s queue %u: %s",
			    port->device, direction, queue, eal_log_read_error(rte_strerror(-rc)));
}

static enum pktgen_exit set_rx_queue(struct port *port, uint16_t queue, uint32_t ring)
{
	const uint32_t bytes = compute_buffer_bytes(port->mtu + FRAME_EXTRA_BYTES);
	char name[RTE_MEMPOOL_NAMESIZE];
	struct rte_mempool *pool;
	int rc;

	snprintf(name, sizeof(name), "rx%u.%u", port->id, queue);
	pool = rte_pktmbuf_pool_create(name, compute_n_buffers(ring), CACHE, 0,
				       (uint16_t)(RTE_PKTMBUF_HEADROOM + bytes), port->socket);
	port->rx_pools[queue] = pool;
	if (!pool)
		return report_error(PKTGEN_ENVIRONMENT,
				    "port %s: no memory for %u buffers of %u bytes for receive "
				    "queue %u; give EAL more memory (-- -m 1024)",
				    port->device, compute_n_buffers(ring), bytes, queue);
	eal_log_clear();
	rc = rte_eth_rx_queue_setup(port->id, queue, (uint16_t)ring, (unsigned)port->socket, NULL,
				    pool);
	return rc ? report_queue(port, "receive", queue, rc) : PKTGEN_MET;
}

static enum pktgen_exit set_tx_queue(struct port *port, uint16_t queue, uint32_t ring,
				     const struct rte_eth_txconf *txconf)
{
	int rc;

	eal_log_clear();
	rc = rte_eth_tx_queue_setup(port->id, queue, (uint16_t)ring, (unsigned)port->socket,
				    txconf);
	return rc ? report_queue(port, "send", queue, rc) : PKTGEN_MET;
}

static enum pktgen_exit set_queues(struct port *port, const struct options *o,
				   const struct rte_eth_dev_info *dev)
{
	struct rte_eth_txconf txconf = dev->default_txconf;
	enum pktgen_exit e = PKTGEN_MET;

	if (port->fast_free)
		txconf.offloads |= RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE;
	txconf.offloads |= port->checksums;
	for (uint16_t queue = 0; queue < port->n_rx && !e; queue++)
		e = set_rx_queue(port, queue, o->rx_ring);
	for (uint16_t queue = 0; queue < port->n_tx && !e; queue++)
		e = set_tx_queue(port, queue, o->tx_ring, &txconf);
	return e;
}

static struct rte_eth_conf make_conf(struct port *port, const struct rte_eth_dev_info *dev)
{
	const uint32_t flags = dev->dev_flags ? *dev->dev_flags : 0;
	struct rte_eth_conf conf = { 0 };

	/* With an MTU of 0, rte_eth_dev_configure() would set the port's MTU to 1500. */
	if (!rte_eth_dev_get_mtu(port->id, &port->mtu))
		conf.rxmode.mtu = port->mtu;
	if (port->fast_free)
		conf.txmode.offloads |= RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE;
	conf.txmode.offloads |= port->checksums;
	if (port->stamps.on)
		conf.rxmode.offloads |= RTE_ETH_RX_OFFLOAD_TIMESTAMP;
	if (port->n_rx > 1) {
		conf.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS;
		conf.rx_adv_conf.rss_conf.rss_hf = port->rss_hf;
	}
	conf.intr_conf.lsc = (flags & RTE_ETH_DEV_INTR_LSC) != 0;
	conf.intr_conf.rmv = (flags & RTE_ETH_DEV_INTR_RMV) != 0;
	return conf;
}

static enum pktgen_exit configure_port(struct port *port, const struct options *o)
{
	struct rte_eth_dev_info dev;
	struct rte_eth_conf conf;
	enum pktgen_exit e;
	int rc = rte_eth_dev_info_get(port->id, &dev);

	if (rc)
		return report_error(PKTGEN_ENVIRONMENT, "port %s: cannot read its limits: %s",
				    port->device, rte_strerror(-rc));
	e = check_ring(port, "rx-ring", o->rx_ring, &dev.rx_desc_lim);
	if (!e)
		e = check_ring(port, "tx-ring", o->tx_ring, &dev.tx_desc_lim);
	if (!e)
		e = check_queues(port);
	if (e)
		return e;
	conf = make_conf(port, &dev);
	eal_log_clear();
	rc = rte_eth_dev_configure(port->id, port->n_rx, port->n_tx, &conf);
	if (rc)
		return report_error(PKTGEN_ENVIRONMENT, "port %s: cannot configure it: %s",
				    port->device, eal_log_read_error(rte_strerror(-rc)));
	if (o->mtu)
		e = port_set_mtu(port, o->mtu, &dev);
	rte_eth_dev_get_mtu(port->id, &port->mtu);
	return e ? e : set_queues(port, o, &dev);
}

enum pktgen_exit ports_configure(struct ports *p, const struct options *o)
{
	enum pktgen_exit e = PKTGEN_MET;

	for (unsigned i = 0; i < p->n && !e; i++)
		e = configure_port(&p->port[i], o);
	return e;
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
