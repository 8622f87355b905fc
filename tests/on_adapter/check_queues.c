/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Assumptions about doorbells and completions of an SQ. Its WQEs are NOPs, so no frame is sent.
 */
#include <poll.h>
#include <stdio.h>

#include "checks.h"
#include "devx/event.h"
#include "frames.h"

enum { MAX_UARS = 16 };

static void expect_silence(struct rig *rig, struct finding *f)
{
	if (rig_wait_cqe(&rig->send_cq, RIG_SILENCE_MS))
		finding_refute(f, "saw a CQE (expected none)");
}

void check_both_buffers_take_doorbells(struct adapter *at, struct finding *f)
{
	struct rig rig = { 0 };

	if (rig_prepare_send(&rig, at, f)) {
		if (!rig.uar.bf_bytes)
			cannot_test(f, "the machine or the device has no BlueFlame registers");
		for (uint16_t i = 0; i < 8 && f->verdict != NOT_HERE; i++) {
			struct prm_ctrl_seg *ctrl = rig_post_nop(&rig, PRM_CE_ALWAYS);

			if (i % 2)
				devx_sq_ring_wqe(&rig.sq, ctrl);
			else
				devx_sq_ring_next(&rig.sq, ctrl);
			judge_fact(f, rig_wait_cqe(&rig.send_cq, RIG_PATIENCE_MS),
				   "no CQE of a NOP WQE", "one CQE for each doorbell");
			if (f->verdict == REFUTED)
				break;
			rig_drop_cqe(&rig.send_cq);
		}
	}
	rig_destroy(&rig);
}

/* As devx_sq_ring(), at the register of another UAR. */
static void ring_at(struct rig *rig, const struct devx_uar *uar, const struct prm_ctrl_seg *ctrl)
{
	devx_to_device_barrier();
	*(volatile uint32_t *)&rig->sq.dbrec[PRM_DBR_SND].raw = prm_be32_of(rig->sq.pi).raw;
	devx_uar_ring(uar, ctrl);
}

/* Rings for a WQE at registers of other pages, and expects that nothing happens. */
static void ring_other_page(struct rig *rig, struct finding *f, const struct prm_ctrl_seg *ctrl)
{
	struct devx_uar uars[MAX_UARS] = { 0 };
	int n = 0;

	while (n < MAX_UARS && !devx_uar_create(&uars[n], rig->dev, DEVX_UAR_BF) &&
	       uars[n].page_id == rig->uar.page_id)
		n++;
	if (n == MAX_UARS || !uars[n].base)
		cannot_test(f, "rdma-core gave no second UAR page");
	else
		ring_at(rig, &uars[n], ctrl);
	expect_silence(rig, f);
	for (int i = 0; i < MAX_UARS; i++)
		if (uars[i].base)
			devx_uar_destroy(&uars[i]);
}

void check_doorbell_on_other_page_does_nothing(struct adapter *at, struct finding *f)
{
	const struct prm_ctrl_seg *ctrl;
	struct rig rig = { 0 };

	if (rig_prepare_send(&rig, at, f)) {
		ctrl = rig_post_nop(&rig, PRM_CE_ALWAYS);
		ring_other_page(&rig, f, ctrl);
		if (f->verdict == NO_VERDICT)
			rig_expect_nop(&rig, f, ctrl, 0);
	}
	rig_destroy(&rig);
}

static void expect_rq_in_rst_drops(struct adapter *at, struct finding *f)
{
	struct frames_send send = { .bytes = 100 };
	struct rig rig = { 0 };

	if (rig_prepare_frames(&rig, at, f) &&
	    could_prepare(f, rig.dev, frames_make_rule(&rig, &rig.tir, ETHERTYPE_EXPERIMENT, 0)) &&
	    could_prepare(f, rig.dev, devx_rq_reset(&rig.rq))) {
		send.addr = rig.memory;
		send.lkey = rig.mr.lkey;
		frames_write(&rig, rig.memory, send.bytes);
		if (!frames_send(&rig, &send))
			cannot_test(f, "the frame was not sent");
		else if (rig_wait_cqe(&rig.recv_cq, RIG_SILENCE_MS))
			finding_refute(f, "saw a CQE of an RQ in RST (expected none)");
	}
	rig_destroy(&rig);
}

/* The part about the RQ needs frames. */
void check_doorbell_in_rst_does_nothing(struct adapter *at, struct finding *f)
{
	enum prm_wq_state state = PRM_WQ_STATE_ERR;
	struct rig rig = { 0 };

	if (rig_prepare_send(&rig, at, f) && could_prepare(f, rig.dev, devx_sq_reset(&rig.sq))) {
		devx_sq_ring(&rig.sq, rig_post_nop(&rig, PRM_CE_ALWAYS));
		expect_silence(&rig, f);
		if (could_prepare(f, rig.dev, devx_sq_query_state(&rig.sq, &state)))
			judge_fact(f, state == PRM_WQ_STATE_RST, "an SQ that left RST",
				   "state RST");
	}
	rig_destroy(&rig);
	if (f->verdict == CONFIRMED && at->may_send && at->hears_itself)
		expect_rq_in_rst_drops(at, f);
	else if (f->verdict == CONFIRMED)
		snprintf(f->text, sizeof(f->text), "for the SQ; not tried for the RQ");
}

void check_record_is_read_at_each_doorbell(struct adapter *at, struct finding *f)
{
	const struct prm_ctrl_seg *first;
	struct rig rig = { 0 };

	if (rig_prepare_send(&rig, at, f)) {
		first = rig_post_nop(&rig, PRM_CE_ALWAYS);
		rig_post_nop(&rig, PRM_CE_ALWAYS);
		rig_expect_nop(&rig, f, first, 0); /* the doorbell names WQE 0, the record both */
		if (f->verdict == CONFIRMED && !rig_wait_cqe(&rig.send_cq, RIG_PATIENCE_MS))
			finding_refute(
				f,
				"saw no CQE of the WQE that only the record shows (expected one)");
	}
	rig_destroy(&rig);
}

void check_ce_0_and_1_make_no_cqe(struct adapter *at, struct finding *f)
{
	struct rig rig = { 0 };

	if (rig_prepare_send(&rig, at, f)) {
		rig_post_nop(&rig, PRM_CE_ERROR);
		rig_post_nop(&rig, PRM_CE_FIRST_ERROR);
		rig_expect_nop(&rig, f, rig_post_nop(&rig, PRM_CE_ALWAYS), 2);
	}
	rig_destroy(&rig);
}

/* WQE 0 names a key that does not exist, so the device cannot read a frame and sends none. */
void check_first_error_makes_one_cqe(struct adapter *at, struct finding *f)
{
	enum { FRAME = 100, INVALID_TAG = 0xff, LAST = 2 };
	struct frames_send bad = { .bytes = FRAME };
	const struct prm_cqe *cqe;
	struct rig rig = { 0 };

	if (rig_prepare_send(&rig, at, f)) {
		bad.addr = rig.memory;
		bad.lkey = rig.mr.lkey ^ INVALID_TAG;
		frames_post(&rig, &bad);
		rig_post_nop(&rig, PRM_CE_FIRST_ERROR);
		devx_sq_ring(&rig.sq, rig_post_nop(&rig, PRM_CE_ALWAYS));
		cqe = rig_wait_cqe(&rig.send_cq, RIG_PATIENCE_MS);
		judge_fact(f, cqe && prm_cqe_opcode(cqe->op_own) == PRM_CQE_REQ_ERR, "no error CQE",
			   "an error CQE of the WQE with an invalid key");
		if (f->verdict == CONFIRMED) {
			rig_drop_cqe(&rig.send_cq);
			cqe = rig_wait_cqe(&rig.send_cq, RIG_PATIENCE_MS);
			if (!cqe || prm_be16_get(cqe->wqe_counter) != LAST)
				finding_refute(f, "saw %s (expected the flush CQE of WQE %u)",
					       cqe ? "a CQE of the WQE with \"first error\""
						   : "no CQE",
					       LAST);
		}
	}
	rig_destroy(&rig);
}

static bool wait_event(struct devx_event_channel *ch, struct devx_event *event)
{
	struct pollfd fd = { .fd = ch->fd, .events = POLLIN };

	return poll(&fd, 1, RIG_PATIENCE_MS) == 1 && !devx_event_read(ch, event);
}

void check_cqe_and_eqe_needs_no_arm(struct adapter *at, struct finding *f)
{
	const uint16_t type = PRM_EVENT_COMP;
	struct devx_event_channel ch = { 0 };
	struct devx_event event;
	struct rig rig = { 0 };

	if (rig_prepare_send(&rig, at, f) &&
	    could_prepare(f, rig.dev, devx_event_channel_create(&ch, rig.dev, false)) &&
	    could_prepare(f, rig.dev, devx_event_subscribe(&ch, rig.send_cq.obj, &type, 1, 0))) {
		rig_expect_nop(&rig, f, rig_post_nop(&rig, PRM_CE_ALWAYS_EVENT), 0);
		if (f->verdict == CONFIRMED && !wait_event(&ch, &event))
			finding_refute(f, "saw no completion event (expected one without an arm)");
	}
	if (ch.channel)
		devx_event_channel_destroy(&ch);
	rig_destroy(&rig);
}

/* Posts one NOP more than the CQ has room for; the CQEs are read and not released. */
static void overrun_cq(struct rig *rig, struct finding *f)
{
	for (int i = 0; i < 1 << RIG_LOG2_CQ; i++) {
		devx_sq_ring(&rig->sq, rig_post_nop(rig, PRM_CE_ALWAYS));
		if (!rig_wait_cqe(&rig->send_cq, RIG_PATIENCE_MS)) {
			cannot_test(f, "CQE %d of %d did not come", i, 1 << RIG_LOG2_CQ);
			return;
		}
		devx_cq_pop(&rig->send_cq);
	}
	devx_sq_ring(&rig->sq, rig_post_nop(rig, PRM_CE_ALWAYS));
}

void check_failed_cq_raises_wq_catas_error(struct adapter *at, struct finding *f)
{
	const uint16_t type = PRM_EVENT_WQ_CATAS_ERROR;
	struct devx_event_channel ch = { 0 };
	struct devx_event event;
	struct rig rig = { 0 };

	if (rig_prepare_send(&rig, at, f) &&
	    could_prepare(f, rig.dev, devx_event_channel_create(&ch, rig.dev, false)) &&
	    could_prepare(f, rig.dev, devx_event_subscribe(&ch, rig.sq.obj, &type, 1, 0))) {
		overrun_cq(&rig, f);
		if (f->verdict == NO_VERDICT)
			judge_fact(f, wait_event(&ch, &event), "no event of the SQ",
				   "WQ_CATAS_ERROR after its CQ overran");
	}
	if (ch.channel)
		devx_event_channel_destroy(&ch);
	rig_destroy(&rig);
}
