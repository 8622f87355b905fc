/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_MR_EAL_H
#define DEVX_ETH_MR_EAL_H

#include <stdbool.h>
#include <stdint.h>

#include "devx_port.h"

/** struct devx_eth_pieces - memory there is, before it is registered */
struct devx_eth_pieces {
	struct {
		uint64_t addr, bytes;
	} * piece;
	unsigned int n, room;
	bool failed;
};

/**
 * devx_eth_memory_list - listen to EAL's memory and list it
 * @pieces: receives the list; freed by devx_eth_memory_register()
 *
 * Takes EAL's locks: the port's must not be held, for EAL calls back with its own held.
 *
 * Return: 0 or -errno, logged.
 */
int devx_eth_memory_list(struct devx_eth *eth, struct devx_eth_pieces *pieces);
/** devx_eth_memory_register - register what was listed; with the lock. 0 or -errno, logged */
int devx_eth_memory_register(struct devx_eth *eth, struct devx_eth_pieces *pieces);
/** devx_eth_memory_unlisten - EAL calls no more; the lock must not be held */
void devx_eth_memory_unlisten(struct devx_eth *eth);

#endif
