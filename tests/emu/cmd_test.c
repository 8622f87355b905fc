/* SPDX-License-Identifier: BSD-3-Clause */
#include "rig.h"

FIXTURE(cmd) { struct rig r; };
FIXTURE_SETUP(cmd) { rig_open(&self->r, &(struct rig_config){ .wire = "sink" }); }
FIXTURE_TEARDOWN(cmd) { rig_close(&self->r); }

TEST_F(cmd, rig_makes_every_object)
{
	struct rig_cq cq = rig_cq(&self->r, 4);
	struct rig_sq sq = rig_sq(&self->r, 4, cq.cqn);
	struct rig_rq rq = rig_rq(&self->r, 4, 0, cq.cqn);
	const uint8_t key[EMU_RSS_KEY_BYTES] = { 1 };

	EXPECT_NE(0, sq.sqn);
	rig_all_to(&self->r, rig_tir(&self->r, rq.rqn));
	rig_rss_tir(&self->r, rig_rqt(&self->r, &rq.rqn, 1), 3, key, false);
	rig_mkey(&self->r, rig_mem(&self->r, 10000), 10000, true);
}
