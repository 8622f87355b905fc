/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_TIR_H
#define DEVX_TIR_H

#include <stdbool.h>
#include <stdint.h>

#include "devx/dev.h"
#include "devx/rq.h"
#include "devx/rqt.h"
#include "devx/td.h"
#include "prm/values.h"

/**
 * DOC: Transport interface, receive
 *
 *     flow rule --> TIR, direct   --------------------------------> RQ
 *     flow rule --> TIR, hashing --Toeplitz(fields, key)--> RQT --> RQ
 *
 * Where a flow rule sends packets. The fields of a hashing TIR are no filter: a packet that
 * lacks them hashes to 0. So there is one TIR for each pair of L3 and L4 protocol, and flow
 * rules that match them.
 *
 * Source: PRM, "TIR Context"; Linux mlx5_ifc_tirc_bits.
 */

enum { DEVX_HASH_KEY_BYTES = 40 };

/**
 * struct devx_tir - a transport interface, receive
 * @tirn: its number in firmware, 24 bits
 * @obj: the firmware object, or NULL; flow rules name it
 * @dev: its device
 */
struct devx_tir {
	uint32_t tirn;
	struct mlx5dv_devx_obj *obj;
	struct devx_dev *dev;
};

/**
 * struct devx_tir_attr - what to create
 * @td: its transport domain; must outlive the TIR
 * @rq: direct: where packets go; must outlive the TIR. Either this or @rqt
 * @rqt: hashing: the table; must outlive the TIR
 * @l3: hashing: of which packets
 * @l4: hashing: of which packets; counts when ports are among @fields
 * @fields: hashing: enum prm_hash_field_sel, at least one
 * @key: hashing: as Toeplitz keys are written, first byte first
 * @symmetric: hashing: both directions of a connection hash alike
 */
struct devx_tir_attr {
	const struct devx_td *td;
	const struct devx_rq *rq;
	const struct devx_rqt *rqt;
	enum prm_l3_prot_type l3;
	enum prm_l4_prot_type l4;
	uint32_t fields;
	uint8_t key[DEVX_HASH_KEY_BYTES];
	bool symmetric;
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_tir_create - create a TIR
 * @tir: all zero; all zero again on failure
 * @dev: open device; must outlive @tir
 * @attr: what to create
 *
 * Context: control path; one thread per @dev; may sleep.
 *
 * Return: 0, -EINVAL (no domain; neither or both of RQ and RQT; hash fields missing,
 * unknown, or given to a direct TIR), or as devx_cmd_create().
 */
int devx_tir_create(struct devx_tir *tir, struct devx_dev *dev, const struct devx_tir_attr *attr);

/**
 * devx_tir_destroy - undo devx_tir_create()
 * @tir: a TIR, or all zero; all zero afterwards
 *
 * Context: control path; one thread per device; every rule to it is destroyed.
 */
void devx_tir_destroy(struct devx_tir *tir);

#ifdef __cplusplus
}
#endif

#endif
