/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_VF_TRUST_H
#define DEVX_ETH_VF_TRUST_H

#include "devx_port.h"

/**
 * devx_eth_vf_trust_report - log that a mode has no effect on a VF without trust of its host
 * @eth: the port; the caller holds eth->lock
 * @mode: name of the mode that was turned on, such as "promiscuous mode"
 *
 * Logs at most one line in the life of a port, and none on a physical function or a trusted VF.
 */
void devx_eth_vf_trust_report(struct devx_eth *eth, const char *mode);

#endif
