/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_CHOICE_H
#define DEVX_ETH_CHOICE_H

#include <stdbool.h>
#include <sys/queue.h>

#include "devx_port.h"

/**
 * DOC: Devices of a bus that net_mlx5 drives as well
 *
 *     -a 0000:08:00.0,driver=net_devx,uar=bf
 *     -a auxiliary:mlx5_core.sf.4,driver=net_devx
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

/**
 * devx_eth_choice_move_to_head - move the driver @first, a struct @type, to the head of the list of
 * its bus, which EAL does not export
 */
#define devx_eth_choice_move_to_head(first, type)                                                  \
	do {                                                                                       \
		RTE_TAILQ_HEAD(driver_list, type);                                                 \
		struct type *head = (first), *before;                                              \
		struct driver_list *list;                                                          \
                                                                                                   \
		while ((before = TAILQ_PREV(head, driver_list, next)))                             \
			head = before;                                                             \
		list = (struct driver_list *)head->next.tqe_prev;                                  \
		TAILQ_REMOVE(list, (first), next);                                                 \
		TAILQ_INSERT_HEAD(list, (first), next);                                            \
	} while (0)

/** devx_eth_choice_is_named - check whether the arguments of @device contain driver=net_devx */
bool devx_eth_choice_is_named(const struct rte_device *device);

/**
 * devx_eth_choice_probe - open the port of a device, or attach to it in a secondary process
 * @device: device of the bus; its name is one of devx_dev_open()
 * @allocate: allocates and names the port, in the primary process; returns NULL without memory
 *
 * Return: 0, 1 if the device is not for net_devx, or -errno, logged
 */
int devx_eth_choice_probe(struct rte_device *device,
			  struct rte_eth_dev *(*allocate)(struct rte_device *device));

/** devx_eth_choice_remove - close and release the port of @device. Return: 0 or -errno */
int devx_eth_choice_remove(const struct rte_device *device);

#endif
