/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_PORT_SHARING_H
#define DEVX_ETH_PORT_SHARING_H

#include <stdbool.h>
#include <stdint.h>

#include "devx_mr_table.h"

struct devx_eth_uar_page;

/**
 * struct devx_eth_sharing - what secondary processes need to use a port
 * @multi_process: they can attach to the port
 * @stopping: the last message to all of them about start or stop was STOP
 * @n_told: number of messages to all of them; also counts a message without receivers
 * @export_fd: descriptor of the device for them, from the first one on; or -1
 * @tables: memory of EAL for the tables of the registered memory
 * @uar_pages: pages of the send queues, if @multi_process; see devx_uar_pages.h
 */
struct devx_eth_sharing {
	bool multi_process, stopping;
	uint32_t n_told;
	int export_fd;
	struct devx_eth_table_room tables;
	struct devx_eth_uar_page *uar_pages;
};

#endif
