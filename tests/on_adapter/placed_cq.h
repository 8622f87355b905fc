/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ON_ADAPTER_PLACED_CQ_H
#define ON_ADAPTER_PLACED_CQ_H

#include "rig.h"

/**
 * DOC: A CQ at a place of a umem that lib/devx would not choose
 *
 *     memory  | shift | umem: 2 pages .......................... |
 *                       ^ umem_offset + page_offset * 64: ring     ^ dbrec_offset
 */

struct mlx5dv_devx_umem;

/**
 * struct placed_cq - the place
 * @shift: bytes between a page and the start of the umem
 * @access: rights of the device to the umem, enum ibv_access_flags
 * @umem_offset, @page_offset, @log_page_size, @dbrec_offset: as in the command; page_offset is in
 *                                                            units of 64 bytes
 * @memory: start of the memory
 * @umem: the registration
 */
struct placed_cq {
	uint32_t shift;
	int access;
	uint32_t umem_offset, page_offset, log_page_size, dbrec_offset;
	uint8_t *memory;
	struct mlx5dv_devx_umem *umem;
};

enum { PLACED_CQ_UMEM_BYTES = 2 * RIG_PAGE, PLACED_CQ_UNIT_BYTES = 64 };

/**
 * placed_cq_create - replace the SQ and send_cq of a rig; the new CQ is at the place
 * @rc: receives the result of CREATE_CQ; @rig has no SQ
 *
 * Return: false if the preparation failed: @f says why.
 */
bool placed_cq_create(struct rig *rig, struct placed_cq *place, struct finding *f, int *rc);
/** placed_cq_run_nop - create an SQ on the new CQ, and judge whether a NOP WQE completes */
void placed_cq_run_nop(struct rig *rig, struct finding *f);
/** placed_cq_destroy - destroy the SQ, the CQ and its memory */
void placed_cq_destroy(struct rig *rig, struct placed_cq *place);

#endif
