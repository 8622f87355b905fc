/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CORE_RIG_QP_H
#define CORE_RIG_QP_H

#include "core_rig_queue.h"

/**
 * DOC: QPs as Linux makes them
 *
 * A QP for UMRs has a send queue only. The GSI QP has a receive queue in front of its send queue.
 * A test that needs more fields sets them in the input before it sends the command.
 */

/** struct core_rig_qp - the properties of a QP that a test chooses */
struct core_rig_qp {
	uint8_t st;   /* PRM_QPC_ST_REG_UMR or PRM_QPC_ST_QP1 */
	uint32_t cqn; /* CQ of both queues */
	uint8_t log_sq, log_rq, log_rq_stride;
	const void *dbr;
	const uint8_t *pages; /* memory of the rings */
	unsigned n_pages;     /* up to CORE_RIG_QP_PAGES */
	unsigned page_offset; /* start of the first ring, in units of 64 bytes */
};

enum { CORE_RIG_QP_PAGES = 2 };

/** struct core_rig_qp_in - input of CREATE_QP with a page list; the first @bytes are sent */
struct core_rig_qp_in {
	struct prm_create_qp_in head;
	prm_be64 page[CORE_RIG_QP_PAGES];
	size_t bytes;
};

/** core_rig_fill_qp - fill in CREATE_QP for @qp */
void core_rig_fill_qp(const struct core_rig *r, const struct core_rig_qp *qp,
		      struct core_rig_qp_in *in);

/** core_rig_create_qp - send CREATE_QP. Return: the status */
uint8_t core_rig_create_qp(struct core_rig *r, struct core_rig_qp_in *in, uint32_t *qpn);

/** core_rig_fill_qp_move - fill in RST2INIT_QP, INIT2RTR_QP or RTR2RTS_QP (one layout) */
void core_rig_fill_qp_move(const struct core_rig *r, const struct core_rig_qp *qp, uint32_t qpn,
			   struct prm_rst2init_qp_in *in);

/** core_rig_make_umr_qp - create a QP for UMRs of the kernel, in RTS */
struct core_rig_sq core_rig_make_umr_qp(struct core_rig *r, unsigned log_n, uint32_t cqn);

/** core_rig_move_umr_qp - send transition @opcode, with the CQ as Linux does. Return: the status */
uint8_t core_rig_move_umr_qp(struct core_rig *r, uint32_t qpn, uint32_t cqn, uint16_t opcode);

/** core_rig_start_umr_qp - send the three transitions from RST to RTS */
void core_rig_start_umr_qp(struct core_rig *r, uint32_t qpn, uint32_t cqn);

#endif
