/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Receive queues: reads posted WQEs, delivers frames, writes completions and errors.
 */
#include "emu/queue/rq.h"

#include "emu/base/mistake.h"
#include "emu/queue/cq.h"
#include "emu/queue/rq_scatter.h"
#include "prm/wqe.h"

static uint16_t read_record(const struct emu_rq *rq)
{
	const uint32_t *rec = emu_span_ptr(&rq->dbr, PRM_DBR_RCV * sizeof(prm_be32));

	return rec ? (uint16_t)prm_swap32(__atomic_load_n(rec, __ATOMIC_ACQUIRE)) : rq->cc;
}

void emu_rq_reset(struct emu_rq *rq)
{
	rq->cc = 0;
	rq->posted = 0;
}

/*
 * Reads the producer index of an RQ from its doorbell record. An RQ has no doorbell register, so
 * the engine reads the record whenever it has used all WQEs that it knows of.
 *
 * PRM-MISSING: a producer index more than the ring ahead puts the RQ into ERR (a device would read
 * old WQEs as new ones).
 */
static void read_posted(struct emu *emu, struct emu_rq *rq)
{
	const uint16_t posted = read_record(rq);

	if ((uint16_t)(posted - rq->cc) > 1u << rq->log_size) {
		emu_count_mistake(emu, EMU_MISTAKE_rq_overrun,
				  "RQ 0x%x: producer index 0x%x is %u WQEs ahead of consumer index "
				  "0x%x (valid: at most %u)",
				  rq->obj.id, posted, (uint16_t)(posted - rq->cc), rq->cc,
				  1u << rq->log_size);
		emu_rq_fail(emu, rq);
		return;
	}
	rq->posted = posted;
}

bool emu_rq_has_buffer(struct emu *emu, struct emu_rq *rq)
{
	if (rq->posted == rq->cc)
		read_posted(emu, rq);
	return rq->posted != rq->cc;
}

/* ---- errors --------------------------------------------------------------------- */

static void complete_error(struct emu *emu, struct emu_rq *rq, uint8_t syndrome, uint32_t bytes)
{
	struct prm_err_cqe *cqe = (struct prm_err_cqe *)emu_cq_slot(emu, rq->cq);

	if (!cqe)
		return;
	cqe->srqn = prm_be32_of(rq->user_index);
	cqe->byte_cnt = prm_be32_of(bytes);
	cqe->syndrome = syndrome;
	emu_cq_push(emu, rq->cq,
		    (struct emu_cqe_tail){
			    .sop = rq->obj.id, .wqe_counter = rq->cc, .op = PRM_CQE_RESP_ERR });
}

void emu_rq_fail(struct emu *emu, struct emu_rq *rq)
{
	const uint16_t posted = read_record(rq);

	rq->state = PRM_WQ_STATE_ERR;
	if ((uint16_t)(posted - rq->cc) <= 1u << rq->log_size)
		rq->posted = posted;
	for (; rq->cc != rq->posted; rq->cc++)
		if (rq->flush_in_error)
			complete_error(emu, rq, PRM_SYND_WR_FLUSH, 0);
}

/* ---- completion ------------------------------------------------------------------- */

static uint8_t make_header_type(const struct emu_rq *rq, const struct emu_parsed *p)
{
	return (uint8_t)((emu_rq_strips_vlan(rq, p) ? PRM_CQE_HDR_CV : 0) |
			 (p->ip_ext ? PRM_CQE_HDR_IP_EXT : 0) | p->l3 << PRM_CQE_HDR_L3_SHIFT |
			 p->l4_type << PRM_CQE_HDR_L4_SHIFT | (p->frag ? PRM_CQE_HDR_IP_FRAG : 0));
}

static void complete_receive(struct emu *emu, struct emu_rq *rq, const struct emu_rx *rx,
			     uint32_t bytes)
{
	const struct emu_parsed *p = rx->parsed;
	struct prm_cqe *cqe = emu_cq_slot(emu, rq->cq);

	if (!cqe)
		return;
	cqe->rss_hash_result = prm_be32_of(rx->hash);
	cqe->rss_hash_type = rx->hash_type;
	cqe->check_sum = prm_be16_of(p->sum);
	cqe->hds_ip_ext = (uint8_t)(PRM_CQE_L2_OK | (p->ip_ok ? PRM_CQE_L3_OK : 0) |
				    (p->l4_ok ? PRM_CQE_L4_OK : 0));
	cqe->l4_l3_hdr_type = make_header_type(rq, p);
	if (emu_rq_strips_vlan(rq, p))
		cqe->vlan_info = prm_be16_of(p->tci[0]);
	cqe->srqn_uidx = prm_be32_of(rq->user_index);
	cqe->byte_cnt = prm_be32_of(bytes);
	cqe->timestamp = prm_be64_of(emu->now_ns);
	emu_cq_push(emu, rq->cq,
		    (struct emu_cqe_tail){
			    .sop = rx->flow_tag, .wqe_counter = rq->cc, .op = PRM_CQE_RESP_SEND });
}

/*
 * PRM-MISSING: a frame larger than the buffers of its WQE is lost and the RQ stays in RDY. An
 * address that the lkey does not allow puts the RQ into ERR (drivers recover only from the
 * second).
 */
static void fail_delivery(struct emu *emu, struct emu_rq *rq, uint8_t syndrome, uint32_t bytes)
{
	emu->vport.rx_error++;
	if (syndrome != PRM_SYND_LOCAL_LENGTH)
		rq->state = PRM_WQ_STATE_ERR;
	complete_error(emu, rq, syndrome, bytes);
	rq->cc++;
	if (rq->state == PRM_WQ_STATE_ERR)
		emu_rq_fail(emu, rq);
}

void emu_rq_deliver(struct emu *emu, struct emu_rq *rq, const struct emu_rx *rx)
{
	uint32_t bytes;
	uint8_t syndrome;

	if (rq->state != PRM_WQ_STATE_RDY) {
		emu->vport.rx_error++;
		return;
	}
	if (!emu_rq_has_buffer(emu, rq)) {
		emu->vport.rx_out_of_buffer++;
		if (rq->counter)
			rq->counter->out_of_buffer++;
		return;
	}
	syndrome = emu_rq_scatter(emu, rq, rx, &bytes);
	if (syndrome) {
		fail_delivery(emu, rq, syndrome, bytes);
		return;
	}
	complete_receive(emu, rq, rx, bytes);
	if (rq->state != PRM_WQ_STATE_RDY) {
		emu->vport.rx_error++; /* the CQ had no room for its CQE */
		return;
	}
	rq->cc++;
	rq->n_packets++;
	rq->n_bytes += bytes;
}
