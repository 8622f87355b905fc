/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_TIS_H
#define DEVX_TIS_H

#include <stdint.h>

#include "devx/dev.h"
#include "devx/td.h"

/**
 * DOC: Transport interface, send
 *
 *     SQ --> TIS --> transport domain
 *
 * A TIS gives an SQ its priority and transport domain. Any number of SQs can share a TIS.
 *
 * PRM-MISSING: firmware refuses a TIS or an SQ of a user without CAP_NET_RAW (no source says which
 * of the two).
 *
 * Source: PRM, "TIS Context"; Linux mlx5_ifc_tisc_bits.
 */

/**
 * struct devx_tis - a transport interface, send
 * @tisn: number of the TIS in firmware, 24 bits
 * @obj: the firmware object, or NULL
 * @dev: device of the TIS
 */
struct devx_tis {
	uint32_t tisn;
	struct mlx5dv_devx_obj *obj;
	struct devx_dev *dev;
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_tis_create - create a TIS of priority 0
 * @tis: all zero; all zero again on failure
 * @dev: open device; must outlive @tis
 * @td: transport domain of @tis; must outlive @tis
 *
 * Context: control path; one thread per @dev; may sleep.
 *
 * Return: 0, or
 *   -EINVAL   @td is NULL or not created
 *   others    as devx_cmd_create() (-EREMOTEIO: the process had no CAP_NET_RAW when it opened the
 *             device; firmware may refuse the SQ instead)
 */
int devx_tis_create(struct devx_tis *tis, struct devx_dev *dev, const struct devx_td *td);

/**
 * devx_tis_create_on_port - as devx_tis_create(), for SQs that send through one port of a bond
 * @tis, @dev, @td: as for devx_tis_create()
 * @port: 1 to devx_lag.n_ports (lag.h); 0: the device chooses the port
 *
 * Return: as devx_tis_create(), and -EINVAL: @port is above 15.
 */
int devx_tis_create_on_port(struct devx_tis *tis, struct devx_dev *dev, const struct devx_td *td,
			    uint8_t port);

/**
 * devx_tis_destroy - undo devx_tis_create()
 * @tis: a TIS, or all zero; all zero afterwards
 *
 * Context: control path; one thread per device; first destroy every SQ of @tis.
 */
void devx_tis_destroy(struct devx_tis *tis);

#ifdef __cplusplus
}
#endif

#endif
