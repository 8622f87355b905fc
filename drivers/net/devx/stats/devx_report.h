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
 * The caller of each function holds eth->lock, and the operations allocate no memory of EAL. Only
 * then the queues of a started port exist: a stopped port reports no queue, because another thread
 * may release it. The counters of a queue belong to its burst; a report reads them as statistics
 * do.
 */

/**
 * struct devx_eth_report - receiver of names and values
 * @add_number: receives a number
 * @add_text: receives a text
 * @begin: begins the group @name; what follows belongs to it, until @end
 * @end: ends the group
 */
struct devx_eth_report {
	void (*add_number)(struct devx_eth_report *report, const char *name, uint64_t value);
	void (*add_text)(struct devx_eth_report *report, const char *name, const char *text);
	void (*begin)(struct devx_eth_report *report, const char *name);
	void (*end)(struct devx_eth_report *report);
};

/** struct devx_eth_report_field - a number in a struct: name, offset, 1 to 8 bytes */
struct devx_eth_report_field {
	const char *name;
	uint16_t offset, bytes;
};

/** devx_eth_report_caps_list - get the list of all fields of struct devx_caps. @n: their number */
const struct devx_eth_report_field *devx_eth_report_caps_list(unsigned int *n);

/** devx_eth_report_caps - names of the device, and its capabilities as lib/devx read them */
void devx_eth_report_caps(struct devx_eth *eth, struct devx_eth_report *report);
/** devx_eth_report_objects - numbers of objects that the port has on the device now, by kind */
void devx_eth_report_objects(struct devx_eth *eth, struct devx_eth_report *report);
/** devx_eth_report_commands - firmware commands since probe, and the last one that failed */
void devx_eth_report_commands(struct devx_eth *eth, struct devx_eth_report *report);
/** devx_eth_report_history - the newest firmware commands, oldest first; names are their numbers */
void devx_eth_report_history(struct devx_eth *eth, struct devx_eth_report *report);
/** devx_eth_report_queues - numbers of queues by state */
void devx_eth_report_queues(struct devx_eth *eth, struct devx_eth_report *report);
/** devx_eth_report_rxq - one receive queue of a started port; @queue is less than their number */
void devx_eth_report_rxq(struct devx_eth *eth, uint16_t queue, struct devx_eth_report *report);
/** devx_eth_report_txq - one send queue of a started port; @queue is less than their number */
void devx_eth_report_txq(struct devx_eth *eth, uint16_t queue, struct devx_eth_report *report);
/** devx_eth_report_count_rings - return the number of generator rings of a port */
unsigned int devx_eth_report_count_rings(const struct devx_eth *eth);
/** devx_eth_report_ring - one generator ring of a started port; @ring: 0 is the newest one */
void devx_eth_report_ring(struct devx_eth *eth, uint16_t ring, struct devx_eth_report *report);
/** devx_eth_report_recovery - errors of queues, their recoveries, and queues that wait for one */
void devx_eth_report_recovery(struct devx_eth *eth, struct devx_eth_report *report);

#endif
