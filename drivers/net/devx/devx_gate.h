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
 * While the gate is closed, functions that use the device return -EBUSY. After a failed recovery
 * they return -EIO, because the port has no device.
 */

/**
 * struct devx_eth_gate - the gate in front of the functions of a port
 * @closed: 0: the gate is open; otherwise the -errno of functions that cannot enter
 * @n_inside: number of threads in these functions
 */
struct devx_eth_gate {
	int32_t closed;
	uint32_t n_inside;
};

/** struct devx_eth_recovery_counters - losses, how they ended, and how long the last one lasted */
struct devx_eth_recovery_counters {
	uint64_t losses, successes, failures, lost_ms;
};

/**
 * struct devx_eth_recovery - recovery of the device of a port; see loss/devx_device_recovery.h
 * @gate: closed while a recovery is under way
 * @ready: a loss may start a recovery: from the end of the probe to close
 * @attempt: held while the recovery thread changes objects, and while the port stops or closes
 * @thread: the newest recovery thread, which may have ended; NULL: there was none yet
 * @slot: PCI function of the device
 * @restart: the port was started when the device was lost, and no stop followed
 * @n: counters since probe
 *
 * A thread that holds @attempt may take devx_eth.lock, which also protects all fields that are
 * neither locks nor atomic.
 */
struct devx_eth_recovery {
	struct devx_eth_gate gate;
	bool ready, restart;
	pthread_mutex_t attempt;
	struct devx_eth_recovery_thread *thread;
	struct devx_slot slot;
	struct devx_eth_recovery_counters n;
};

/** devx_eth_gate_leave - leave the gate: the last step of a function that entered */
static inline void devx_eth_gate_leave(struct devx_eth_gate *gate)
{
	__atomic_sub_fetch(&gate->n_inside, 1, __ATOMIC_RELEASE);
}

/**
 * devx_eth_gate_enter - enter the gate: the first step of a function that uses the device
 *
 * The thread that enters and the one that closes each write their own field and then read the
 * other's. So at least one of them sees the other.
 *
 * Return: 0, -EBUSY while a recovery is under way, or -EIO after a failed one
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

/** devx_eth_gate_close - make later calls of devx_eth_gate_enter() fail; some may be inside */
static inline void devx_eth_gate_close(struct devx_eth_gate *gate)
{
	__atomic_store_n(&gate->closed, -EBUSY, __ATOMIC_SEQ_CST);
}

/** devx_eth_gate_fail - end a failed recovery: functions return -EIO from now on */
static inline void devx_eth_gate_fail(struct devx_eth_gate *gate)
{
	__atomic_store_n(&gate->closed, -EIO, __ATOMIC_SEQ_CST);
}

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
