/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_MR_EAL_H
#define DEVX_ETH_MR_EAL_H

#include <stdbool.h>
#include <stdint.h>

#include "devx_port.h"

/** struct devx_eth_pieces - list of memory to register; @failed: the list could not grow */
struct devx_eth_pieces {
	struct {
		uint64_t addr, bytes;
	} * piece;
	unsigned int n, room;
	bool failed;
};

/**
 * devx_eth_memory_list - list the memory of EAL and follow its changes from now on
 * @eth: the port
 * @pieces: receives the list; devx_eth_memory_register() frees it
 *
 * Takes locks of EAL, so the caller must not hold @eth->lock: EAL holds its locks while it calls
 * the driver, which then takes @eth->lock.
 *
 * Return: 0 or -errno, logged.
 */
int devx_eth_memory_list(struct devx_eth *eth, struct devx_eth_pieces *pieces);
/**
 * devx_eth_memory_register - register dma-bufs of the port and a list, and free the list
 *
 * Context: under eth->lock.
 *
 * Return: 0 or -errno, logged.
 */
int devx_eth_memory_register(struct devx_eth *eth, struct devx_eth_pieces *pieces);
/** devx_eth_memory_unlisten - ignore changes of EAL's memory from now on; not under @eth->lock */
void devx_eth_memory_unlisten(struct devx_eth *eth);

#endif
