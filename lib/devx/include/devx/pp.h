/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_PP_H
#define DEVX_PP_H

#include <stdbool.h>
#include <stdint.h>

#include "devx/dev.h"
#include "devx/sq.h"

/**
 * DOC: Packet pacing
 *
 *     devx_pp_create --> an entry in the device's table of rate limits
 *                           ^
 *     devx_sq_create, devx_sq_set_pp: the SQ names the entry by its index
 *
 * The kernel owns the table (QUERY_HCA_CAP, packet_pacing_rate_table_size) and sends the command
 * SET_PP_RATE_LIMIT. Limits with equal values share an entry, even across programs, unless one is
 * dedicated.
 *
 * PRM-MISSING: an SQ keeps its limit in RST and ERR (Linux' mlx5e_recover_sq resets an SQ and does
 * not set the limit again).
 *
 * The rate applies to each SQ of an entry separately: Linux uses one entry for Tx queues with equal
 * rates, find_rl_entry. PRM-MISSING: the rate counts the bytes of a frame without preamble and gap.
 *
 * Source: rdma-core mlx5dv_pp_alloc(3); Linux mlx5_ifc_set_pp_rate_limit_context_bits.
 */

struct mlx5dv_pp;

/**
 * struct devx_pp_attr - arguments of devx_pp_create()
 * @kbps: rate in kbit/s, caps.packet_pacing_min_rate..caps.packet_pacing_max_rate
 * @burst_bytes: largest burst at full speed; 0: the device chooses; other values need
 *               caps.packet_pacing_burst_bound
 * @typical_bytes: typical length of a packet, which improves accuracy; 0: unknown; other values
 *                 need caps.packet_pacing_typical_size
 * @dedicated: use a separate entry, which only SQs of this context can use
 */
struct devx_pp_attr {
	uint32_t kbps;
	uint32_t burst_bytes;
	uint16_t typical_bytes;
	bool dedicated;
};

/**
 * struct devx_pp - a rate limit
 * @index: number of the entry, 1..caps.packet_pacing_rate_table_size - 1
 * @pp: the handle, or NULL
 * @dev: device of the limit
 */
struct devx_pp {
	uint16_t index;
	struct mlx5dv_pp *pp;
	struct devx_dev *dev;
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_pp_create - get an entry with a rate limit
 * @pp: all zero; all zero again on failure
 * @dev: open device; must outlive @pp
 * @attr: the limit
 *
 * Context: control path; one thread per @dev; may sleep.
 *
 * Return: 0, or
 *   -EINVAL   the rate is out of range; a kernel also returns this if firmware refuses
 *   -ENOTSUP  the device lacks caps.packet_pacing, caps.packet_pacing_uid or the capability of a
 *             field; or the kernel does not support rate limits
 *   -ENOSPC   no entry is free
 *   -ENOMEM   out of memory
 *   others    as the kernel returned them
 */
int devx_pp_create(struct devx_pp *pp, struct devx_dev *dev, const struct devx_pp_attr *attr);

/**
 * devx_pp_destroy - release an entry
 * @pp: a limit, or all zero; all zero afterwards
 *
 * Context: control path; one thread per device; no SQ names @pp. The kernel does not check this: an
 * SQ that still names the entry gets the rate of the entry's next owner, or no limit.
 */
void devx_pp_destroy(struct devx_pp *pp);

/**
 * devx_sq_set_pp - change the rate limit of an SQ
 * @sq: a queue in RDY; packets that it has not sent yet get the new rate
 * @pp: the limit, which must outlive @sq or its next devx_sq_set_pp(); NULL: no limit
 *
 * Context: control path; one thread per device; another thread may post to @sq; may sleep.
 *
 * Return: 0, or
 *   -EINVAL  @pp was not created
 *   others   as devx_cmd_modify() (-EREMOTEIO: the SQ is not in RDY, or @pp is a dedicated limit
 *            of another context). A failure changes nothing.
 */
int devx_sq_set_pp(struct devx_sq *sq, const struct devx_pp *pp);

#ifdef __cplusplus
}
#endif

#endif
