/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ON_ADAPTER_RIG_H
#define ON_ADAPTER_RIG_H

#include "devx/cq.h"
#include "devx/flow.h"
#include "devx/mem.h"
#include "devx/port.h"
#include "devx/rq.h"
#include "devx/sq.h"
#include "devx/td.h"
#include "devx/tir.h"
#include "devx/tis.h"
#include "devx/uar.h"
#include "finding.h"
#include "prm/prm.h"

/**
 * DOC: The queues of a check
 *
 *     SQ -> send_cq     TIS -> out_td          RQ -> recv_cq, TIR -> in_td, rule -> TIR
 *
 * Two transport domains, because local loopback passes a frame to a TIR of another domain. The
 * rules take only frames to the port's own MAC address, with an EtherType for experiments or with
 * UDP port PORT_DISCARD or PORT_VXLAN. A check owns its rig, and destroys it.
 */

enum {
	RIG_LOG2_CQ = 5,
	RIG_LOG2_SQ = 4,
	RIG_LOG2_RQ = 3,
	RIG_SLOT_BYTES = 2048,
	RIG_SEND_BYTES = 8192, /* the send buffer; the slots of the RQ follow it */
	RIG_MEMORY_BYTES = RIG_SEND_BYTES + (RIG_SLOT_BYTES << RIG_LOG2_RQ),
	RIG_PAGE = 4096,
	ETHERTYPE_EXPERIMENT = 0x88b5,
	PORT_DISCARD = 9,  /* RFC 863 */
	PORT_VXLAN = 4789, /* RFC 7348 */
};

/**
 * struct adapter - the port that the user named
 * @second: another context of the device. Two contexts turn local loopback on (Linux,
 *          mlx5_ib_enable_lb), and it goes off when one of them is closed
 * @may_send: the user allowed frames on the wire
 * @hears_itself: a frame to the own MAC address came back; checks of frames need this
 * @ibdev: name of the device
 */
struct adapter {
	struct devx_dev dev, second;
	struct devx_port port;
	bool may_send, hears_itself;
	const char *ibdev;
};

/** struct rig - all objects of a check; zero-initialised before use */
struct rig {
	struct adapter *at;
	struct devx_dev *dev;
	struct devx_td out_td, in_td;
	struct devx_tis tis;
	struct devx_uar uar, other_uar;
	struct devx_cq send_cq, recv_cq;
	struct devx_sq sq;
	struct devx_rq rq;
	struct devx_tir tir;
	struct devx_mr mr;
	uint8_t *memory;
	struct mlx5dv_flow_matcher *matcher;
	struct ibv_flow *flow;
};

/** rig_prepare_send - create everything to send, up to an SQ in RDY. Return: as could_prepare() */
bool rig_prepare_send(struct rig *rig, struct adapter *at, struct finding *f);
/** rig_prepare_receive - after rig_prepare_send(): an RQ in RDY with buffers, and a TIR */
bool rig_prepare_receive(struct rig *rig, struct finding *f);
/** rig_prepare_rq - the part of rig_prepare_receive() up to an RQ in RDY, without buffers */
bool rig_prepare_rq(struct rig *rig, struct finding *f);
/**
 * rig_prepare_frames - both of the above, and a rule that takes experimental frames to the own MAC
 *
 * Return: false also if the user did not allow frames, or if the port does not hear itself.
 */
bool rig_prepare_frames(struct rig *rig, struct adapter *at, struct finding *f);
/** rig_destroy - undo all of the above, however far it got */
void rig_destroy(struct rig *rig);

/** rig_post_nop - write a NOP WQE at sq.pi, which moves on. Return: its control segment */
struct prm_ctrl_seg *rig_post_nop(struct rig *rig, enum prm_ce ce);
/** rig_wait_cqe - wait for a CQE, at most @ms milliseconds. Return: the CQE, or NULL */
const struct prm_cqe *rig_wait_cqe(struct devx_cq *cq, unsigned int ms);
/** rig_drop_cqe - step past a CQE */
void rig_drop_cqe(struct devx_cq *cq);
/** rig_expect_nop - ring for @last, and judge whether the CQE of WQE @index comes */
void rig_expect_nop(struct rig *rig, struct finding *f, const struct prm_ctrl_seg *last,
		    uint16_t index);
/** rig_fill_sq - fill a CREATE_SQ command like that of the rig's SQ, on the ring of that SQ */
void rig_fill_sq(const struct rig *rig, struct prm_create_sq_in *in);

/* Long enough for a busy machine; a CQE comes within microseconds. */
enum { RIG_PATIENCE_MS = 5000, RIG_SILENCE_MS = 100 };

#endif
