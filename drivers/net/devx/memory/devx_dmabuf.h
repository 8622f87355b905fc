/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_DMABUF_H
#define DEVX_ETH_DMABUF_H

#include "devx/dmabuf.h"
#include "devx_port.h"

/**
 * DOC: Packet memory in dma-bufs
 *
 *     register ............. creates an MR in the list eth->dmabufs, and a range in the table
 *     unregister, close .... destroys the MR, and removes the range
 *
 * rte_pmd_devx.h has the public API. Bursts use only ranges and keys, and read no packet byte.
 */

/** devx_eth_dmabuf_register - register a dma-buf; under eth->lock. Return: 0 or -errno, logged */
int devx_eth_dmabuf_register(struct devx_eth *eth, const struct devx_dmabuf *from);
/** devx_eth_dmabuf_unregister - end a registration; under eth->lock. Return: 0 or -errno, logged */
int devx_eth_dmabuf_unregister(struct devx_eth *eth, uint64_t addr);
/** devx_eth_dmabuf_suspend - destroy the MRs, because the device is lost; under eth->lock */
void devx_eth_dmabuf_suspend(struct devx_eth *eth);
/** devx_eth_dmabuf_resume - create the MRs again. Return: 0 or -errno, logged */
int devx_eth_dmabuf_resume(struct devx_eth *eth);
/** devx_eth_dmabuf_release - end all registrations; at close, or after a failed probe */
void devx_eth_dmabuf_release(struct devx_eth *eth);

#endif
