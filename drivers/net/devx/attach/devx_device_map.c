/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include <rte_errno.h>

#include "attach/devx_device_map.h"
#include "devx_forked.h"
#include "devx_log.h"
#include "memory/devx_dma_map.h"

enum { NO_PORT = 1 }; /* the application has closed the port */

int devx_eth_port_enter(const char *subject, struct devx_eth *eth)
{
	const int rc = devx_eth_gate_enter(&eth->recovery.gate);

	if (rc)
		devx_eth_log(eth, ERR, "%s: the device is lost%s", subject,
			     rc == -EBUSY ? " and the port waits for its return; try again after "
					    "RTE_ETH_EVENT_RECOVERY_SUCCESS"
					  : " and did not return; close the port");
	return rc;
}

/* Only the primary process has a device to register memory with. */
static int refuse_process(const struct rte_device *device)
{
	if (devx_eth_fork_refuse())
		return -ENOTSUP;
	if (!devx_eth_is_secondary())
		return 0;
	devx_eth_probe_log(device, ERR,
			   "memory map: unsupported in a secondary process; use the primary one");
	return -ENOTSUP;
}

/* Calls @change inside the gate, with eth->lock held. Returns its result, or NO_PORT. */
static int change_port(const struct rte_device *device,
		       int (*change)(struct devx_eth *, uint64_t, uint64_t), const void *addr,
		       size_t bytes)
{
	const struct rte_eth_dev *ethdev = rte_eth_dev_allocated(rte_dev_name(device));
	struct devx_eth *eth;
	int rc;

	if (!ethdev)
		return NO_PORT;
	eth = devx_eth_port_get(ethdev);
	rc = devx_eth_port_enter("memory map", eth);
	if (rc)
		return rc;
	pthread_mutex_lock(&eth->lock);
	rc = change(eth, (uintptr_t)addr, bytes);
	pthread_mutex_unlock(&eth->lock);
	devx_eth_gate_leave(&eth->recovery.gate);
	return rc;
}

int devx_eth_device_map(const struct rte_device *device, const void *addr, size_t bytes)
{
	int rc = refuse_process(device);

	if (!rc)
		rc = change_port(device, devx_eth_memory_map, addr, bytes);
	if (rc == NO_PORT) {
		devx_eth_probe_log(device, ERR,
				   "memory map: the port is closed; probe the device again");
		rc = -ENODEV;
	}
	if (rc)
		rte_errno = -rc;
	return rc;
}

int devx_eth_device_unmap(const struct rte_device *device, const void *addr, size_t bytes)
{
	int rc = refuse_process(device);

	if (!rc)
		rc = change_port(device, devx_eth_memory_unmap, addr, bytes);
	if (rc == NO_PORT)
		rc = 0; /* closing the port has unmapped everything */
	if (rc)
		rte_errno = -rc;
	return rc;
}
