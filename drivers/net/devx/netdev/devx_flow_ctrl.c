/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "devx/netdev_ethtool.h"
#include "devx_log.h"
#include "netdev/devx_flow_ctrl.h"

/* Names for messages. */
static const char flow_control[] = "flow control", module_eeprom[] = "module";

/* Locks a port for a request to its netdev. Return: 0, or -ENOTSUP without a netdev, logged */
static int lock_netdev(struct devx_eth *eth, const char *what)
{
	if (!devx_eth_has_netdev(eth)) {
		devx_eth_log(eth, ERR,
			     "%s: unsupported, because the port has no network interface in the "
			     "kernel",
			     what);
		return -ENOTSUP;
	}
	pthread_mutex_lock(&eth->lock);
	return 0;
}

/* Unlocks the port and logs a failure @rc. Return: @rc */
static int unlock_netdev(struct devx_eth *eth, const char *what, int rc)
{
	if (rc)
		devx_eth_log_failure(eth, rc, "%s", what);
	pthread_mutex_unlock(&eth->lock);
	return rc;
}

int devx_eth_flow_ctrl_get(struct rte_eth_dev *ethdev, struct rte_eth_fc_conf *conf)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	struct devx_netdev_pause pause;
	int rc = lock_netdev(eth, flow_control);

	if (rc)
		return rc;
	rc = unlock_netdev(eth, flow_control, devx_netdev_get_pause(&eth->dev, &pause));
	if (rc)
		return rc;
	conf->autoneg = pause.autoneg;
	conf->mode = pause.rx && pause.tx ? RTE_ETH_FC_FULL
		     : pause.rx           ? RTE_ETH_FC_RX_PAUSE
		     : pause.tx           ? RTE_ETH_FC_TX_PAUSE
					  : RTE_ETH_FC_NONE;
	return 0;
}

int devx_eth_flow_ctrl_set(struct rte_eth_dev *ethdev, struct rte_eth_fc_conf *conf)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	const struct devx_netdev_pause pause = {
		.rx = conf->mode == RTE_ETH_FC_FULL || conf->mode == RTE_ETH_FC_RX_PAUSE,
		.tx = conf->mode == RTE_ETH_FC_FULL || conf->mode == RTE_ETH_FC_TX_PAUSE,
		.autoneg = conf->autoneg,
	};
	int rc = lock_netdev(eth, flow_control);

	if (rc)
		return rc;
	rc = devx_netdev_set_pause(&eth->dev, &pause);
	if (!rc) {
		eth->netdev.pause = pause;
		eth->netdev.pause_set = true;
	}
	return unlock_netdev(eth, flow_control, rc);
}

int devx_eth_module_info_get(struct rte_eth_dev *ethdev, struct rte_eth_dev_module_info *info)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	struct devx_netdev_module module;
	int rc = lock_netdev(eth, module_eeprom);

	if (rc)
		return rc;
	rc = unlock_netdev(eth, module_eeprom, devx_netdev_get_module(&eth->dev, &module));
	if (rc)
		return rc;
	/* same values in ethdev and ethtool: RTE_ETH_MODULE_SFF_x is ETH_MODULE_SFF_x */
	info->type = module.type;
	info->eeprom_len = module.bytes;
	return 0;
}

int devx_eth_module_eeprom_get(struct rte_eth_dev *ethdev, struct rte_dev_eeprom_info *info)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	const int rc = lock_netdev(eth, module_eeprom);

	return rc ? rc
		  : unlock_netdev(eth, module_eeprom,
				  devx_netdev_read_module(&eth->dev, info->offset, info->data,
							  info->length));
}
