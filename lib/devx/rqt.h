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
 * What a hashing TIR spreads packets over. An RQ may stand in it more than once.
 *
 * Source: PRM, "RQT Context"; Linux mlx5_ifc_rqtc_bits.
 */

struct mlx5dv_devx_obj;

/**
 * struct devx_rqt - a receive queue table
 * @rqtn: its number in firmware, 24 bits
 * @n: entries
 * @obj: the firmware object, or NULL
 * @dev: its device
 */
struct devx_rqt {
	uint32_t rqtn;
	uint32_t n;
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
 * @rqns: numbers of RQs that outlive @rqt; copied
 * @n: how many, a power of two, at most 1 << caps.log_max_rqt_size
 *
 * Context: control path; one thread per @dev; may sleep.
 *
 * Return: 0, -EINVAL (@rqns NULL, @n no power of two or too large), -ENOMEM, or as
 * devx_cmd_create() (-EREMOTEIO: a number is no RQ of ours).
 */
int devx_rqt_create(struct devx_rqt *rqt, struct devx_dev *dev, const uint32_t *rqns, uint32_t n);

/**
 * devx_rqt_modify - fill the table anew
 * @rqt: the table
 * @rqns: numbers of RQs; copied
 * @n: how many, a power of two, at most what it was created with
 *
 * Packets in flight go by the old or the new table, each by one of them.
 *
 * Context: control path; one thread per device; may sleep.
 *
 * Return: 0, or as devx_rqt_create(); on failure the old table holds.
 */
int devx_rqt_modify(struct devx_rqt *rqt, const uint32_t *rqns, uint32_t n);

/**
 * devx_rqt_destroy - undo devx_rqt_create()
 * @rqt: a table, or all zero; all zero afterwards
 *
 * Context: control path; one thread per device; every TIR on it is destroyed.
 */
void devx_rqt_destroy(struct devx_rqt *rqt);

#ifdef __cplusplus
}
#endif

#endif
