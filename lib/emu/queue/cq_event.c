/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Completion queues: arming, events, and how many CQEs an event may wait for.
 */
#include "emu/queue/cq_event.h"

#include "emu/base/dev.h"
#include "emu/base/mistake.h"
#include "prm/wqe.h"

static void post_completion_event(struct emu *emu, struct emu_cq *cq)
{
	const uint32_t dwords[7] = { [6] = cq->obj.id };

	emu_cq_publish_one(cq); /* whoever hears of the event finds the CQE */
	if (cq->eq)
		emu_eq_post(emu, cq->eq, PRM_EVENT_COMP, 0, dwords);
}

static void fire_cq(struct emu *emu, struct emu_cq *cq)
{
	cq->arm = PRM_CQC_ST_FIRED;
	cq->arm_sn = cq->arm_dw0 >> PRM_CQ_ARM_SN_SHIFT & 3;
	cq->arm_sn_used = cq->armed_once;
	cq->arm_late = false;
	cq->event_ns = emu->now_ns;
	cq->n_quiet = 0;
	cq->event_at = cq->eq ? cq->eq->pi : 0;
	post_completion_event(emu, cq);
}

/* ---- moderation ------------------------------------------------------------------------ */

/*
 * The event of an armed CQ waits for cq_max_count CQEs, or until cq_period has passed since the
 * last event, or by cq_period_mode since the last CQE.
 *
 * PRM-MISSING: CQEs count from the arm on; a count without a period does not hold an event back
 * (drivers set both to 0 to turn it off); an error does not wait
 */
static void moderate_event(struct emu *emu, struct emu_cq *cq)
{
	const uint64_t since = cq->period_from_cqe ? emu->now_ns : cq->event_ns;

	cq->n_quiet++;
	cq->due_ns = since + cq->period_ns;
	if (!cq->period_ns || cq->due_ns <= emu->now_ns ||
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

void emu_cq_events_due(struct emu *emu)
{
	struct emu_cq **at = &emu->due;

	while (*at) {
		struct emu_cq *cq = *at;
		const bool waits = cq->n_quiet && cq->arm == PRM_CQC_ST_ARMED;

		if (waits && cq->due_ns > emu->now_ns) {
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

static uint8_t read_record_sn(const struct emu_cq *cq)
{
	return emu_cq_record(cq, PRM_DBR_CQ_ARM) >> PRM_CQ_ARM_SN_SHIFT & 3;
}

/* Taken for armed by emu_cq_arm_from_record(), and marked since as not armed: late, in Linux. */
static bool was_guessed_wrong(const struct emu_cq *cq)
{
	return cq->arm == PRM_CQC_ST_ARMED && !cq->armed_once && read_record_sn(cq) != 0;
}

void emu_cq_notify(struct emu *emu, struct emu_cq *cq, bool error, bool always)
{
	if (was_guessed_wrong(cq))
		cq->arm = PRM_CQC_ST_NONE;
	if (error && (cq->arm == PRM_CQC_ST_ARMED || cq->arm == PRM_CQC_ST_SOLICITED_ARMED))
		fire_cq(emu, cq);
	else if (cq->arm == PRM_CQC_ST_ARMED)
		moderate_event(emu, cq);
	else if (always) /* PRM-MISSING: "CQE and EQE" asks for no arm (its name says so). */
		post_completion_event(emu, cq);
}

/* ---- arming ---------------------------------------------------------------------------- */

static void arm_cq(struct emu *emu, struct emu_cq *cq, uint32_t dw0)
{
	cq->arm_dw0 = dw0;
	cq->arm = dw0 & PRM_CQ_ARM_SOLICITED ? PRM_CQC_ST_SOLICITED_ARMED : PRM_CQC_ST_ARMED;
	/*
	 * PRM-MISSING: an arm whose consumer index is behind the producer fires at once
	 * (else a driver that arms and then sleeps could miss a CQE; IB asks for it).
	 */
	if (cq->arm == PRM_CQC_ST_ARMED && emu_cq_unread(cq, dw0) != 0)
		fire_cq(emu, cq);
}

/*
 * Whether the driver has read the event that the last serial number had. While it has not, it
 * may poll and arm again in good faith. An EQ without a consumer index (oi) is taken for read.
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
		/* One may have been under way when an interrupt read the event: mlx5_core's are. */
		if (is_event_read(cq) && cq->arm_late)
			emu_count_mistake(
				emu, EMU_MISTAKE_arm_stale,
				"CQ 0x%x: armed with serial number %u, which has had its event",
				cq->obj.id, sn);
		cq->arm_late = is_event_read(cq);
		return;
	}
	cq->armed_once = true;
	arm_cq(emu, cq, dw0);
}

/*
 * Another CQ's arm may have overwritten this one's before the engine looked: the record has
 * it too. The first arm of a new CQ may write 0 over 0, so a CQ that was never armed is taken
 * for armed, without using up its serial number: at worst one event too many. Software that
 * wants none gives a new record another number (PRM_CQ_ARM_SN_NONE).
 */
void emu_cq_arm_from_record(struct emu *emu, struct emu_cq *cq)
{
	const uint32_t dw0 = emu_cq_record(cq, PRM_DBR_CQ_ARM);
	const uint8_t sn = dw0 >> PRM_CQ_ARM_SN_SHIFT & 3;

	if (cq->arm == PRM_CQC_ST_NONE && sn != 0)
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
