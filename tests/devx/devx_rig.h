/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_RIG_H
#define DEVX_RIG_H

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

/**
 * DOC: Everything that it takes to send a packet and receive it
 *
 *     SQ -> send_cq      RQ -> recv_cq     rule: own MAC -> TIR -> RQ
 *      '--> TIS -> TD                      memory: SLOTS buffers to send, SLOTS to receive
 *
 * For tests on the device DEVX_TEST_IBDEV, or mlx5_0.
 */

enum {
	STACK_LOG2_CQ = 5,
	STACK_LOG2_SQ = 5,
	STACK_LOG2_RQ = 4,
	STACK_SLOTS = 32,
	STACK_SLOT_BYTES = 2048,
};

struct stack {
	struct devx_dev dev;
	struct devx_port port;
	struct devx_td td;
	struct devx_tis tis;
	struct devx_uar uar, other_uar; /* both registers of a page: the next needs a new one */
	struct devx_cq send_cq, recv_cq;
	struct devx_sq sq;
	struct devx_counter counter;
	struct devx_rq rq;
	struct devx_rqt rqt;
	struct devx_tir tir;
	struct devx_flow_rule rule;
	struct devx_mr mr;
	uint8_t *memory;
};

/** stack_ibdev - name of the device to test on */
const char *stack_ibdev(void);

/** stack_up - open and create everything; @s is all zero. Return: 0 or what failed returned */
int stack_up(struct stack *s);

/** stack_down - destroy and close, however far stack_up() came; all zero afterwards */
void stack_down(struct stack *s);

/** stack_send_slot, stack_recv_slot - buffer @i mod STACK_SLOTS of either kind */
uint8_t *stack_send_slot(const struct stack *s, unsigned i);
uint8_t *stack_recv_slot(const struct stack *s, unsigned i);

/** stack_frame - write a frame to ourselves with sequence number @seq. Return: its bytes */
unsigned stack_frame(const struct stack *s, uint8_t *to, uint32_t seq, unsigned bytes);

/** stack_frame_seq - sequence number of a frame of stack_frame(), or UINT32_MAX */
uint32_t stack_frame_seq(const struct stack *s, const uint8_t *frame, unsigned bytes);

/** stack_post_send - write a SEND of @bytes at @addr, asking for a CQE; not rung */
struct prm_ctrl_seg *stack_post_send(struct stack *s, const void *addr, unsigned bytes,
				     uint32_t lkey);

/** stack_post_recv - give the RQ buffers until @pi of them were posted since the reset */
void stack_post_recv(struct stack *s, uint32_t pi);

/** stack_wait - wait for a CQE, 10 seconds at most. Return: it, or NULL */
const struct prm_cqe *stack_wait(struct devx_cq *cq);

/** stack_drop - step past a CQE and give its slot back */
void stack_drop(struct devx_cq *cq);

#endif
