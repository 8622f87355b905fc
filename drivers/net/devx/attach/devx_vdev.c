/* SPDX-License-Identifier: BSD-3-Clause */
#include "attach/devx_args.h"
#include "attach/devx_device_map.h"
#include "attach/devx_probe.h"
#include "attach/devx_secondary.h"
#include "attach/devx_secondary_ops.h"

static int probe_vdev(struct rte_vdev_device *vdev)
{
	struct devx_eth_args args;
	int rc;

	if (devx_eth_is_secondary())
		return devx_eth_secondary_probe(&vdev->device, &devx_eth_secondary_ops);
	rc = devx_eth_args_parse(&args, rte_vdev_device_name(vdev), rte_vdev_device_args(vdev),
				 NULL);
	if (rc)
		return rc;
	return devx_eth_probe(&vdev->device, rte_eth_vdev_allocate(vdev, sizeof(struct devx_eth)),
			      &args);
}

static int remove_vdev(struct rte_vdev_device *vdev)
{
	return devx_eth_remove(&vdev->device);
}

static int map_vdev(struct rte_vdev_device *vdev, void *addr, uint64_t iova, size_t bytes)
{
	RTE_SET_USED(iova);
	return devx_eth_device_map(&vdev->device, addr, bytes);
}

static int unmap_vdev(struct rte_vdev_device *vdev, void *addr, uint64_t iova, size_t bytes)
{
	RTE_SET_USED(iova);
	return devx_eth_device_unmap(&vdev->device, addr, bytes);
}

static struct rte_vdev_driver driver = {
	.probe = probe_vdev,
	.remove = remove_vdev,
	.dma_map = map_vdev,
	.dma_unmap = unmap_vdev,
};

RTE_PMD_REGISTER_VDEV(net_devx, driver);
RTE_PMD_REGISTER_PARAM_STRING(net_devx, DEVX_ETH_VDEV_ARGS_TEXT);
