/* SPDX-License-Identifier: BSD-3-Clause */
#include "attach/devx_args.h"
#include "attach/devx_choice.h"
#include "attach/devx_device_map.h"

enum { VENDOR_MELLANOX = 0x15b3 }; /* PCI_VENDOR_ID_MELLANOX */

static const struct rte_pci_id ids[] = {
	{ RTE_PCI_DEVICE(VENDOR_MELLANOX, RTE_PCI_ANY_ID) },
	{ .vendor_id = 0 },
};

static struct rte_eth_dev *allocate_port(struct rte_device *device)
{
	struct rte_eth_dev *ethdev =
		rte_eth_dev_pci_allocate(RTE_DEV_TO_PCI(device), sizeof(struct devx_eth));

	if (ethdev)
		ethdev->intr_handle = NULL; /* the port uses its own, not that of the bus */
	return ethdev;
}

static int probe_pci(struct rte_pci_driver *pci_driver, struct rte_pci_device *pci)
{
	RTE_SET_USED(pci_driver);
	return devx_eth_choice_probe(&pci->device, allocate_port);
}

static int remove_pci(struct rte_pci_device *pci)
{
	return devx_eth_choice_remove(&pci->device);
}

static int map_pci(struct rte_pci_device *pci, void *addr, uint64_t iova, size_t bytes)
{
	RTE_SET_USED(iova);
	return devx_eth_device_map(&pci->device, addr, bytes);
}

static int unmap_pci(struct rte_pci_device *pci, void *addr, uint64_t iova, size_t bytes)
{
	RTE_SET_USED(iova);
	return devx_eth_device_unmap(&pci->device, addr, bytes);
}

static struct rte_pci_driver driver = {
	.id_table = ids,
	.probe = probe_pci,
	.remove = remove_pci,
	.dma_map = map_pci,
	.dma_unmap = unmap_pci,
};

/* Each bus of the plugin registers under its own name, which dpdk-pmdinfo.py prints. */
RTE_PMD_REGISTER_PCI(net_devx_pci, driver);
RTE_PMD_REGISTER_PCI_TABLE(net_devx_pci, ids);
RTE_PMD_REGISTER_KMOD_DEP(net_devx_pci, "* ib_uverbs & mlx5_core & mlx5_ib");
RTE_PMD_REGISTER_PARAM_STRING(net_devx_pci, DEVX_ETH_BUS_ARGS_TEXT);

/* Runs after the constructor of RTE_PMD_REGISTER_PCI(). The driver is net_devx on every bus. */
RTE_INIT(move_to_head)
{
	driver.driver.name = "net_devx";
	devx_eth_choice_move_to_head(&driver, rte_pci_driver);
}
