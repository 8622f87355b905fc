/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_GATE_H
#define DEVX_ETH_GATE_H

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "devx/slot.h"

/**
 * DOC: State of the recovery of a device
 *
 *     function of the port:  enter ... work ... leave
 *     device is lost:        close the gate --> wait until nobody is inside --> recover --> open it
 *
 * While the gate is closed, functions that use the device return -EBUSY. After a recovery that
 * failed they return -EIO, because the port has no device.
 */

struct devx_eth_recovery_thread;

/**
 * struct devx_eth_gate - the gate in front of the functions of a port
 * @closed: what a function returns that may not enter; 0: the gate is open
 * @n_inside: number of threads in these functions
 */
struct devx_eth_gate {
	int32_t closed;
	uint32_t n_inside;
};

/** struct devx_eth_recovery_counters - @lost_ms: time from the last loss to its end, in ms */
struct devx_eth_recovery_counters {
	uint64_t losses, successes, failures, lost_ms;
};

/**
 * struct devx_eth_recovery - recovery of the device of a port; see loss/devx_device_recovery.h
 * @gate: closed while a recovery is under way
 * @ready: a loss may start a recovery: from the end of the probe to close
 * @attempt: held while the recovery thread changes objects, and while the port stops or closes
 * @thread: the recovery thread, or the last one, which has ended; NULL: none yet
 * @slot: PCI function of the device
 * @restart: the port was started, and no stop came since
 * @n: counters since probe
 *
 * The holder of @attempt may take devx_eth.lock. Fields without a lock of their own are under
 * devx_eth.lock.
 */
struct devx_eth_recovery {
	struct devx_eth_gate gate;
	bool ready, restart;
	pthread_mutex_t attempt;
	struct devx_eth_recovery_thread *thread;
	struct devx_slot slot;
	struct devx_eth_recovery_counters n;
};

/** devx_eth_gate_leave - the last act of a function that entered */
static inline void devx_eth_gate_leave(struct devx_eth_gate *gate)
{
	__atomic_sub_fetch(&gate->n_inside, 1, __ATOMIC_RELEASE);
}

/**
 * devx_eth_gate_enter - the first act of a function that uses the device
 *
 * Both sides write their own field and then read the other one, so at least one sees the other.
 *
 * Return: 0, -EBUSY while a recovery is under way, or -EIO after one that failed
 */
static inline int devx_eth_gate_enter(struct devx_eth_gate *gate)
{
	int rc;

	__atomic_add_fetch(&gate->n_inside, 1, __ATOMIC_SEQ_CST);
	rc = __atomic_load_n(&gate->closed, __ATOMIC_SEQ_CST);
	if (rc)
		devx_eth_gate_leave(gate);
	return rc;
}

/** devx_eth_gate_close - make later calls of devx_eth_gate_enter() fail; threads stay inside */
static inline void devx_eth_gate_close(struct devx_eth_gate *gate)
{
	__atomic_store_n(&gate->closed, -EBUSY, __ATOMIC_SEQ_CST);
}

/** devx_eth_gate_fail - end a recovery that failed: functions return -EIO from now on */
static inline void devx_eth_gate_fail(struct devx_eth_gate *gate)
{
	__atomic_store_n(&gate->closed, -EIO, __ATOMIC_SEQ_CST);
}

/** devx_eth_gate_open - undo devx_eth_gate_close() */
static inline void devx_eth_gate_open(struct devx_eth_gate *gate)
{
	__atomic_store_n(&gate->closed, 0, __ATOMIC_SEQ_CST);
}

/** devx_eth_gate_is_closed - check whether a recovery is under way; any thread */
static inline bool devx_eth_gate_is_closed(const struct devx_eth_gate *gate)
{
	return __atomic_load_n(&gate->closed, __ATOMIC_SEQ_CST) == -EBUSY;
}

/** devx_eth_gate_is_empty - check whether no thread is inside; any thread */
static inline bool devx_eth_gate_is_empty(const struct devx_eth_gate *gate)
{
	return !__atomic_load_n(&gate->n_inside, __ATOMIC_SEQ_CST);
}

#endif
