/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Assumptions about rings and doorbell records in a umem. NOP WQEs complete without a frame.
 */
#include <infiniband/verbs.h>

#include "checks.h"
#include "placed_cq.h"

enum { DBREC = RIG_PAGE + 2048, LOG_PAGE_64K = 4 };

static void judge_place(struct adapter *at, struct finding *f, struct placed_cq place,
			bool expect_refusal)
{
	struct rig rig = { 0 };
	int rc;

	if (rig_prepare_send(&rig, at, f)) {
		if (placed_cq_create(&rig, &place, f, &rc)) {
			if (expect_refusal)
				judge_refused(f, rig.dev, rc, ANY_STATUS);
			else if (rc)
				judge_accepted(f, rig.dev, rc);
			else
				placed_cq_run_nop(&rig, f);
		}
		placed_cq_destroy(&rig, &place);
	}
	rig_destroy(&rig);
}

static const struct placed_cq usual = { .access = IBV_ACCESS_LOCAL_WRITE, .dbrec_offset = DBREC };

void check_ring_starts_at_any_64_bytes(struct adapter *at, struct finding *f)
{
	struct placed_cq place = usual;

	place.umem_offset = 3 * PLACED_CQ_UNIT_BYTES;
	judge_place(at, f, place, false);
}

void check_dbrec_is_at_any_offset(struct adapter *at, struct finding *f)
{
	struct placed_cq place = usual;

	place.dbrec_offset = DBREC + 3 * PRM_DBR_BYTES;
	judge_place(at, f, place, false);
}

void check_page_offset_is_added(struct adapter *at, struct finding *f)
{
	struct placed_cq place = usual;

	place.umem_offset = 2 * PLACED_CQ_UNIT_BYTES;
	place.page_offset = 3;
	judge_place(at, f, place, false);
}

void check_ring_needs_an_aligned_umem(struct adapter *at, struct finding *f)
{
	struct placed_cq place = usual;

	place.shift = PLACED_CQ_UNIT_BYTES / 2;
	judge_place(at, f, place, true);
}

void check_ring_page_is_at_most_umem_page(struct adapter *at, struct finding *f)
{
	struct placed_cq place = usual;

	place.log_page_size = LOG_PAGE_64K;
	place.shift = RIG_PAGE / 2; /* the umem cannot have pages of 64 KiB */
	judge_place(at, f, place, true);
}

void check_cq_needs_a_writable_umem(struct adapter *at, struct finding *f)
{
	struct placed_cq place = usual;

	place.access = 0;
	judge_place(at, f, place, true);
}
