/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ct.h"
#include "devx_rig.h"
#include "prm/prm.h"
#include "wait_limit.h"

enum { ETH_HEADER = 14, ETHERTYPE_EXPERIMENT = 0x88b5, PAGE = 4096 };

const char *devx_rig_get_ibdev(void)
{
	const char *name = getenv("DEVX_TEST_IBDEV");

	return name ? name : "mlx5_0";
}

static int create_send_side(struct devx_rig *rig)
{
	const struct devx_cq_attr cq = { .log2_n = DEVX_RIG_LOG2_CQ, .uar = &rig->uar };
	const struct devx_sq_attr sq = {
		.log2_n = DEVX_RIG_LOG2_SQ, .cq = &rig->send_cq, .tis = &rig->tis, .uar = &rig->uar
	};
	int rc = devx_td_create(&rig->td, &rig->dev);

	if (!rc)
		rc = devx_tis_create(&rig->tis, &rig->dev, &rig->td);
	if (!rc)
		rc = devx_uar_create(&rig->uar, &rig->dev, DEVX_UAR_BF);
	if (!rc)
		rc = devx_uar_create(&rig->other_uar, &rig->dev, DEVX_UAR_BF);
	if (!rc)
		rc = devx_cq_create(&rig->send_cq, &rig->dev, &cq);
	if (!rc)
		rc = devx_sq_create(&rig->sq, &rig->dev, &sq);
	if (!rc)
		rc = devx_sq_ready(&rig->sq);
	return rc;
}

static int create_receive_side(struct devx_rig *rig)
{
	const struct devx_cq_attr cq = { .log2_n = DEVX_RIG_LOG2_CQ, .uar = &rig->uar };
	struct devx_rq_attr rq = { .log2_n = DEVX_RIG_LOG2_RQ,
				   .cq = &rig->recv_cq,
				   .keep_vlan = true };
	const struct devx_tir_attr tir = { .td = &rig->td, .rq = &rig->rq };
	struct devx_match match = { .dmac_mask = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } };
	int rc = devx_cq_create(&rig->recv_cq, &rig->dev, &cq);

	if (!rc)
		rc = devx_counter_create(&rig->counter, &rig->dev);
	if (rc == -EREMOTEIO && rig->dev.refusal.opcode == PRM_OP_alloc_q_counter)
		rc = 0;
	rq.counter = devx_rig_get_counter(rig);
	if (!rc)
		rc = devx_rq_create(&rig->rq, &rig->dev, &rq);
	if (!rc)
		rc = devx_rqt_create(&rig->rqt, &rig->dev, &rig->rq.rqn, 1, 1);
	if (!rc)
		rc = devx_rq_ready(&rig->rq);
	if (!rc)
		rc = devx_tir_create(&rig->tir, &rig->dev, &tir);
	if (!rc)
		rc = devx_port_query(&rig->dev, &rig->port);
	memcpy(match.dmac, rig->port.mac, sizeof(match.dmac));
	if (!rc)
		rc = devx_flow_create(&rig->rule, &rig->dev, &match, 0, &rig->tir);
	return rc;
}

static int create_umem(struct devx_rig *rig)
{
	void *rings = aligned_alloc(PAGE, DEVX_RIG_UMEM_BYTES);
	int rc = -ENOMEM;

	if (rings)
		rc = devx_umem_create(&rig->umem, &rig->dev, rings, DEVX_RIG_UMEM_BYTES);
	if (rc)
		free(rings);
	return rc;
}

int devx_rig_up(struct devx_rig *rig)
{
	const size_t bytes = 2 * DEVX_RIG_SLOTS * DEVX_RIG_SLOT_BYTES;
	int rc = devx_dev_open(&rig->dev, devx_rig_get_ibdev());

	if (!rc)
		rc = create_umem(rig);
	if (!rc)
		rc = create_send_side(rig);
	if (!rc)
		rc = create_receive_side(rig);
	if (rc)
		return rc;
	rig->memory = aligned_alloc(PAGE, bytes);
	if (!rig->memory)
		return -ENOMEM;
	memset(rig->memory, 0, bytes);
	return devx_mr_create(&rig->mr, &rig->dev, rig->memory, bytes);
}

void devx_rig_down(struct devx_rig *rig)
{
	void *rings = rig->umem.addr;

	devx_flow_destroy(&rig->rule);
	devx_tir_destroy(&rig->tir);
	devx_rqt_destroy(&rig->rqt);
	devx_rq_destroy(&rig->rq);
	devx_counter_destroy(&rig->counter);
	devx_cq_destroy(&rig->recv_cq);
	devx_sq_destroy(&rig->sq);
	devx_cq_destroy(&rig->send_cq);
	devx_uar_destroy(&rig->other_uar);
	devx_uar_destroy(&rig->uar);
	devx_tis_destroy(&rig->tis);
	devx_td_destroy(&rig->td);
	devx_mr_destroy(&rig->mr);
	free(rig->memory);
	devx_umem_destroy(&rig->umem);
	free(rings);
	devx_dev_close(&rig->dev);
	*rig = (struct devx_rig){ 0 };
}

const struct devx_counter *devx_rig_get_counter(const struct devx_rig *rig)
{
	return rig->counter.obj ? &rig->counter : NULL;
}

uint8_t *devx_rig_get_send_slot(const struct devx_rig *rig, unsigned i)
{
	return rig->memory + (size_t)(i % DEVX_RIG_SLOTS) * DEVX_RIG_SLOT_BYTES;
}

uint8_t *devx_rig_get_recv_slot(const struct devx_rig *rig, unsigned i)
{
	return rig->memory + (size_t)(DEVX_RIG_SLOTS + i % DEVX_RIG_SLOTS) * DEVX_RIG_SLOT_BYTES;
}

/* Both MACs are that of the port; the payload is the sequence number and bytes computed from it. */
unsigned devx_rig_write_frame(const struct devx_rig *rig, uint8_t *to, uint32_t seq, unsigned bytes)
{
	memcpy(to, rig->port.mac, sizeof(rig->port.mac));
	memcpy(to + sizeof(rig->port.mac), rig->port.mac, sizeof(rig->port.mac));
	to[12] = ETHERTYPE_EXPERIMENT >> 8;
	to[13] = ETHERTYPE_EXPERIMENT & 0xff;
	memcpy(to + ETH_HEADER, &seq, sizeof(seq));
	for (unsigned i = ETH_HEADER + sizeof(seq); i < bytes; i++)
		to[i] = (uint8_t)(seq + i);
	return bytes;
}

uint32_t devx_rig_read_seq(const struct devx_rig *rig, const uint8_t *frame, unsigned bytes)
{
	uint8_t want[DEVX_RIG_SLOT_BYTES];
	uint32_t seq;

	if (bytes < ETH_HEADER + sizeof(seq) || bytes > sizeof(want))
		return UINT32_MAX;
	memcpy(&seq, frame + ETH_HEADER, sizeof(seq));
	devx_rig_write_frame(rig, want, seq, bytes);
	return memcmp(want, frame, bytes) ? UINT32_MAX : seq;
}

struct prm_ctrl_seg *devx_rig_post_send(struct devx_rig *rig, const void *addr, unsigned bytes,
					uint32_t lkey)
{
	enum { N_DS = 3 };
	struct devx_sq *sq = &rig->sq;
	struct devx_wqebb *bb = devx_sq_get_wqebb(sq, sq->pi);
	struct prm_ctrl_seg *ctrl = &bb->ctrl;
	struct prm_eth_seg *eth = (struct prm_eth_seg *)(bb->bytes + PRM_DS_BYTES);
	struct prm_data_seg *seg = (struct prm_data_seg *)(bb->bytes + 2 * PRM_DS_BYTES);

	*ctrl = (struct prm_ctrl_seg){
		.opmod_idx_opcode = prm_ctrl_dw0(0, sq->pi, PRM_WQE_SEND),
		.qpn_ds = prm_ctrl_dw1(sq->sqn, N_DS),
		.fm_ce_se = PRM_CE_ALWAYS << PRM_CE_SHIFT,
	};
	*eth = (struct prm_eth_seg){ 0 };
	*seg = (struct prm_data_seg){ prm_be32_of(bytes), prm_be32_of(lkey),
				      prm_be64_of((uintptr_t)addr) };
	sq->pi++;
	return ctrl;
}

void devx_rig_post_recv(struct devx_rig *rig, uint32_t pi)
{
	for (; rig->rq.pi != pi; rig->rq.pi++)
		*devx_rq_get_wqe(&rig->rq, rig->rq.pi) = (struct prm_data_seg){
			prm_be32_of(DEVX_RIG_SLOT_BYTES),
			prm_be32_of(rig->mr.lkey),
			prm_be64_of((uintptr_t)devx_rig_get_recv_slot(rig, rig->rq.pi)),
		};
	devx_rq_post(&rig->rq);
}

const struct prm_cqe *devx_rig_wait_cqe(struct devx_cq *cq)
{
	const time_t end = time(NULL) + WAIT_LIMIT_S;
	const struct prm_cqe *cqe;

	while (!(cqe = devx_cq_peek(cq)) && time(NULL) < end)
		sched_yield();
	return cqe;
}

void devx_rig_drop_cqe(struct devx_cq *cq)
{
	devx_cq_pop(cq);
	devx_cq_release(cq);
}

void devx_rig_expect_error(const struct devx_dev *dev, int want, const char *says, int rc)
{
	char line[DEVX_TEXT_BYTES];

	EXPECT_EQ(want, rc);
	EXPECT_SUBSTR(says, devx_strerror(dev, rc, line, sizeof(line)));
}

struct devx_account_opcode devx_rig_get_counts(const struct devx_dev *dev, uint16_t opcode)
{
	const struct devx_account *account = dev->account;

	for (unsigned i = 0; i < account->n_opcodes; i++)
		if (account->opcodes[i].opcode == opcode)
			return account->opcodes[i];
	return (struct devx_account_opcode){ 0 };
}
