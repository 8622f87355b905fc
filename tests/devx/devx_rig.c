/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "devx_rig.h"

enum { ETH_HEADER = 14, ETHERTYPE_EXPERIMENT = 0x88b5, WAIT_SECONDS = 10, PAGE = 4096 };

const char *stack_ibdev(void)
{
	const char *name = getenv("DEVX_TEST_IBDEV");

	return name ? name : "mlx5_0";
}

static int up_send(struct stack *s)
{
	const struct devx_cq_attr cq = { .log2_n = STACK_LOG2_CQ, .uar = &s->uar };
	const struct devx_sq_attr sq = { .log2_n = STACK_LOG2_SQ, .cq = &s->send_cq, .tis = &s->tis,
					 .uar = &s->uar };
	int rc = devx_td_create(&s->td, &s->dev);

	if (!rc)
		rc = devx_tis_create(&s->tis, &s->dev, &s->td);
	if (!rc)
		rc = devx_uar_create(&s->uar, &s->dev, DEVX_UAR_BF);
	if (!rc)
		rc = devx_uar_create(&s->other_uar, &s->dev, DEVX_UAR_BF);
	if (!rc)
		rc = devx_cq_create(&s->send_cq, &s->dev, &cq);
	if (!rc)
		rc = devx_sq_create(&s->sq, &s->dev, &sq);
	if (!rc)
		rc = devx_sq_ready(&s->sq);
	return rc;
}

static int up_recv(struct stack *s)
{
	const struct devx_cq_attr cq = { .log2_n = STACK_LOG2_CQ, .uar = &s->uar };
	const struct devx_rq_attr rq = { .log2_n = STACK_LOG2_RQ, .cq = &s->recv_cq,
					 .counter = &s->counter, .keep_vlan = true };
	const struct devx_tir_attr tir = { .td = &s->td, .rq = &s->rq };
	struct devx_match match = { .dmac_mask = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } };
	int rc = devx_cq_create(&s->recv_cq, &s->dev, &cq);

	if (!rc)
		rc = devx_counter_create(&s->counter, &s->dev);
	if (!rc)
		rc = devx_rq_create(&s->rq, &s->dev, &rq);
	if (!rc)
		rc = devx_rqt_create(&s->rqt, &s->dev, &s->rq.rqn, 1);
	if (!rc)
		rc = devx_rq_ready(&s->rq);
	if (!rc)
		rc = devx_tir_create(&s->tir, &s->dev, &tir);
	if (!rc)
		rc = devx_port_query(&s->dev, &s->port);
	memcpy(match.dmac, s->port.mac, sizeof(match.dmac));
	if (!rc)
		rc = devx_flow_create(&s->rule, &s->dev, &match, 0, &s->tir);
	return rc;
}

int stack_up(struct stack *s)
{
	const size_t bytes = 2 * STACK_SLOTS * STACK_SLOT_BYTES;
	int rc = devx_dev_open(&s->dev, stack_ibdev());

	if (!rc)
		rc = up_send(s);
	if (!rc)
		rc = up_recv(s);
	if (rc)
		return rc;
	s->memory = aligned_alloc(PAGE, bytes);
	if (!s->memory)
		return -ENOMEM;
	memset(s->memory, 0, bytes);
	return devx_mr_create(&s->mr, &s->dev, s->memory, bytes);
}

void stack_down(struct stack *s)
{
	devx_flow_destroy(&s->rule);
	devx_tir_destroy(&s->tir);
	devx_rqt_destroy(&s->rqt);
	devx_rq_destroy(&s->rq);
	devx_counter_destroy(&s->counter);
	devx_cq_destroy(&s->recv_cq);
	devx_sq_destroy(&s->sq);
	devx_cq_destroy(&s->send_cq);
	devx_uar_destroy(&s->other_uar);
	devx_uar_destroy(&s->uar);
	devx_tis_destroy(&s->tis);
	devx_td_destroy(&s->td);
	devx_mr_destroy(&s->mr);
	free(s->memory);
	devx_dev_close(&s->dev);
	*s = (struct stack){0};
}

uint8_t *stack_send_slot(const struct stack *s, unsigned i)
{
	return s->memory + (size_t)(i % STACK_SLOTS) * STACK_SLOT_BYTES;
}

uint8_t *stack_recv_slot(const struct stack *s, unsigned i)
{
	return s->memory + (size_t)(STACK_SLOTS + i % STACK_SLOTS) * STACK_SLOT_BYTES;
}

/* dst and src are ours; then the sequence number, and bytes that depend on it and their place */
unsigned stack_frame(const struct stack *s, uint8_t *to, uint32_t seq, unsigned bytes)
{
	memcpy(to, s->port.mac, sizeof(s->port.mac));
	memcpy(to + sizeof(s->port.mac), s->port.mac, sizeof(s->port.mac));
	to[12] = ETHERTYPE_EXPERIMENT >> 8;
	to[13] = ETHERTYPE_EXPERIMENT & 0xff;
	memcpy(to + ETH_HEADER, &seq, sizeof(seq));
	for (unsigned i = ETH_HEADER + sizeof(seq); i < bytes; i++)
		to[i] = (uint8_t)(seq + i);
	return bytes;
}

uint32_t stack_frame_seq(const struct stack *s, const uint8_t *frame, unsigned bytes)
{
	uint8_t want[STACK_SLOT_BYTES];
	uint32_t seq;

	if (bytes < ETH_HEADER + sizeof(seq) || bytes > sizeof(want))
		return UINT32_MAX;
	memcpy(&seq, frame + ETH_HEADER, sizeof(seq));
	stack_frame(s, want, seq, bytes);
	return memcmp(want, frame, bytes) ? UINT32_MAX : seq;
}

struct prm_ctrl_seg *stack_post_send(struct stack *s, const void *addr, unsigned bytes,
				     uint32_t lkey)
{
	enum { N_DS = 3 };
	struct devx_sq *sq = &s->sq;
	struct devx_wqebb *bb = devx_sq_get_wqebb(sq, sq->pi);
	struct prm_ctrl_seg *ctrl = &bb->ctrl;
	struct prm_eth_seg *eth = (struct prm_eth_seg *)(bb->bytes + PRM_DS_BYTES);
	struct prm_data_seg *seg = (struct prm_data_seg *)(bb->bytes + 2 * PRM_DS_BYTES);

	*ctrl = (struct prm_ctrl_seg){
		.opmod_idx_opcode = prm_ctrl_dw0(0, sq->pi, PRM_WQE_SEND),
		.qpn_ds = prm_ctrl_dw1(sq->sqn, N_DS),
		.fm_ce_se = PRM_CE_ALWAYS << PRM_CE_SHIFT,
	};
	*eth = (struct prm_eth_seg){0};
	*seg = (struct prm_data_seg){ prm_be32_of(bytes), prm_be32_of(lkey),
				      prm_be64_of((uintptr_t)addr) };
	sq->pi++;
	return ctrl;
}

void stack_post_recv(struct stack *s, uint32_t pi)
{
	for (; s->rq.pi != pi; s->rq.pi++)
		*devx_rq_get_wqe(&s->rq, s->rq.pi) = (struct prm_data_seg){
			prm_be32_of(STACK_SLOT_BYTES), prm_be32_of(s->mr.lkey),
			prm_be64_of((uintptr_t)stack_recv_slot(s, s->rq.pi)),
		};
	devx_rq_post(&s->rq);
}

const struct prm_cqe *stack_wait(struct devx_cq *cq)
{
	const time_t end = time(NULL) + WAIT_SECONDS;
	const struct prm_cqe *cqe;

	while (!(cqe = devx_cq_peek(cq)) && time(NULL) < end)
		sched_yield();
	return cqe;
}

void stack_drop(struct devx_cq *cq)
{
	devx_cq_pop(cq);
	devx_cq_release(cq);
}
