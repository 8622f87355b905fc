/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_UAR_PAGES_H
#define DEVX_ETH_UAR_PAGES_H

#include "devx/share.h"

/**
 * DOC: UAR pages at the same address in all processes
 *
 * A send queue is shared memory, and contains the address of its doorbell register. The primary
 * process maps the page of each register a second time, at an address that is free in all
 * processes. So a secondary process can map it there and ring it too:
 *
 *     rdma-core   page at an address of mmap(), different in each process
 *     primary     the same page at DEVX_ETH_UAR_PAGES_AT + n pages, which the queue uses
 *     secondary   the same page at the address that the queue contains
 *
 * mmap() chooses no address in this region by itself: on Linux it begins below the stack. EAL's
 * memory begins at 4 GiB, and AddressSanitizer's shadow ends below 16 TiB.
 */

#define DEVX_ETH_UAR_PAGES_AT 0x200000000000ull

/** struct devx_eth_uar_page - a mapped page of a port; @share: attributes of its register */
struct devx_eth_uar_page {
	struct devx_eth_uar_page *next;
	struct devx_uar uar;
	struct devx_share share;
};

/**
 * devx_eth_uar_pages_move - move a UAR of the primary process to an address of the region
 * @uar: a UAR; @uar->base and @uar->reg change
 * @dev: the device, which keeps the reason of a failure
 * @share: receives the attributes of @uar for the secondary processes
 *
 * Return: 0, or -errno, not logged; then @uar is unchanged and works in this process.
 */
int devx_eth_uar_pages_move(struct devx_eth_uar_page **pages, struct devx_uar *uar,
			    struct devx_dev *dev, struct devx_share *share);

/**
 * devx_eth_uar_pages_map - map a page at the address that it has in the primary process
 * @pages: pages of the port in this process
 * @dev: keeps the reason of a failure; in a secondary process it is not open
 * @fd: descriptor of the device; -1: that of @dev
 * @share: attributes of the UAR
 *
 * Return: 0, also if the page is mapped already; or -ENOMEM, or as devx_uar_map_at(), not logged.
 */
int devx_eth_uar_pages_map(struct devx_eth_uar_page **pages, void *base, struct devx_dev *dev,
			   int fd, const struct devx_share *share);

/** devx_eth_uar_pages_free - unmap all pages; no thread rings a doorbell of them */
void devx_eth_uar_pages_free(struct devx_eth_uar_page **pages);

#endif
