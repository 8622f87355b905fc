/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Completion queues: arming, completion events and their moderation.
 */
#include "emu/queue/cq.h"

#include "emu/base/dev.h"
#include "prm/wqe.h"

static void post_completion_event(struct emu *emu, struct emu_cq *cq)
{
	const uint32_t dwords[7] = { [6] = cq->obj.id };

	emu_cq_publish(emu->adapter); /* first, so that the reader of the event finds the CQE */
	if (cq->eq)
		emu_eq_post(emu, cq->eq, PRM_EVENT_COMP, 0, dwords);
}

static void fire_cq(struct emu *emu, struct emu_cq *cq)
{
	cq->arm = PRM_CQC_ST_FIRED;
	cq->arm_sn = cq->arm_dw0 >> PRM_CQ_ARM_SN_SHIFT & 3;
	cq->arm_sn_used = cq->armed_once;
	cq->arm_late = false;
	cq->event_ns = emu->adapter->now_ns;
	cq->n_quiet = 0;
	cq->event_at = cq->eq ? cq->eq->pi : 0;
	post_completion_event(emu, cq);
}

/* ---- moderation ------------------------------------------------------------------------ */

/*
 * The event of an armed CQ waits for cq_max_count CQEs or for cq_period, whichever comes first.
 * cq_period_mode says whether the period starts at the last event or at the last CQE.
 *
 * PRM-MISSING: the count of CQEs starts at the arm; without a period it does not delay the event
 * (drivers set both to 0 to turn moderation off); an error CQE does not wait. net_mlx5 requests no
 * moderation, mlx5_devx_cmd_create_cq.
 */
static void moderate_event(struct emu *emu, struct emu_cq *cq)
{
	const uint64_t since = cq->period_from_cqe ? emu->adapter->now_ns : cq->event_ns;

	cq->n_quiet++;
	cq->due_ns = since + cq->period_ns;
	if (!cq->period_ns || cq->due_ns <= emu->adapter->now_ns ||
	    (cq->max_count && cq->n_quiet >= cq->max_count)) {
		fire_cq(emu, cq);
		return;
	}
	if (cq->in_due)
		return;
	cq->in_due = true;
	cq->next_due = emu->due;
	emu->due = cq;
}

/* A CQ in the list emu->due may have posted its event already, after enough CQEs or an error. */
static bool has_waiting_event(const struct emu_cq *cq)
{
	return cq->n_quiet && cq->arm == PRM_CQC_ST_ARMED;
}

uint64_t emu_cq_find_due(const struct emu *emu, uint64_t due_ns)
{
	for (const struct emu_cq *cq = emu->due; cq; cq = cq->next_due)
		if (has_waiting_event(cq) && cq->due_ns < due_ns)
			due_ns = cq->due_ns;
	return due_ns;
}

void emu_cq_events_due(struct emu *emu)
{
	struct emu_cq **at = &emu->due;

	while (*at) {
		struct emu_cq *cq = *at;
		const bool waits = has_waiting_event(cq);

		if (waits && cq->due_ns > emu->adapter->now_ns) {
			at = &cq->next_due;
			continue;
		}
		*at = cq->next_due;
		cq->in_due = false;
		if (waits)
			fire_cq(emu, cq);
	}
}

void emu_cq_forget_event(struct emu *emu, struct emu_cq *cq)
{
	struct emu_cq **at = &emu->due;

	while (*at && *at != cq)
		at = &(*at)->next_due;
	if (*at)
		*at = cq->next_due;
	cq->in_due = false;
}

/*
 * Returns whether emu_cq_arm_from_record() armed a new CQ that the driver had not armed. Linux
 * initializes the arm dword of the record only after it has created the CQ; there, a serial number
 * other than 0 means "not armed".
 */
static bool was_guessed_wrong(struct emu *emu, const struct emu_cq *cq)
{
	return cq->arm == PRM_CQC_ST_ARMED && !cq->armed_once &&
	       (emu_cq_record(emu, cq, PRM_DBR_CQ_ARM) >> PRM_CQ_ARM_SN_SHIFT & 3) != 0;
}

void emu_cq_notify(struct emu *emu, struct emu_cq *cq, bool error, bool always)
{
	if (was_guessed_wrong(emu, cq))
		cq->arm = PRM_CQC_ST_NONE;
	if (error && (cq->arm == PRM_CQC_ST_ARMED || cq->arm == PRM_CQC_ST_SOLICITED_ARMED))
		fire_cq(emu, cq);
	else if (cq->arm == PRM_CQC_ST_ARMED)
		moderate_event(emu, cq);
	else if (always) /* PRM-MISSING: "CQE and EQE" needs no arm (net_mlx5 sends none). */
		post_completion_event(emu, cq);
}

/* ---- arming ---------------------------------------------------------------------------- */

static void arm_cq(struct emu *emu, struct emu_cq *cq, uint32_t dw0)
{
	cq->arm_dw0 = dw0;
	cq->arm = dw0 & PRM_CQ_ARM_SOLICITED ? PRM_CQC_ST_SOLICITED_ARMED : PRM_CQC_ST_ARMED;
	/*
	 * An arm whose consumer index is behind the producer index fires at once. Source: Linux,
	 * mlx5_ib_arm_cq and mlx5e_napi_poll, do not look for a CQE after the arm.
	 */
	if (cq->arm == PRM_CQC_ST_ARMED && emu_cq_unread(cq, dw0) != 0)
		fire_cq(emu, cq);
}

/*
 * Returns whether the driver has read the event that answered the last arm. Until then the driver
 * may repeat the serial number of that arm, which is not a mistake. An EQ without a consumer index
 * (oi) counts as read.
 */
static bool is_event_read(const struct emu_cq *cq)
{
	return !cq->eq || cq->eq->oi || (int32_t)(cq->eq->ci - cq->event_at) > 0;
}

void emu_cq_arm(struct emu *emu, struct emu_cq *cq, uint32_t dw0)
{
	const uint8_t sn = dw0 >> PRM_CQ_ARM_SN_SHIFT & 3;

	if (cq->arm_early && dw0 == cq->arm_dw0) {
		cq->arm_early = false;
		return;
	}
	cq->arm_early = false;
	if (cq->arm_sn_used && sn == cq->arm_sn) {
		/*
		 * Counts only the second late arm: the interrupt handler of mlx5_core may read the
		 * event between the driver's choice of the number and its doorbell.
		 */
		if (is_event_read(cq) && cq->arm_late)
			emu_count_mistake(emu, EMU_MISTAKE_arm_stale,
					  "CQ 0x%x: armed again with serial number %u after its "
					  "event was read",
					  cq->obj.id, sn);
		cq->arm_late = is_event_read(cq);
		return;
	}
	cq->armed_once = true;
	arm_cq(emu, cq, dw0);
}

/*
 * The arm doorbell of another CQ may have overwritten this CQ's doorbell before the engine read
 * it. The doorbell record also has the arm. However, the first arm of a new CQ may write 0 over 0,
 * which the engine cannot see. It therefore arms a CQ that was never armed, and does not count the
 * serial number as used. At worst this posts one event too many. Software prevents that by starting
 * a new record with another number (PRM_CQ_ARM_SN_NONE).
 */
void emu_cq_arm_from_record(struct emu *emu, struct emu_cq *cq)
{
	const uint32_t dw0 = emu_cq_record(emu, cq, PRM_DBR_CQ_ARM);
	const uint8_t sn = dw0 >> PRM_CQ_ARM_SN_SHIFT & 3;

	if (cq->lost || (cq->arm == PRM_CQC_ST_NONE && sn != 0))
		return;
	if (!cq->armed_once && !dw0) {
		if (cq->arm == PRM_CQC_ST_NONE)
			arm_cq(emu, cq, dw0);
		return;
	}
	if ((cq->armed_once && dw0 == cq->arm_dw0) || (cq->arm_sn_used && sn == cq->arm_sn))
		return;
	cq->armed_once = true;
	cq->arm_early = true;
	arm_cq(emu, cq, dw0);
}
