/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_MR_DRAFT_H
#define DEVX_ETH_MR_DRAFT_H

#include <stdbool.h>
#include <stdint.h>

#include "devx_port.h"

/**
 * struct devx_eth_mr_draft - a copy of the table of ranges, which changes and replaces the table
 * @eth: the port, whose lock the caller holds
 * @t: the ranges
 * @room: number of ranges that @t can hold
 * @n_mr: number of registrations of the port when the draft was opened
 * @n_uses: number of uses then
 * @changed: the ranges differ from those of the table
 */
struct devx_eth_mr_draft {
	struct devx_eth *eth;
	struct devx_eth_table *t;
	unsigned int room, n_mr, n_uses;
	bool changed;
};

/** devx_eth_list_grow - make room for item number @n. Return: the list, or NULL: it is unchanged */
void *devx_eth_list_grow(void *list, unsigned int *room, unsigned int n, size_t item_bytes);
/** devx_eth_mr_draft_open - copy the table of a port. Return: 0 or -ENOMEM, logged */
int devx_eth_mr_draft_open(struct devx_eth_mr_draft *d, struct devx_eth *eth);
/** devx_eth_mr_draft_insert - add a range that overlaps no other. Return: 0 or -ENOMEM, logged */
int devx_eth_mr_draft_insert(struct devx_eth_mr_draft *d, const struct devx_eth_range *r);
/**
 * devx_eth_mr_draft_cut - remove [addr, end) from the ranges
 * @all: also from those of EAL and of dma-bufs
 *
 * Return: 0 or -ENOMEM, logged.
 */
int devx_eth_mr_draft_cut(struct devx_eth_mr_draft *d, uint64_t addr, uint64_t end, bool all);
/**
 * devx_eth_mr_draft_close - publish the draft, and end registrations that have no range left
 * @rc: result of the changes; if it is not 0, undoes them instead
 *
 * Return: @rc, or -ENOMEM.
 */
int devx_eth_mr_draft_close(struct devx_eth_mr_draft *d, int rc);

#endif
