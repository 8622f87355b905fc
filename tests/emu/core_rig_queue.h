/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CORE_RIG_QUEUE_H
#define CORE_RIG_QUEUE_H

#include "core_rig.h"

struct core_rig_cq {
	uint32_t cqn, umem;
	unsigned n;          /* CQEs */
	struct prm_cqe *cqe; /* filled with PRM_CQE_INIT_OP_OWN */
	prm_be32 *dbr;       /* PRM_DBR_CQ_CI, PRM_DBR_CQ_ARM */
	uint32_t ci;
};
struct core_rig_cq core_rig_make_cq(struct core_rig *r, unsigned log_n);

/** core_rig_take_cqe - the next CQE that the device has written, or NULL; moves the record */
struct prm_cqe *core_rig_take_cqe(struct core_rig_cq *cq);

struct core_rig_sq {
	uint32_t sqn, umem;
	unsigned n; /* WQEBBs */
	uint8_t *ring;
	prm_be32 *dbr; /* PRM_DBR_SND */
	uint16_t pi;   /* WQEBBs posted: for the test to keep */
};
/** core_rig_make_sq - an SQ in RDY, multi-packet WQEs allowed */
struct core_rig_sq core_rig_make_sq(struct core_rig *r, unsigned log_n, uint32_t cqn);

/** core_rig_ring_sq - move the record to sq->pi and ring with the first 8 bytes at @ctrl */
void core_rig_ring_sq(struct core_rig *r, struct core_rig_sq *sq, const void *ctrl);

struct core_rig_rq {
	uint32_t rqn, umem;
	unsigned n, stride; /* WQEs; bytes of one */
	uint8_t *ring;
	prm_be32 *dbr; /* PRM_DBR_RCV */
};
/**
 * core_rig_make_rq - an RQ in RDY of 1 << log_n WQEs of 1 << log_sges data segments
 *
 * VLAN tags stay.
 */
struct core_rig_rq core_rig_make_rq(struct core_rig *r, unsigned log_n, unsigned log_sges,
				    uint32_t cqn);

/** core_rig_modify_sq, core_rig_modify_rq - state transition; the status */
uint8_t core_rig_modify_sq(struct core_rig *r, uint32_t sqn, uint8_t from, uint8_t to);
uint8_t core_rig_modify_rq(struct core_rig *r, uint32_t rqn, uint8_t from, uint8_t to);

#endif
