/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_COUNTER_H
#define DEVX_COUNTER_H

#include <stdint.h>

#include "devx/async.h"
#include "devx/dev.h"

/**
 * DOC: Queue counter
 *
 *     RQ --+
 *     RQ --+--> counter set: out_of_buffer, ...
 *
 * A counter set counts events of the RQs that name it, such as packets that found no buffer.
 * Firmware without counters refuses to create one. An RQ works without a counter set.
 *
 * Source: PRM, "Q Counters"; Linux mlx5_ifc_query_q_counter_out_bits.
 */

struct mlx5dv_devx_obj;

/**
 * struct devx_counter - a counter set
 * @id: number of the set in firmware, 8 bits
 * @obj: the firmware object, or NULL
 * @dev: device of the set
 */
struct devx_counter {
	uint8_t id;
	struct mlx5dv_devx_obj *obj;
	struct devx_dev *dev;
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_counter_create - allocate a counter set
 * @counter: all zero; all zero again on failure
 * @dev: open device; must outlive @counter
 *
 * Context: control path; one thread per @dev; may sleep.
 *
 * Return: 0, or as devx_cmd_create() (-EREMOTEIO: firmware has no counters, or all are in use).
 */
int devx_counter_create(struct devx_counter *counter, struct devx_dev *dev);

/**
 * devx_counter_destroy - undo devx_counter_create()
 * @counter: a set, or all zero; all zero afterwards
 *
 * Context: control path; one thread per device; first destroy every RQ that names @counter.
 */
void devx_counter_destroy(struct devx_counter *counter);

/**
 * devx_counter_read - read how many packets found no buffer in the RQs of a set
 * @counter: the set
 * @out_of_buffer: receives the count since creation, mod 2^32; unchanged on failure
 *
 * Context: control path; one thread per device; may sleep.
 *
 * Return: 0, or as devx_cmd_query().
 */
int devx_counter_read(const struct devx_counter *counter, uint32_t *out_of_buffer);

/**
 * devx_counter_query - start reading a set, without waiting for firmware
 * @counter: the set
 * @async: the channel that receives the reply; use it for queue counters only
 * @wr_id: any number; devx_counter_take() returns it
 *
 * Context: any thread; one per @async. No thread may destroy @counter during the call.
 *
 * Return: 0, or as devx_async_query().
 */
int devx_counter_query(const struct devx_counter *counter, struct devx_async *async,
		       uint64_t wr_id);

/**
 * devx_counter_take - take the oldest reply of devx_counter_query()
 * @async: the channel
 * @wr_id: receives the number of the query; unchanged if no reply was taken
 * @out_of_buffer: receives the count, as devx_counter_read(); unchanged on failure
 *
 * Context: any thread; one per @async. Never blocks.
 *
 * Return: 0, or as devx_async_take(); -EREMOTEIO sets @wr_id.
 */
int devx_counter_take(struct devx_async *async, uint64_t *wr_id, uint32_t *out_of_buffer);

#ifdef __cplusplus
}
#endif

#endif
