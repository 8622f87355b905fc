/* SPDX-License-Identifier: BSD-3-Clause */
#include <bus_auxiliary_driver.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <rte_devargs.h>
#include <rte_malloc.h>

#include "attach/devx_args.h"
#include "attach/devx_choice.h"
#include "attach/devx_device_map.h"
#include "devx_log.h"

/**
 * DOC: Ports on the auxiliary bus: sub-functions (SF)
 *
 *     -a auxiliary:mlx5_core.sf.4,driver=net_devx
 *
 * Linux creates an auxiliary device for each SF below the PCI function, and the RDMA device and the
 * netdev of the SF below that. lib/devx finds the RDMA device by the name of its parent.
 *
 * Source: Linux, mlx5_sf_dev_add(), mlx5_sf_dev_probe(), mlx5_ib_stage_init_init().
 */

/* The bus lists its devices from this directory, but does not export the path. */
#define DEVICES "/sys/bus/auxiliary/devices"

/*
 * EAL silently skips a device of the allow list that the bus does not find. While it parses its
 * arguments, EAL calls match_name() with each name: the only chance to report an unknown one.
 */
static void report_unknown_name(const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), DEVICES "/%s", name);
	if (!access(path, F_OK))
		return;
	rte_log(RTE_LOG_ERR, devx_eth_logtype,
		"%s: no such sub-function (valid: a name in " DEVICES ")\n", name);
}

static bool match_name(const char *name)
{
	static const char begin[] = "mlx5_core.sf.";

	if (strncmp(name, begin, sizeof(begin) - 1))
		return false;
	report_unknown_name(name);
	return true;
}

static struct rte_eth_dev *allocate_port(struct rte_device *device)
{
	struct rte_eth_dev *ethdev = rte_eth_dev_allocate(rte_dev_name(device));

	if (!ethdev)
		return NULL;
	ethdev->data->dev_private = rte_zmalloc_socket(device->name, sizeof(struct devx_eth),
						       RTE_CACHE_LINE_SIZE, device->numa_node);
	if (!ethdev->data->dev_private) {
		rte_eth_dev_release_port(ethdev);
		return NULL;
	}
	ethdev->device = device;
	ethdev->data->numa_node = device->numa_node;
	return ethdev;
}

static int check_rdma_device(const struct rte_device *device)
{
	const char *name = rte_dev_name(device);
	char path[PATH_MAX];

	snprintf(path, sizeof(path), DEVICES "/%s/infiniband", name);
	if (!access(path, F_OK))
		return 0;
	devx_eth_probe_log(device, ERR,
			   "the sub-function has no RDMA device; enable it: `devlink dev param set "
			   "auxiliary/%s name enable_rdma value true cmode driverinit`, then "
			   "`devlink dev reload auxiliary/%s`",
			   name, name);
	return -ENODEV;
}

/*
 * Assigns the arguments of rte_dev_probe() to a device. The bus neglects to do so for a device that
 * it found earlier and that has no driver. Source: DPDK 22.11, auxiliary_scan_one().
 */
static void find_args(struct rte_device *device)
{
	struct rte_devargs *devargs;

	RTE_EAL_DEVARGS_FOREACH(RTE_BUS_AUXILIARY_NAME, devargs)
	if (!device->devargs && !strcmp(devargs->name, device->name) &&
	    devx_eth_args_name_driver(devargs->args))
		device->devargs = devargs;
}

static int probe_auxiliary(struct rte_auxiliary_driver *auxiliary_driver,
			   struct rte_auxiliary_device *auxiliary)
{
	struct rte_device *device = &auxiliary->device;
	struct rte_eth_dev *ethdev;
	int rc = 0;

	RTE_SET_USED(auxiliary_driver);
	find_args(device);
	if (devx_eth_choice_is_named(device))
		rc = check_rdma_device(device);
	if (!rc)
		rc = devx_eth_choice_probe(device, allocate_port);
	ethdev = rc ? NULL : rte_eth_dev_allocated(rte_dev_name(device));
	if (ethdev) /* the bus cannot tell the NUMA node of a sub-function */
		device->numa_node = ethdev->data->numa_node;
	return rc;
}

static int remove_auxiliary(struct rte_auxiliary_device *auxiliary)
{
	return devx_eth_choice_remove(&auxiliary->device);
}

static int map_auxiliary(struct rte_auxiliary_device *auxiliary, void *addr, uint64_t iova,
			 size_t bytes)
{
	RTE_SET_USED(iova);
	return devx_eth_device_map(&auxiliary->device, addr, bytes);
}

static int unmap_auxiliary(struct rte_auxiliary_device *auxiliary, void *addr, uint64_t iova,
			   size_t bytes)
{
	RTE_SET_USED(iova);
	return devx_eth_device_unmap(&auxiliary->device, addr, bytes);
}

static struct rte_auxiliary_driver driver = {
	.match = match_name,
	.probe = probe_auxiliary,
	.remove = remove_auxiliary,
	.dma_map = map_auxiliary,
	.dma_unmap = unmap_auxiliary,
};

RTE_PMD_REGISTER_AUXILIARY(net_devx_auxiliary, driver);
RTE_PMD_REGISTER_PARAM_STRING(net_devx_auxiliary, DEVX_ETH_BUS_ARGS_TEXT);

/* Runs after the constructor of RTE_PMD_REGISTER_AUXILIARY(), which precedes it in this file. */
RTE_INIT(move_to_head)
{
	driver.driver.name = "net_devx";
	devx_eth_choice_move_to_head(&driver, rte_auxiliary_driver);
}
