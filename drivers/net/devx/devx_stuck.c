/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx_log.h"
#include "devx_port.h"
#include "devx_stuck.h"

bool devx_eth_is_stuck(struct devx_eth *eth, unsigned int n_stuck, const char *side, uint16_t queue)
{
	if (eth->dev.n_stuck == n_stuck || devx_eth_is_lost(eth))
		return false;
	devx_eth_log(eth, WARNING,
		     "%s queue %u: the kernel refused to destroy it, so the device may still use "
		     "its mbufs; they stay out of their pools until the process ends",
		     side, queue);
	return true;
}
