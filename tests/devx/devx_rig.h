/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_RIG_H
#define DEVX_RIG_H

#include "devx/account.h"
#include "devx/counter.h"
#include "devx/cq.h"
#include "devx/dev.h"
#include "devx/flow.h"
#include "devx/mem.h"
#include "devx/port.h"
#include "devx/rq.h"
#include "devx/rqt.h"
#include "devx/sq.h"
#include "devx/td.h"
#include "devx/tir.h"
#include "devx/tis.h"
#include "devx/uar.h"
#include "devx/umem.h"

/**
 * DOC: All objects that are needed to send a packet and receive it
 *
 *     SQ -> send_cq      RQ -> recv_cq     rule: own MAC -> TIR -> RQ
 *      '--> TIS -> TD                      memory: SLOTS buffers to send, SLOTS to receive
 *
 * Tests run on the device named by the environment variable DEVX_TEST_IBDEV, or mlx5_0.
 */

enum {
	DEVX_RIG_LOG2_CQ = 5,
	DEVX_RIG_LOG2_SQ = 5,
	DEVX_RIG_LOG2_RQ = 4,
	DEVX_RIG_SLOTS = 32,
	DEVX_RIG_SLOT_BYTES = 2048,
	DEVX_RIG_UMEM_BYTES = 8 * 4096,
};

struct devx_rig {
	struct devx_dev dev;
	struct devx_port port;
	struct devx_td td;
	struct devx_tis tis;
	struct devx_uar uar,
		other_uar; /* take both registers of a page, so the next UAR needs a new page */
	struct devx_cq send_cq, recv_cq;
	struct devx_sq sq;
	struct devx_counter counter; /* not created: the device has none */
	struct devx_rq rq;
	struct devx_rqt rqt;
	struct devx_tir tir;
	struct devx_flow_rule rule;
	struct devx_mr mr;
	uint8_t *memory;
	struct devx_umem umem; /* DEVX_RIG_UMEM_BYTES for rings of further queues */
};

/** devx_rig_get_ibdev - name of the device to test on */
const char *devx_rig_get_ibdev(void);

/** devx_rig_up - open and create everything; @rig is all zero. Return: 0 or the first -errno */
int devx_rig_up(struct devx_rig *rig);

/** devx_rig_down - destroy and close, also after a failed devx_rig_up(); all zero afterwards */
void devx_rig_down(struct devx_rig *rig);

/** devx_rig_get_counter - get the counter of the RQ; NULL: the device has no queue counters */
const struct devx_counter *devx_rig_get_counter(const struct devx_rig *rig);

/** NEEDS_COUNTER - skip the test on a device without queue counters */
#define NEEDS_COUNTER(rig)                                                                         \
	do {                                                                                       \
		if (!devx_rig_get_counter(rig))                                                    \
			SKIP("the device has no queue counters");                                  \
	} while (0)

/** devx_rig_get_counts - get the account of commands with @opcode; all zero: none was sent */
struct devx_account_opcode devx_rig_get_counts(const struct devx_dev *dev, uint16_t opcode);

/** devx_rig_get_send_slot - get send buffer @i mod DEVX_RIG_SLOTS */
uint8_t *devx_rig_get_send_slot(const struct devx_rig *rig, unsigned i);
/** devx_rig_get_recv_slot - get receive buffer @i mod DEVX_RIG_SLOTS */
uint8_t *devx_rig_get_recv_slot(const struct devx_rig *rig, unsigned i);

/** devx_rig_write_frame - write a frame for the port with sequence number @seq. Return: @bytes */
unsigned devx_rig_write_frame(const struct devx_rig *rig, uint8_t *to, uint32_t seq,
			      unsigned bytes);

/** devx_rig_read_seq - get the sequence number of a frame; UINT32_MAX: the frame is damaged */
uint32_t devx_rig_read_seq(const struct devx_rig *rig, const uint8_t *frame, unsigned bytes);

/** devx_rig_post_send - write a SEND WQE that requests a CQE; the caller rings the doorbell */
struct prm_ctrl_seg *devx_rig_post_send(struct devx_rig *rig, const void *addr, unsigned bytes,
					uint32_t lkey);

/** devx_rig_post_recv - post buffers to the RQ until its producer counter is @pi */
void devx_rig_post_recv(struct devx_rig *rig, uint32_t pi);

/** devx_rig_wait_cqe - wait for a CQE for at most 10 seconds. Return: the CQE, or NULL */
const struct prm_cqe *devx_rig_wait_cqe(struct devx_cq *cq);

/** devx_rig_drop_cqe - step past a CQE, which the device may then overwrite */
void devx_rig_drop_cqe(struct devx_cq *cq);

/** devx_rig_expect_error - expect that @rc is @want and devx_strerror() contains @says */
void devx_rig_expect_error(const struct devx_dev *dev, int want, const char *says, int rc);

#endif
