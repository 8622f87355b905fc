/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_TD_H
#define DEVX_TD_H

#include <stdint.h>

#include "devx/dev.h"

/**
 * DOC: Transport domain
 *
 * A transport domain groups TISs and TIRs: a TIR can drop packets that TISs of its own domain sent.
 * A port needs only one domain.
 *
 * Source: PRM, "Transport Domain"; Linux mlx5_ifc_alloc_transport_domain_in_bits.
 */

struct mlx5dv_devx_obj;

/**
 * struct devx_td - a transport domain
 * @tdn: number of the domain in firmware, 24 bits
 * @obj: the firmware object, or NULL
 * @dev: device of the domain
 */
struct devx_td {
	uint32_t tdn;
	struct mlx5dv_devx_obj *obj;
	struct devx_dev *dev;
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_td_create - allocate a transport domain
 * @td: all zero; all zero again on failure
 * @dev: open device; must outlive @td
 *
 * Context: control path; one thread per @dev; may sleep.
 *
 * Return: 0, or as devx_cmd_create() (-EREMOTEIO: all domains are in use).
 */
int devx_td_create(struct devx_td *td, struct devx_dev *dev);

/**
 * devx_td_destroy - undo devx_td_create()
 * @td: a domain, or all zero; all zero afterwards
 *
 * Context: control path; one thread per device; first destroy every TIS and TIR of @td.
 */
void devx_td_destroy(struct devx_td *td);

#ifdef __cplusplus
}
#endif

#endif
