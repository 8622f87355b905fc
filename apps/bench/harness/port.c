/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/port.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_dev.h>

#include "eal/eal_log.h"

/* SPARE_MBUFS: in lcore caches and in flight; the pool of one queue has 2^n - 1 mbufs in all */
enum { SPARE_MBUFS = 1535, CACHE = 256, SMALL_CACHE = 64, DEVARGS_BYTES = 256, HEADERS = 32 };

struct reason {
	char *text;
	size_t bytes;
};

/* Writes which call failed, and the first error of the log, which names the cause. Returns -@rc. */
static int tell_failure(const struct reason *why, const char *call, int rc)
{
	const char *log = eal_log_read_error("");

	snprintf(why->text, why->bytes, "%s: %s%s%s", call, strerror(rc), *log ? ": " : "", log);
	return -rc;
}

static int check_offloads(const struct bench_setup *setup, const struct rte_eth_dev_info *info,
			  const struct reason *why)
{
	const uint64_t rx = setup->rx_offloads & ~info->rx_offload_capa;
	const uint64_t tx = setup->tx_offloads & ~info->tx_offload_capa;

	if (!rx && !tx)
		return 0;
	snprintf(why->text, why->bytes, "the driver lacks the %s offload %s", rx ? "Rx" : "Tx",
		 rx ? rte_eth_dev_rx_offload_name(rx & -rx)
		    : rte_eth_dev_tx_offload_name(tx & -tx));
	return -ENOTSUP;
}

static int configure_port(struct bench_port *port, const struct bench_setup *setup,
			  const struct rte_eth_dev_info *info, const struct reason *why)
{
	const uint64_t hash = RTE_ETH_RSS_IP | RTE_ETH_RSS_UDP;
	struct rte_eth_conf conf = {
		.rxmode = { .offloads = setup->rx_offloads },
		.txmode = { .offloads = setup->tx_offloads },
	};
	int rc;

	if (setup->buffer_bytes == BENCH_SMALL_BUFFER)
		conf.rxmode.mtu = BENCH_SMALL_BUFFER - HEADERS;
	if (setup->rss || (port->n_queues > 1 && info->flow_type_rss_offloads & hash)) {
		conf.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS;
		conf.rx_adv_conf.rss_conf.rss_hf =
			setup->rss ? hash : hash & info->flow_type_rss_offloads;
	}
	rc = rte_eth_dev_configure(port->id, port->n_queues, port->n_queues, &conf);
	return rc ? tell_failure(why, "rte_eth_dev_configure", -rc) : 0;
}

static int set_up_queues(struct bench_port *port, const struct bench_setup *setup,
			 const struct rte_eth_dev_info *info, const struct reason *why)
{
	struct rte_eth_rxconf rx = info->default_rxconf;
	struct rte_eth_txconf tx = info->default_txconf;
	int rc;

	rx.offloads = setup->rx_offloads;
	tx.offloads = setup->tx_offloads;
	for (uint16_t q = 0; q < port->n_queues; q++) {
		rc = rte_eth_rx_queue_setup(port->id, q, BENCH_RING, SOCKET_ID_ANY, &rx,
					    port->rx_pool);
		if (rc)
			return tell_failure(why, "rte_eth_rx_queue_setup", -rc);
		rc = rte_eth_tx_queue_setup(port->id, q, BENCH_RING, SOCKET_ID_ANY, &tx);
		if (rc)
			return tell_failure(why, "rte_eth_tx_queue_setup", -rc);
	}
	return 0;
}

static struct rte_mempool *make_pool(const struct bench_port *port, const char *direction,
				     uint16_t buffer_bytes)
{
	const unsigned int n = SPARE_MBUFS + (unsigned int)BENCH_RING * port->n_queues;
	char name[RTE_MEMPOOL_NAMESIZE];

	snprintf(name, sizeof(name), "%s_%.20s", direction, port->driver->device);
	return rte_pktmbuf_pool_create(name, n, port->n_queues > 1 ? SMALL_CACHE : CACHE, 0,
				       buffer_bytes + RTE_PKTMBUF_HEADROOM, SOCKET_ID_ANY);
}

/* Truncates the text to the room that a row has. */
static void copy_mode(char *to, size_t bytes, int rc, const struct rte_eth_burst_mode *mode)
{
	snprintf(to, bytes, "%.*s", (int)bytes - 1, rc ? "not named by the driver" : mode->info);
}

static void name_functions(struct bench_port *port)
{
	struct rte_eth_burst_mode mode;
	int rc;

	memset(&mode, 0, sizeof(mode));
	rc = rte_eth_rx_burst_mode_get(port->id, 0, &mode);
	copy_mode(port->rx_function, sizeof(port->rx_function), rc, &mode);
	memset(&mode, 0, sizeof(mode));
	rc = rte_eth_tx_burst_mode_get(port->id, 0, &mode);
	copy_mode(port->tx_function, sizeof(port->tx_function), rc, &mode);
}

static int start_device(struct bench_port *port, const struct bench_setup *setup,
			const struct reason *why)
{
	const uint16_t bytes = setup->buffer_bytes ? setup->buffer_bytes : BENCH_BUFFER;
	struct rte_eth_dev_info info;
	int rc;

	rc = rte_eth_dev_info_get(port->id, &info);
	if (rc)
		return tell_failure(why, "rte_eth_dev_info_get", -rc);
	rc = check_offloads(setup, &info, why);
	if (rc)
		return rc;
	port->rx_pool = make_pool(port, "rx", bytes);
	port->tx_pool = make_pool(port, "tx", bytes == BENCH_SMALL_BUFFER ? bytes : BENCH_BUFFER);
	if (!port->rx_pool || !port->tx_pool)
		return tell_failure(why, "rte_pktmbuf_pool_create", ENOMEM);
	rc = configure_port(port, setup, &info, why);
	if (!rc)
		rc = set_up_queues(port, setup, &info, why);
	if (rc)
		return rc;
	rc = rte_eth_dev_start(port->id);
	if (rc)
		return tell_failure(why, "rte_eth_dev_start", -rc);
	rc = rte_eth_promiscuous_enable(port->id);
	if (rc && rc != -ENOTSUP)
		return tell_failure(why, "rte_eth_promiscuous_enable", -rc);
	name_functions(port);
	return 0;
}

/* EAL finds no bus for a vdev if the driver that its name belongs to is not loaded. */
static int tell_unloaded(const struct bench_port *port, const struct reason *why)
{
	const struct bench_driver *d = port->driver;

	if (d == &bench_drivers[BENCH_DEVX])
		snprintf(why->text, why->bytes,
			 "%s is not loaded: %s; building it needs DPDK's driver headers", d->name,
			 port->lab->why_no_devx);
	else
		snprintf(why->text, why->bytes,
			 "%s: no driver has this name; install its PMD, librte_%.*s.so", d->device,
			 (int)strcspn(d->device, "0123456789"), d->device);
	return -ENODEV;
}

/* Probes the device. The ethdev port has the name of the device. */
static int probe_device(struct bench_port *port, const char *more, const struct reason *why)
{
	const struct bench_driver *d = port->driver;
	char devargs[DEVARGS_BYTES];
	int rc;

	eal_log_clear();
	snprintf(devargs, sizeof(devargs), "%s%s%s", d->devargs, *d->devargs && *more ? "," : "",
		 more);
	rc = rte_eal_hotplug_add(d->bus, d->device, devargs);
	if (rc == -EFAULT && !strcmp(d->bus, "vdev"))
		return tell_unloaded(port, why);
	if (rc)
		return tell_failure(why, "probe", -rc);
	rc = rte_eth_dev_get_port_by_name(d->device, &port->id);
	if (rc) {
		rte_eal_hotplug_remove(d->bus, d->device);
		return tell_failure(why, "no driver accepts the device", -rc);
	}
	return 0;
}

void bench_port_close(struct bench_port *port)
{
	if (!port->driver)
		return;
	rte_eth_dev_stop(port->id);
	rte_eal_hotplug_remove(port->driver->bus, port->driver->device);
	rte_mempool_free(port->rx_pool);
	rte_mempool_free(port->tx_pool);
	memset(port, 0, sizeof(*port));
}

int bench_port_open(struct bench_port *port, const struct bench_lab *lab,
		    const struct bench_driver *driver, const struct bench_setup *setup, char *why,
		    size_t why_bytes)
{
	const struct reason reason = { why, why_bytes };
	int rc;

	*port = (struct bench_port){ .driver = driver,
				     .lab = lab,
				     .n_queues = setup->n_queues ? setup->n_queues : 1,
				     .room = BENCH_RING /
					     (setup->frame_buffers ? setup->frame_buffers : 1) };
	rc = probe_device(port, setup->devargs, &reason);
	if (rc) {
		memset(port, 0, sizeof(*port));
		return rc;
	}
	rc = start_device(port, setup, &reason);
	if (rc)
		bench_port_close(port);
	return rc;
}

static void write_frame(struct rte_mempool *pool, void *arg, void *object, unsigned int number)
{
	const struct bench_frame *frame = arg;
	struct rte_mbuf *m = object;

	(void)pool;
	bench_frame_write_sent(frame, number, (uint8_t *)m->buf_addr + RTE_PKTMBUF_HEADROOM);
}

void bench_port_set_frame(struct bench_port *port, const struct bench_frame *frame)
{
	uint8_t data[BENCH_MAX_FRAME];

	port->frame = *frame;
	port->packet_bytes = bench_frame_write_sent(frame, 0, data);
	port->tx_flags = 0;
	if (frame->sums)
		port->tx_flags |=
			RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_UDP_CKSUM;
	if (frame->insert_tag)
		port->tx_flags |= RTE_MBUF_F_TX_VLAN;
	rte_mempool_obj_iter(port->tx_pool, write_frame, &port->frame);
}

int bench_port_alloc(const struct bench_port *port, struct rte_mbuf **m, uint16_t n)
{
	if (rte_pktmbuf_alloc_bulk(port->tx_pool, m, n))
		return -ENOMEM;
	for (uint16_t i = 0; i < n; i++) {
		m[i]->data_len = port->packet_bytes;
		m[i]->pkt_len = port->packet_bytes;
		m[i]->ol_flags = port->tx_flags;
		m[i]->l2_len = RTE_ETHER_HDR_LEN;
		m[i]->l3_len = sizeof(struct rte_ipv4_hdr);
		m[i]->vlan_tci = BENCH_FRAME_TCI;
	}
	return 0;
}
