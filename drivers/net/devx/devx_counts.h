/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_COUNTS_H
#define DEVX_ETH_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Only the owner of a queue (enum devx_eth_owner) writes its counters, and they never decrease.
 * Every field is a uint64_t, because devx_eth_counts_add() treats the structs as arrays.
 */
/** struct devx_eth_rx_counters - counters of a receive queue */
struct devx_eth_rx_counters {
	uint64_t packets, bytes;
	uint64_t no_mbuf;  /* mbufs that the pool lacked for a refill, counted once per shortage */
	uint64_t too_long; /* packets longer than a buffer, dropped by the device */
	uint64_t failed;   /* packets dropped by the device for an error that needed no reset */
	uint64_t lost;     /* received packets that a reset of the queue dropped */
	uint64_t error_cqes;
	uint64_t cq_errors; /* failures of the CQ, each of which gave the queue new objects */
	uint64_t recoveries;
};

/** struct devx_eth_tx_counters - counters of a send queue */
struct devx_eth_tx_counters {
	uint64_t packets, bytes; /* posted, counted as frames on the wire; includes lost ones */
	uint64_t unregistered;   /* dropped: the memory has no key */
	uint64_t bad_length;     /* dropped: too short (devx_tx_check.h), or above max_bytes */
	uint64_t bad_segments;   /* dropped: more segments than max_segs or than a WQE holds */
	uint64_t bad_tso;        /* dropped: impossible TSO request (enum devx_eth_tx_fault) */
	uint64_t unreadable;     /* dropped: headers that a WQE must contain are in a dma-buf */
	uint64_t lost;           /* posted packets of the failed WQE and of all later WQEs */
	uint64_t unknown;        /* posted packets without a CQE when the device was lost */
	uint64_t error_cqes;
	uint64_t cq_errors; /* failures of the CQ, each of which gave the queue new objects */
	uint64_t recoveries;
};

/** struct devx_eth_counts - counters of several queues */
struct devx_eth_counts {
	struct devx_eth_rx_counters rx;
	struct devx_eth_tx_counters tx;
};

/** devx_eth_counts_add - add @now - @base to @sum, counter by counter; each has @bytes bytes */
static inline void devx_eth_counts_add(void *sum, const void *now, const void *base, size_t bytes)
{
	for (size_t i = 0; i < bytes / sizeof(uint64_t); i++)
		((uint64_t *)sum)[i] += ((const uint64_t *)now)[i] - ((const uint64_t *)base)[i];
}

/**
 * devx_eth_counts_continue - make counts of the device continue after a loss of the device
 * @base: @n values that the driver subtracts from those of the device
 * @old: values of the device before the loss
 * @now: values of the device after its recovery
 *
 * If any value fell, the device restarted all of them from zero. The function then moves @base, so
 * that the difference to the device's value continues where it was before the loss.
 */
static inline void devx_eth_counts_continue(uint64_t *base, const uint64_t *old,
					    const uint64_t *now, size_t n)
{
	bool fell = false;

	for (size_t i = 0; i < n; i++)
		fell |= now[i] < old[i];
	for (size_t i = 0; fell && i < n; i++)
		base[i] += now[i] - old[i];
}

#endif
