/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_RQT_H
#define DEVX_RQT_H

#include <stdint.h>

#include "devx/dev.h"

/**
 * DOC: Receive queue table
 *
 *     hash --low bits--> | rqn 0 | rqn 1 | ... | rqn n-1 |      n a power of two
 *
 * A hashing TIR distributes packets over the RQs of this table. An RQ may have several entries.
 *
 * Source: PRM, "RQT Context"; Linux mlx5_ifc_rqtc_bits.
 */

struct mlx5dv_devx_obj;

/**
 * struct devx_rqt - a receive queue table
 * @rqtn: number of the RQT in firmware, 24 bits
 * @n_max: largest number of entries that devx_rqt_modify() can set
 * @obj: the firmware object, or NULL
 * @dev: device of the RQT
 */
struct devx_rqt {
	uint32_t rqtn;
	uint32_t n_max;
	struct mlx5dv_devx_obj *obj;
	struct devx_dev *dev;
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_rqt_create - create a table
 * @rqt: all zero; all zero again on failure
 * @dev: open device; must outlive @rqt
 * @rqns: numbers of @n RQs that outlive @rqt; copied
 * @n: number of entries, a power of two, at most @n_max
 * @n_max: largest number of entries that devx_rqt_modify() can set; a power of two, at most
 *         1 << caps.log_max_rqt_size
 *
 * Context: control path; one thread per @dev; may sleep.
 *
 * Return: 0, or
 *   -EINVAL   @rqns is NULL, or @n or @n_max is 0, too large or not a power of two
 *   -ENOMEM   out of memory
 *   others    as devx_cmd_create() (-EREMOTEIO: this user has no RQ with one of the numbers)
 */
int devx_rqt_create(struct devx_rqt *rqt, struct devx_dev *dev, const uint32_t *rqns, uint32_t n,
		    uint32_t n_max);

/**
 * devx_rqt_modify - replace all entries
 * @rqt: the table
 * @rqns: numbers of @n RQs that outlive @rqt; copied
 * @n: number of entries, a power of two, at most @rqt->n_max
 *
 * During the call each packet follows either the old or the new table.
 *
 * Context: control path; one thread per device; may sleep.
 *
 * Return: 0, or as devx_rqt_create() with devx_cmd_modify(); a failure keeps the old entries.
 */
int devx_rqt_modify(struct devx_rqt *rqt, const uint32_t *rqns, uint32_t n);

/**
 * devx_rqt_destroy - undo devx_rqt_create()
 * @rqt: a table, or all zero; all zero afterwards
 *
 * Context: control path; one thread per device; first destroy every TIR that uses @rqt.
 */
void devx_rqt_destroy(struct devx_rqt *rqt);

#ifdef __cplusplus
}
#endif

#endif
