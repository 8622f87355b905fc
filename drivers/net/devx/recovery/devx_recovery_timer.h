/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RECOVERY_TIMER_H
#define DEVX_ETH_RECOVERY_TIMER_H

#include "devx_port.h"

/** devx_eth_recovery_timer_start - start to repair the port's broken queues. 0 or -errno, logged */
int devx_eth_recovery_timer_start(struct devx_eth *eth);
/** devx_eth_recovery_timer_stop - waits for a repair under way: without the lock */
void devx_eth_recovery_timer_stop(struct devx_eth *eth);

#endif
