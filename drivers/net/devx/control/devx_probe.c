/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include <rte_kvargs.h>

#include "control/devx_ethdev.h"
#include "control/devx_netdev.h"
#include "devx_log.h"

#define ARG_IBDEV "ibdev"
#define ARG_PCI "pci"
#define ARGS_TEXT ARG_IBDEV "=<RDMA device> " ARG_PCI "=<PCI address>"

/* A line about a port that does not exist yet. */
#define probe_log(vdev, level, fmt, ...)                                                           \
	rte_log(RTE_LOG_##level, devx_eth_logtype, "%s: " fmt "\n", rte_vdev_device_name(vdev),    \
		##__VA_ARGS__)

/* Which adapter the user named; @list is what there is, for the message. */
static const char *choose_adapter(struct rte_vdev_device *vdev, const struct rte_kvargs *args)
{
	const unsigned int n = rte_kvargs_count(args, ARG_IBDEV) + rte_kvargs_count(args, ARG_PCI);
	const char *name;
	char list[512];

	if (n != 1) {
		const int devices = devx_dev_list(list, sizeof(list));

		probe_log(vdev, ERR,
			  "%s: name one adapter, by %s=NAME or by %s=ADDRESS; this machine "
			  "has %s",
			  n ? "two adapters for one port" : "no adapter named", ARG_IBDEV, ARG_PCI,
			  devices > 0 ? list : "none");
		return NULL;
	}
	name = rte_kvargs_get(args, ARG_IBDEV);
	return name ? name : rte_kvargs_get(args, ARG_PCI);
}

/* What this driver cannot do without. */
static int check_caps(struct devx_eth *eth)
{
	const struct devx_caps *caps = &eth->dev.caps;

	if (!caps->rx_user_rules) {
		devx_eth_log(eth, ERR,
			     "the device lets no user make receive rules (capabilities "
			     "flow_modify_en, modify_root, identified_miss_table_mode, "
			     "flow_table_modify of the receive tables): newer firmware may");
		return -ENOTSUP;
	}
	if (caps->wqe_inline_mode == PRM_ETH_CAP_WQE_INLINE_MODE_L2 ||
	    (caps->wqe_inline_mode == PRM_ETH_CAP_WQE_INLINE_MODE_VPORT_CONTEXT &&
	     eth->port.min_inline)) {
		devx_eth_log(eth, ERR,
			     "the device wants packet headers inside WQEs (capability "
			     "wqe_inline_mode %u, port %u); that is not supported: ConnectX-5 and "
			     "later do not",
			     caps->wqe_inline_mode, eth->port.min_inline);
		return -ENOTSUP;
	}
	return 0;
}

/* Name of the port of this process that uses the RDMA device @ibdev, or NULL. */
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
 * Two net_devx ports on one adapter would have the same MAC address and the same receive rules:
 * both would receive a copy of each frame, and neither a frame that the other one sends.
 */
static int refuse_second_port(struct devx_eth *eth)
{
	const char *first = find_port_on(eth->dev.ibdev);

	if (!first)
		return 0;
	devx_eth_log(
		eth, ERR,
		"the adapter is already in use by port %s of this process (valid: one port per "
		"adapter); name another adapter or remove %s",
		first, first);
	return -EBUSY;
}

static int open_port(struct rte_vdev_device *vdev, struct devx_eth *eth, const char *name)
{
	char why[DEVX_TEXT_BYTES + 64];
	int rc;

	rte_strscpy(eth->name, rte_vdev_device_name(vdev), sizeof(eth->name));
	rc = devx_dev_open(&eth->dev, name);
	if (rc) {
		probe_log(vdev, ERR, "cannot open %s: %s", name,
			  devx_strerror(&eth->dev, rc, why, sizeof(why)));
		return rc == -EREMOTEIO ? -EIO : rc;
	}
	rc = refuse_second_port(eth);
	if (!rc)
		rc = devx_eth_port_read(eth);
	if (!rc)
		rc = check_caps(eth);
	return rc;
}

static int create_port(struct rte_vdev_device *vdev, const char *name)
{
	struct rte_eth_dev *ethdev = rte_eth_vdev_allocate(vdev, sizeof(struct devx_eth));
	struct devx_eth *eth;
	int rc;

	if (!ethdev) {
		probe_log(vdev, ERR, "no memory for another port, or none left of %d",
			  RTE_MAX_ETHPORTS);
		return -ENOMEM;
	}
	eth = devx_eth_port_get(ethdev);
	eth->data = ethdev->data;
	pthread_mutex_init(&eth->lock, NULL);
	rc = open_port(vdev, eth, name);
	if (rc) {
		devx_dev_close(&eth->dev);
		pthread_mutex_destroy(&eth->lock);
		rte_eth_dev_release_port(ethdev);
		return rc;
	}
	if (eth->dev.numa_node >= 0)
		ethdev->data->numa_node = eth->dev.numa_node;
	ethdev->data->mac_addrs = &eth->mac;
	ethdev->data->mtu = RTE_MIN(eth->port.mtu, (uint16_t)RTE_ETHER_MTU);
	ethdev->data->dev_flags |= RTE_ETH_DEV_AUTOFILL_QUEUE_XSTATS;
	ethdev->dev_ops = &devx_eth_ops;
	ethdev->rx_pkt_burst = rte_eth_pkt_burst_dummy;
	ethdev->tx_pkt_burst = rte_eth_pkt_burst_dummy;
	rte_eth_dev_probing_finish(ethdev);
	return 0;
}

static int probe_vdev(struct rte_vdev_device *vdev)
{
	static const char *const known[] = { ARG_IBDEV, ARG_PCI, NULL };
	const char *text = rte_vdev_device_args(vdev);
	struct rte_kvargs *args;
	const char *name;
	int rc = -EINVAL;

	if (rte_eal_process_type() != RTE_PROC_PRIMARY) {
		probe_log(vdev, ERR,
			  "secondary processes are not supported; use the port in the "
			  "primary process");
		return -ENOTSUP;
	}
	args = rte_kvargs_parse(text ? text : "", known);
	if (!args) {
		probe_log(vdev, ERR, "arguments '%s' are not understood; known are %s", text,
			  ARGS_TEXT);
		return -EINVAL;
	}
	name = choose_adapter(vdev, args);
	if (name)
		rc = create_port(vdev, name);
	rte_kvargs_free(args);
	return rc;
}

static int remove_vdev(struct rte_vdev_device *vdev)
{
	struct rte_eth_dev *ethdev = rte_eth_dev_allocated(rte_vdev_device_name(vdev));

	if (!ethdev)
		return 0; /* closed already */
	devx_eth_port_close(ethdev);
	return rte_eth_dev_release_port(ethdev);
}

static struct rte_vdev_driver driver = {
	.probe = probe_vdev,
	.remove = remove_vdev,
};

RTE_PMD_REGISTER_VDEV(net_devx, driver);
RTE_PMD_REGISTER_PARAM_STRING(net_devx, ARGS_TEXT);
