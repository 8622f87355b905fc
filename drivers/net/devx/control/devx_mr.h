/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_MR_H
#define DEVX_ETH_MR_H

#include <stdint.h>

#include "devx_port.h"

/** devx_eth_memory_add - EAL has memory at @addr now; with the lock. 0 or -errno, logged */
int devx_eth_memory_add(struct devx_eth *eth, uint64_t addr, uint64_t bytes);
/** devx_eth_memory_remove - and now it has not; with the lock. 0 or -ENOMEM, logged */
int devx_eth_memory_remove(struct devx_eth *eth, uint64_t addr, uint64_t bytes);
/** devx_eth_memory_release - give all registrations up, however far start came; with the lock */
void devx_eth_memory_release(struct devx_eth *eth);

#endif
