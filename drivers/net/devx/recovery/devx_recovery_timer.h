/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RECOVERY_TIMER_H
#define DEVX_ETH_RECOVERY_TIMER_H

#include "devx_port.h"

enum { DEVX_ETH_RECOVERY_PERIOD_US = 5000 };

/** devx_eth_recovery_timer_start - start the timer of a port. Return: 0 or -errno, logged */
int devx_eth_recovery_timer_start(struct devx_eth *eth);
/** devx_eth_recovery_timer_stop - stop the timer, and wait until it ends; not under eth->lock */
void devx_eth_recovery_timer_stop(struct devx_eth *eth);

#endif
