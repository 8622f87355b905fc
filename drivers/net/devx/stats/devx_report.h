/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_REPORT_H
#define DEVX_ETH_REPORT_H

#include "devx_port.h"

/**
 * DOC: Report of a port
 *
 *     devx_report_device.c, devx_report_queues.c --> struct devx_eth_report --> telemetry
 *          (names and values)                         (operations)         '--> text of a dump
 *
 * A name consists of letters, digits and underscores, as telemetry requires. Groups do not nest.
 *
 * The caller of each function holds eth->lock, and the operations allocate no memory of EAL. The
 * lock protects the queues of a started port. A stopped port reports no queues, because another
 * thread may release them. As statistics do, a report reads counters while bursts change them.
 */

/**
 * struct devx_eth_report - receiver of names and values
 * @begin: begins the group @name, which contains all values up to @end
 */
struct devx_eth_report {
	void (*add_number)(struct devx_eth_report *report, const char *name, uint64_t value);
	void (*add_text)(struct devx_eth_report *report, const char *name, const char *text);
	void (*begin)(struct devx_eth_report *report, const char *name);
	void (*end)(struct devx_eth_report *report);
};

/** struct devx_eth_report_field - an integer of 1, 2, 4 or 8 bytes in a struct */
struct devx_eth_report_field {
	const char *name;
	uint16_t offset, bytes;
};

/** devx_eth_report_caps_list - get all @n fields of struct devx_caps */
const struct devx_eth_report_field *devx_eth_report_caps_list(unsigned int *n);

/* Each of these functions reports one subject. */

/** devx_eth_report_caps - names of the device, and its capabilities as lib/devx reads them */
void devx_eth_report_caps(struct devx_eth *eth, struct devx_eth_report *report);
/** devx_eth_report_objects - how many objects of each kind the port has on the device now */
void devx_eth_report_objects(struct devx_eth *eth, struct devx_eth_report *report);
/** devx_eth_report_commands - firmware commands since probe, and the last one that failed */
void devx_eth_report_commands(struct devx_eth *eth, struct devx_eth_report *report);
/** devx_eth_report_history - the newest firmware commands by number, oldest first */
void devx_eth_report_history(struct devx_eth *eth, struct devx_eth_report *report);
/** devx_eth_report_queues - how many queues are in each state */
void devx_eth_report_queues(struct devx_eth *eth, struct devx_eth_report *report);
/** devx_eth_report_rxq - receive queue @queue of a started port; the number is valid */
void devx_eth_report_rxq(struct devx_eth *eth, uint16_t queue, struct devx_eth_report *report);
/** devx_eth_report_txq - send queue @queue of a started port; the number is valid */
void devx_eth_report_txq(struct devx_eth *eth, uint16_t queue, struct devx_eth_report *report);
unsigned int devx_eth_report_count_rings(const struct devx_eth *eth);
/** devx_eth_report_ring - generator ring @ring of a started port; 0: the newest one */
void devx_eth_report_ring(struct devx_eth *eth, uint16_t ring, struct devx_eth_report *report);
/** devx_eth_report_recovery - errors and recoveries of queues, and queues that wait for one */
void devx_eth_report_recovery(struct devx_eth *eth, struct devx_eth_report *report);

#endif
