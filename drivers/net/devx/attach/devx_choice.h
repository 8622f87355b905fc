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
 * net_devx claims a device only if its arguments contain driver=net_devx, so that both drivers
 * work side by side in one process.
 *
 * EAL offers a device to the drivers in the order of their registration until one claims it. The
 * order in which plugins register is arbitrary, and net_mlx5 claims a device whatever its arguments
 * are. Therefore net_devx moves to the head of the list.
 *
 * A secondary process cannot see which driver owns a port. The primary process therefore reserves
 * a memzone for each port of net_devx. Secondary processes attach to a port with such a memzone
 * even without the argument; otherwise net_mlx5 would read the memory of the port as its own.
 */

/**
 * devx_eth_choice_move_to_head - move the driver @first, a struct @type, to the head of the list of
 * its bus
 *
 * EAL does not export the head of the list; the macro finds it from the driver.
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
 * @device: device of the bus; devx_dev_open() accepts its name
 * @allocate: allocates and names the port in the primary process; returns NULL if out of memory
 *
 * Return: 0, 1 if the device is not for net_devx, or -errno, logged
 */
int devx_eth_choice_probe(struct rte_device *device,
			  struct rte_eth_dev *(*allocate)(struct rte_device *device));

/** devx_eth_choice_remove - close and release the port of @device. Return: 0 or -errno */
int devx_eth_choice_remove(const struct rte_device *device);

#endif
