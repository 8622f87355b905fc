/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "attach/devx_cap_check.h"
#include "attach/devx_ethdev.h"
#include "attach/devx_probe.h"
#include "attach/devx_secondary.h"
#include "devx_forked.h"
#include "devx_log.h"
#include "devx_missed.h"
#include "loss/devx_device_recovery.h"
#include "loss/devx_event_handler.h"
#include "netdev/devx_phy_stats.h"
#include "memory/devx_dmabuf.h"
#include "memory/devx_mr.h"
#include "port/devx_mtu.h"
#include "port/devx_netdev.h"
#include "port/devx_shared.h"
#include "process/devx_processes.h"
#include "queue/devx_copy_limit.h"
#include "stats/devx_stats.h"
#include "stats/devx_telemetry.h"

/* Returns the name of the port of this process that uses the RDMA device @ibdev, or NULL. */
static const char *find_port_on(const char *ibdev)
{
	for (uint16_t i = rte_eth_find_next(0); i < RTE_MAX_ETHPORTS;
	     i = rte_eth_find_next((uint16_t)(i + 1))) {
		struct rte_eth_dev *ethdev = &rte_eth_devices[i];

		if (ethdev->dev_ops == &devx_eth_ops &&
		    !strcmp(devx_eth_port_get(ethdev)->dev.ibdev, ibdev))
			return ethdev->data->name;
	}
	return NULL;
}

/*
 * Two net_devx ports on one RDMA device would share its wire, MAC address and receive rules.
 * Neither would receive the frames of the other, and both would get a copy of all other frames.
 */
static int refuse_second_port(struct devx_eth *eth)
{
	const char *first = find_port_on(eth->dev.ibdev);

	if (!first)
		return 0;
	devx_eth_log(
		eth, ERR,
		"the RDMA device is already in use by port %s of this process (valid: one port "
		"per device); name another device or remove %s",
		first, first);
	return -EBUSY;
}

static int open_port(const struct rte_device *device, struct devx_eth *eth)
{
	char why[DEVX_TEXT_BYTES + 64];
	int rc;

	rte_strscpy(eth->name, rte_dev_name(device), sizeof(eth->name));
	rc = devx_dev_open(&eth->dev, eth->args.adapter);
	if (rc) {
		devx_eth_probe_log(device, ERR, "cannot open %s: %s", eth->args.adapter,
				   devx_strerror(&eth->dev, rc, why, sizeof(why)));
		return rc == -EREMOTEIO ? -EIO : rc;
	}
	devx_slot_find(&eth->recovery.slot, &eth->dev);
	rc = refuse_second_port(eth);
	if (!rc)
		rc = devx_eth_link_layer_check(eth);
	if (!rc)
		rc = devx_eth_port_read(eth);
	if (!rc)
		rc = devx_eth_caps_check(eth);
	if (!rc)
		rc = devx_eth_copy_limit_check(eth);
	if (!rc)
		rc = devx_eth_shared_open(eth);
	if (!rc)
		rc = devx_eth_missed_open(eth);
	if (!rc)
		rc = devx_eth_stats_open(eth);
	if (!rc && eth->args.dmabuf.bytes)
		rc = devx_eth_dmabuf_register(eth, &eth->args.dmabuf);
	eth->events.recover = devx_eth_recovery_begin;
	return rc ? rc : devx_eth_events_open(eth); /* last: its handlers use the device */
}

int devx_eth_probe(const struct rte_device *device, struct rte_eth_dev *ethdev,
		   const struct devx_eth_args *args)
{
	struct devx_eth *eth;
	int rc;

	if (!ethdev) {
		devx_eth_probe_log(
			device, ERR,
			"cannot allocate a port (out of memory, or all %d ports are in use)",
			RTE_MAX_ETHPORTS);
		return -ENOMEM;
	}
	eth = devx_eth_port_get(ethdev);
	eth->data = ethdev->data;
	eth->args = *args;
	eth->sharing.export_fd = -1;
	pthread_mutex_init(&eth->lock, NULL);
	pthread_mutex_init(&eth->recovery.attempt, NULL);
	rc = open_port(device, eth);
	if (rc) {
		devx_eth_events_close(eth);
		devx_eth_netdev_undo(eth);
		devx_eth_missed_close(eth);
		devx_eth_phy_stats_close(eth);
		devx_eth_memory_release(eth);
		devx_eth_dmabuf_release(eth);
		devx_eth_shared_close(eth);
		devx_dev_close(&eth->dev);
		pthread_mutex_destroy(&eth->recovery.attempt);
		pthread_mutex_destroy(&eth->lock);
		rte_eth_dev_release_port(ethdev);
		return rc;
	}
	if (eth->dev.numa_node >= 0)
		ethdev->data->numa_node = eth->dev.numa_node;
	ethdev->data->mac_addrs = eth->filters.unicast;
	ethdev->data->mtu = RTE_MIN(eth->port.mtu, devx_eth_mtu_get_max(eth));
	ethdev->data->dev_flags |=
		RTE_ETH_DEV_AUTOFILL_QUEUE_XSTATS | RTE_ETH_DEV_INTR_LSC | RTE_ETH_DEV_INTR_RMV;
	devx_eth_set_functions(ethdev, &devx_eth_ops);
	devx_eth_processes_open(eth);
	devx_eth_telemetry_add(eth);
	rte_eth_dev_probing_finish(ethdev);
	devx_eth_recovery_allow(eth);
	return 0;
}

int devx_eth_remove(const struct rte_device *device)
{
	struct rte_eth_dev *ethdev;

	if (devx_eth_fork_refuse())
		return -ENOTSUP;
	ethdev = rte_eth_dev_allocated(rte_dev_name(device));
	if (!ethdev)
		return 0; /* the application has closed the port already */
	if (devx_eth_is_secondary())
		devx_eth_secondary_close(ethdev);
	else
		devx_eth_port_close(ethdev);
	return rte_eth_dev_release_port(ethdev);
}
