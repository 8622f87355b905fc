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
 * A TIR is the destination of flow rules. A hashing TIR also accepts packets without its hash
 * fields; their hash is 0, which selects entry 0 of the RQT. Create one hashing TIR per pair of L3
 * and L4 protocol, and one flow rule per TIR that matches the pair. For all other packets create a
 * TIR without hash fields, on an RQT of one entry.
 *
 * PRM-MISSING: the hash of a packet without the hash fields is 0 and chooses entry 0 (no source
 * says which entry).
 *
 * While two contexts of a function are open, the function also receives the frames that it sends to
 * multicast groups and to its own addresses. A TIR blocks those from SQs of its transport domain.
 * Unless caps.tis_tir_td_order is set, it knows only SQs created before the TIR, or before its last
 * devx_tir_refresh_self_lb(). Source: Tariq Toukan's patch to Linux' mlx5e_refresh_tirs (October
 * 2025).
 *
 * Source: PRM, "TIR Context"; Linux mlx5_ifc_tirc_bits.
 */

enum { DEVX_HASH_KEY_BYTES = 40 };

/**
 * struct devx_tir - a transport interface, receive
 * @tirn: number of the TIR in firmware, 24 bits
 * @own_unicast: as in struct devx_tir_attr
 * @obj: the firmware object, or NULL; flow rules refer to it
 * @dev: device of the TIR
 */
struct devx_tir {
	uint32_t tirn;
	bool own_unicast;
	struct mlx5dv_devx_obj *obj;
	struct devx_dev *dev;
};

/**
 * struct devx_tir_attr - arguments of devx_tir_create(); set either @rq or @rqt
 * @td: transport domain; must outlive the TIR
 * @rq: direct TIR: destination of the packets; must outlive the TIR
 * @rqt: hashing TIR: table of destinations; must outlive the TIR
 * @l3: hashing TIR: L3 protocol whose addresses are hashed
 * @l4: hashing TIR: L4 protocol whose ports are hashed; ignored if @fields has no port
 * @fields: hashing TIR: bits of enum prm_hash_field_sel; 0: none (then @rqt must have one entry,
 *          or a device may refuse the TIR); direct TIR: 0
 * @key: hashing TIR: Toeplitz key, first byte first
 * @symmetric: hashing TIR: both directions of a connection have the same hash
 * @inner_headers: the CQE of a tunneled packet describes the inner headers (PRM_CQE_TUNNELED), and
 *                 its checksum bits cover outer and inner headers; needs a capability
 *                 tunnel_stateless_*. This is a property of the RQs behind the TIR: all TIRs of an
 *                 RQ must agree, else the one that was created or modified last decides
 * @own_unicast: the TIR also receives unicast frames that SQs of its transport domain send to
 *               addresses of the function (field self_lb_block)
 *
 * The hash is that of the outer headers, even with @inner_headers.
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
	bool inner_headers;
	bool own_unicast;
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_tir_create - create a TIR
 * @tir: all zero; all zero again on failure
 * @dev: open device; must outlive @tir
 * @attr: destination and hash of the TIR
 *
 * Context: control path; one thread per @dev; may sleep.
 *
 * Return: 0, or
 *   -EINVAL   no domain; neither or both of @rq and @rqt; @fields has unknown bits in a hashing
 *             TIR, or is not 0 in a direct TIR; @l3 or @l4 is unknown
 *   -ENOTSUP  @inner_headers without a capability tunnel_stateless_*
 *   others    as devx_cmd_create()
 */
int devx_tir_create(struct devx_tir *tir, struct devx_dev *dev, const struct devx_tir_attr *attr);

/**
 * devx_tir_modify_hash - change hash fields and key of a hashing TIR
 * @tir: a hashing TIR
 * @attr: new @l3, @l4, @fields, @key and @symmetric; the other members as at creation
 *
 * Packets that arrive during the call are hashed either way.
 *
 * Context: control path; one thread per device; may sleep.
 *
 * Return: 0, or as devx_tir_create() with devx_cmd_modify(); -EINVAL also for a direct TIR. A
 * failure keeps the old hash.
 */
int devx_tir_modify_hash(struct devx_tir *tir, const struct devx_tir_attr *attr);

/**
 * devx_tir_refresh_self_lb - make a TIR block frames of SQs that were created after the TIR
 * @tir: a TIR
 *
 * Call it for each TIR of a transport domain after an SQ of that domain was created. With
 * caps.tis_tir_td_order it does nothing.
 *
 * Context: control path; one thread per device; may sleep.
 *
 * Return: 0, -ENOTSUP if caps.self_lb_en_modifiable is 0, or as devx_cmd_modify()
 */
int devx_tir_refresh_self_lb(struct devx_tir *tir);

/**
 * devx_tir_destroy - undo devx_tir_create()
 * @tir: a TIR, or all zero; all zero afterwards
 *
 * Context: control path; one thread per device; first destroy every rule to @tir.
 */
void devx_tir_destroy(struct devx_tir *tir);

#ifdef __cplusplus
}
#endif

#endif
