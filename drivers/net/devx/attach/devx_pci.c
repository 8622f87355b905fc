/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <sys/queue.h>

#include <rte_memzone.h>

#include "attach/devx_args.h"
#include "attach/devx_probe.h"
#include "attach/devx_secondary.h"
#include "attach/devx_secondary_ops.h"
#include "devx_log.h"

/**
 * DOC: Ports on the PCI bus
 *
 *     -a 0000:08:00.0,driver=net_devx,uar=bf
 *
 * net_mlx5 drives the same devices. net_devx takes a device only if its arguments contain
 * driver=net_devx, so that both drivers work side by side in one process.
 *
 * EAL asks the drivers in the order of their registration, and the first that takes a device keeps
 * it. Plugins register as EAL loads them, in any order. Therefore net_devx moves to the head of the
 * list: net_mlx5 would take the device, whatever its arguments say.
 *
 * A secondary process cannot see which driver owns a port. A memzone of the primary process marks
 * the ports of net_devx, so that the driver attaches to them even without the argument. Otherwise
 * net_mlx5 would read their memory as its own.
 */

enum { VENDOR_MELLANOX = 0x15b3 }; /* PCI_VENDOR_ID_MELLANOX */

static const struct rte_pci_id ids[] = {
	{ RTE_PCI_DEVICE(VENDOR_MELLANOX, RTE_PCI_ANY_ID) },
	{ .vendor_id = 0 },
};

/* Returns the memzone that marks the port of a device, or NULL. */
static const struct rte_memzone *find_mark(const struct rte_pci_device *pci)
{
	char name[RTE_MEMZONE_NAMESIZE];

	snprintf(name, sizeof(name), "net_devx:%s", pci->name);
	return rte_memzone_lookup(name);
}

static int create_mark(const struct rte_pci_device *pci)
{
	char name[RTE_MEMZONE_NAMESIZE];

	snprintf(name, sizeof(name), "net_devx:%s", pci->name);
	if (find_mark(pci) || rte_memzone_reserve(name, 1, SOCKET_ID_ANY, 0))
		return 0;
	devx_eth_probe_log(&pci->device, ERR,
			   "cannot allocate a memzone (out of memory, or too many memzones)");
	return -ENOMEM;
}

static int remove_pci(struct rte_pci_device *pci)
{
	const int rc = devx_eth_remove(&pci->device);

	if (!devx_eth_is_secondary())
		rte_memzone_free(find_mark(pci));
	return rc;
}

static int probe_primary(struct rte_pci_device *pci, const char *text)
{
	struct rte_eth_dev *ethdev;
	struct devx_eth_args args;
	int rc = devx_eth_args_parse(&args, pci->name, text, pci->name);

	if (!rc)
		rc = create_mark(pci);
	if (rc)
		return rc;
	ethdev = rte_eth_dev_pci_allocate(pci, sizeof(struct devx_eth));
	if (ethdev)
		ethdev->intr_handle = NULL; /* that of the bus; the port has its own */
	rc = devx_eth_probe(&pci->device, ethdev, &args);
	if (rc)
		rte_memzone_free(find_mark(pci));
	return rc;
}

static int probe_pci(struct rte_pci_driver *pci_driver, struct rte_pci_device *pci)
{
	enum { NOT_OURS = 1 };
	const char *text = pci->device.devargs ? pci->device.devargs->args : NULL;
	const bool named = devx_eth_args_name_driver(text);

	RTE_SET_USED(pci_driver);
	if (devx_eth_is_secondary())
		return named || find_mark(pci)
			       ? devx_eth_secondary_probe(&pci->device, &devx_eth_secondary_ops)
			       : NOT_OURS;
	return named ? probe_primary(pci, text) : NOT_OURS;
}

static struct rte_pci_driver driver = {
	.id_table = ids,
	.probe = probe_pci,
	.remove = remove_pci,
};

/* The names of both drivers of the plugin are symbols; dpdk-pmdinfo.py prints them. */
RTE_PMD_REGISTER_PCI(net_devx_pci, driver);
RTE_PMD_REGISTER_PCI_TABLE(net_devx_pci, ids);
RTE_PMD_REGISTER_KMOD_DEP(net_devx_pci, "* ib_uverbs & mlx5_core & mlx5_ib");
RTE_PMD_REGISTER_PARAM_STRING(net_devx_pci, DEVX_ETH_PCI_ARGS_TEXT);

RTE_TAILQ_HEAD(driver_list, rte_pci_driver);

/*
 * Runs behind the constructor of RTE_PMD_REGISTER_PCI(). Ports say net_devx on both buses.
 * Moves the driver to the head of the list of EAL, which EAL does not export.
 */
RTE_INIT(move_to_head)
{
	struct rte_pci_driver *first = &driver, *before;
	struct driver_list *list;

	driver.driver.name = "net_devx";
	while ((before = TAILQ_PREV(first, driver_list, next)))
		first = before;
	list = (struct driver_list *)first->next.tqe_prev;
	TAILQ_REMOVE(list, &driver, next);
	TAILQ_INSERT_HEAD(list, &driver, next);
}
