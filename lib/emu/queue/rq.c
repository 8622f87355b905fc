/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Receive queues: reads posted WQEs, delivers frames, writes completions and errors.
 */
#include "emu/queue/rq.h"

#include "emu/base/clock.h"
#include "emu/base/dev.h"
#include "emu/base/guard.h"
#include "emu/queue/cq.h"
#include "emu/queue/flush.h"
#include "emu/queue/pcie.h"
#include "prm/wqe.h"

/* Returns the producer counter in the doorbell record; rq->cc if that memory is lost. */
static uint16_t read_record(struct emu *emu, const struct emu_rq *rq)
{
	const uint32_t *rec = emu_span_ptr(&rq->dbr, PRM_DBR_RCV * sizeof(prm_be32));

	if (rq->lost)
		return rq->cc;
	return (uint16_t)prm_swap32(emu_guard_load(emu, rec, prm_swap32(rq->cc)));
}

void emu_rq_reset(struct emu_rq *rq)
{
	rq->lost = false;
	rq->cc = rq->posted = 0;
}

/*
 * An RQ has no doorbell register. The engine therefore reads the doorbell record whenever it has
 * used all WQEs that it knows of.
 *
 * PRM-MISSING: a producer index that is more than the ring ahead puts the RQ into ERR (a device
 * would read old WQEs as new ones; net_mlx5 posts one WQE for each used one, mlx5_rx_burst).
 */
void emu_rq_read_posted(struct emu *emu, struct emu_rq *rq)
{
	const uint16_t posted = read_record(emu, rq);

	if (rq->lost) {
		emu_rq_fail(emu, rq);
		return;
	}
	emu->pcie.record_reads++;
	if ((uint16_t)(posted - rq->cc) > 1u << rq->log_size) {
		emu_count_mistake(emu, EMU_MISTAKE_rq_overrun,
				  "RQ 0x%x: producer index 0x%x is %u WQEs ahead of consumer index "
				  "0x%x (valid: at most %u)",
				  rq->obj.id, posted, (uint16_t)(posted - rq->cc), rq->cc,
				  1u << rq->log_size);
		emu_rq_fail(emu, rq);
		return;
	}
	emu_pcie_read_receive_wqes(emu, (uint32_t)(uint16_t)(posted - rq->cc) << rq->log_stride);
	rq->posted = posted;
}

/** struct delivery - a frame that is being delivered to an RQ */
struct delivery {
	struct emu *emu;
	struct emu_rq *rq;
	const struct emu_rx *rx;
	uint32_t bytes;
	uint8_t syndrome;    /* 0: received */
	struct prm_cqe *cqe; /* the CQE before its tail; NULL after an error, or if the CQ failed */
};

/* ---- completion ------------------------------------------------------------------- */

static uint8_t make_header_type(const struct emu_headers *h, bool strips_vlan)
{
	return (uint8_t)((strips_vlan ? PRM_CQE_HDR_CV : 0) | (h->ip_ext ? PRM_CQE_HDR_IP_EXT : 0) |
			 h->l3 << PRM_CQE_HDR_L3_SHIFT | h->l4_type << PRM_CQE_HDR_L4_SHIFT |
			 (h->frag ? PRM_CQE_HDR_IP_FRAG : 0));
}

/*
 * PRM-MISSING: the CQE of a tunneled frame has L3_OK and L4_OK only if the checksums of the outer
 * headers are also right. (Linux' mlx5e_handle_csum then tells the stack that two levels are
 * verified.)
 */
static uint8_t make_ok_bits(const struct emu_rx *rx, const struct emu_headers *h)
{
	const struct emu_headers *outer = &rx->parsed->outer;
	const bool l3 = h->ip_ok && outer->ip_ok;
	const bool l4 = h->l4_ok && (!outer->l4 || outer->l4_ok);

	return (uint8_t)(PRM_CQE_L2_OK | (l3 ? PRM_CQE_L3_OK : 0) | (l4 ? PRM_CQE_L4_OK : 0));
}

static void fill_receive_cqe(const struct delivery *d)
{
	const struct emu_rx *rx = d->rx;
	const struct emu_headers *outer = &rx->parsed->outer;
	const struct emu_headers *h = rx->tunneled ? &rx->parsed->inner : outer;
	const struct emu_rq *rq = d->rq;
	struct prm_cqe *cqe = d->cqe;
	const bool strips_vlan = emu_rq_strips_vlan(rq, rx->parsed);

	if (rx->tunneled)
		cqe->outer_tunnel =
			(uint8_t)(PRM_CQE_TUNNELED |
				  (outer->l3 == PRM_CQE_L3_IPV6 ? PRM_CQE_OUTER_IPV6 : 0));
	cqe->rss_hash_result = prm_be32_of(rx->hash);
	cqe->rss_hash_type = rx->hash_type;
	cqe->check_sum = prm_be16_of(rx->parsed->sum);
	cqe->hds_ip_ext = make_ok_bits(rx, h);
	cqe->l4_l3_hdr_type = make_header_type(h, strips_vlan);
	if (strips_vlan)
		cqe->vlan_info = prm_be16_of(outer->tci[0]);
	cqe->srqn_uidx = prm_be32_of(rq->user_index);
	cqe->byte_cnt = prm_be32_of(d->bytes);
	cqe->timestamp = prm_be64_of(emu_read_stamp(d->emu->adapter, rq->real_time));
}

/*
 * Scatters the frame and fills the CQE. Writes no tail and advances no index, so that it can run
 * again after a fault. If the fault made the CQ fail, the RQ has been flushed by then.
 *
 * A frame larger than the buffers of its WQE is dropped and the RQ stays in RDY. An address that
 * the lkey does not allow puts the RQ into ERR. Source: net_mlx5, mlx5_rx_err_handle, continues
 * after the first error and resets the RQ after the second.
 */
static __attribute__((noinline)) void write_delivery(struct delivery *d)
{
	struct emu_rq *rq = d->rq;

	d->cqe = NULL;
	d->syndrome = 0;
	if (rq->cc == rq->posted)
		return;
	d->syndrome = emu_rq_scatter(d->emu, rq, d->rx, &d->bytes);
	if (d->syndrome)
		return;
	d->cqe = emu_cq_slot(d->emu, rq->cq);
	if (d->cqe)
		fill_receive_cqe(d);
}

static void fail_delivery(const struct delivery *d)
{
	struct emu_rq *rq = d->rq;

	d->emu->vport.rx_error++;
	/* before the CQE, so that a driver that sees the CQE also sees the RQ in ERR */
	if (d->syndrome != PRM_SYND_LOCAL_LENGTH)
		rq->state = PRM_WQ_STATE_ERR;
	emu_cq_push_error(d->emu, rq->cq,
			  (struct emu_cq_error){ .user_index = rq->user_index,
						 .byte_cnt = d->bytes,
						 .syndrome = d->syndrome },
			  emu_rq_error_tail(rq));
	if (rq->cc != rq->posted) /* equal if the CQ failed, which has flushed the RQ */
		rq->cc++;
	if (rq->state == PRM_WQ_STATE_ERR)
		emu_rq_fail(d->emu, rq);
}

/* A separate function, because a guard keeps all variables of its function in memory. */
static __attribute__((noinline)) void guard_delivery(struct delivery *d)
{
	struct emu_guard g;

	/* the frame may be in the sender's memory: that SQ's guard encloses this one */
	EMU_GUARD(&g, d->emu, d->rx->frame);
	write_delivery(d);
	emu_guard_end(&g);
}

void emu_rq_deliver(struct emu *emu, struct emu_rq *rq, const struct emu_rx *rx)
{
	struct delivery d = { .emu = emu, .rq = rq, .rx = rx };

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
	guard_delivery(&d);
	if (d.syndrome) {
		fail_delivery(&d);
		return;
	}
	if (!d.cqe) { /* the CQ is full, or was in error state before the RQ became RDY */
		emu->vport.rx_error++;
		return;
	}
	emu_cq_push(emu, rq->cq,
		    (struct emu_cqe_tail){
			    .sop = rx->flow_tag, .wqe_counter = rq->cc, .op = PRM_CQE_RESP_SEND });
	rq->cc++;
	rq->n_packets++;
	rq->n_bytes += d.bytes;
}

/* Drops the WQEs that the driver has posted so far. */
static void flush_rq(struct emu *emu, struct emu_rq *rq)
{
	const uint16_t posted = read_record(emu, rq);

	if ((uint16_t)(posted - rq->cc) <= 1u << rq->log_size)
		rq->posted = posted;
	for (; rq->cc != rq->posted; rq->cc++)
		if (rq->flush_in_error)
			emu_flush_add(emu, &(struct emu_flush){ .queue = &rq->obj,
								.cq = rq->cq,
								.user_index = rq->user_index,
								.tail = emu_rq_error_tail(rq) });
}

void emu_rq_fail(struct emu *emu, struct emu_rq *rq)
{
	rq->state = PRM_WQ_STATE_ERR;
	emu->pcie.record_reads += !rq->lost;
	emu->has_failed_rq = true;
	flush_rq(emu, rq);
}

void emu_rq_flush_failed(struct emu *emu)
{
	const struct emu_table *t = &emu->table[EMU_RQ];

	emu->has_failed_rq = false;
	for (uint32_t i = 0; i < t->n_slots; i++) {
		struct emu_rq *rq = (struct emu_rq *)t->slot[i];

		if (!rq || rq->state != PRM_WQ_STATE_ERR)
			continue;
		emu->has_failed_rq = true;
		flush_rq(emu, rq);
	}
}
