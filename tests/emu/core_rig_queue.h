/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CORE_RIG_QUEUE_H
#define CORE_RIG_QUEUE_H

#include "core_rig.h"

struct core_rig_cq {
	uint32_t cqn, umem;
	unsigned n;          /* CQEs */
	struct prm_cqe *cqe; /* the ring */
	prm_be32 *dbr;       /* doorbell record: PRM_DBR_CQ_CI, PRM_DBR_CQ_ARM */
	uint32_t ci;
};
struct core_rig_cq core_rig_make_cq(struct core_rig *r, unsigned log_n);

/** core_rig_take_cqe - consume the next CQE and write the doorbell record; NULL: no CQE */
struct prm_cqe *core_rig_take_cqe(struct core_rig_cq *cq);

struct core_rig_sq {
	uint32_t sqn, umem;
	unsigned n; /* WQEBBs */
	uint8_t *ring;
	prm_be32 *dbr; /* doorbell record: PRM_DBR_SND */
	uint16_t pi;   /* WQEBBs posted so far; core_rig_end_wqe() counts them */
};
/** core_rig_make_sq - create an SQ in RDY that allows multi-packet WQEs */
struct core_rig_sq core_rig_make_sq(struct core_rig *r, unsigned log_n, uint32_t cqn);

/** core_rig_ring_sq - write sq->pi to the record, and 8 bytes of @ctrl to the doorbell register */
void core_rig_ring_sq(struct core_rig *r, struct core_rig_sq *sq, const void *ctrl);

struct core_rig_rq {
	uint32_t rqn, umem;
	unsigned n, stride; /* number of WQEs; size of a WQE in bytes */
	uint8_t *ring;
	prm_be32 *dbr; /* doorbell record: PRM_DBR_RCV */
};
/**
 * core_rig_make_rq - create an RQ in RDY of 1 << log_n WQEs of 1 << log_sges data segments
 *
 * The RQ does not strip VLAN tags.
 */
struct core_rig_rq core_rig_make_rq(struct core_rig *r, unsigned log_n, unsigned log_sges,
				    uint32_t cqn);

/** core_rig_modify_sq, core_rig_modify_rq - change the state of a queue. Return: the status */
uint8_t core_rig_modify_sq(struct core_rig *r, uint32_t sqn, uint8_t from, uint8_t to);
uint8_t core_rig_modify_rq(struct core_rig *r, uint32_t rqn, uint8_t from, uint8_t to);

#endif
