/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_LAST_ERROR_H
#define DEVX_ETH_LAST_ERROR_H

#include <stdint.h>
#include <string.h>

#include "devx/sq.h"
#include "prm/cqe.h"
#include "prm/wqe.h"

/**
 * DOC: The last error CQE of a queue, and its WQE
 *
 * The burst that finds an error CQE copies it with the start of its WQE, before the recovery timer
 * empties the ring. A report reads the copy on another thread; @version tells this thread whether
 * a burst changed the copy meanwhile.
 */

enum { DEVX_ETH_LAST_WQE_BYTES = 4 * PRM_WQEBB_BYTES };

/**
 * struct devx_eth_last_error - the last error CQE
 * @version: odd while the burst writes; 0: the queue had no error CQE
 * @cqe: the CQE
 * @wqe: start of the WQE
 */
struct devx_eth_last_error {
	uint32_t version;
	struct prm_err_cqe cqe;
	uint8_t wqe[DEVX_ETH_LAST_WQE_BYTES] __attribute__((aligned(8)));
};

/** devx_eth_last_error_begin - begin to write; called by the thread that bursts on the queue */
static inline void devx_eth_last_error_begin(struct devx_eth_last_error *e)
{
	__atomic_store_n(&e->version, e->version + 1, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
}

static inline void devx_eth_last_error_end(struct devx_eth_last_error *e)
{
	__atomic_store_n(&e->version, e->version + 1, __ATOMIC_RELEASE);
}

/** devx_eth_last_error_keep_send - copy an error CQE of @sq and the start of its WQE */
static inline void devx_eth_last_error_keep_send(struct devx_eth_last_error *e, struct devx_sq *sq,
						 const struct prm_err_cqe *err)
{
	const uint16_t first = prm_be16_get(err->wqe_counter);

	devx_eth_last_error_begin(e);
	e->cqe = *err;
	for (uint16_t i = 0; i < sizeof(e->wqe) / PRM_WQEBB_BYTES; i++)
		memcpy(e->wqe + i * PRM_WQEBB_BYTES, devx_sq_get_wqebb(sq, (uint16_t)(first + i)),
		       PRM_WQEBB_BYTES);
	devx_eth_last_error_end(e);
}

/** devx_eth_last_error_read - copy the error. Return: false: no error yet, or a burst writes it */
static inline bool devx_eth_last_error_read(const struct devx_eth_last_error *e,
					    struct devx_eth_last_error *copy)
{
	const uint32_t version = __atomic_load_n(&e->version, __ATOMIC_ACQUIRE);

	memcpy(copy, e, sizeof(*copy));
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return version && !(version & 1) &&
	       version == __atomic_load_n(&e->version, __ATOMIC_RELAXED);
}

#endif
