/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include <rte_bus_vdev.h>

#include "rig.h"

/* The k-th firmware command, ioctl or mmap of an operation fails, for every k. */

FIXTURE(sweep) { struct rig rig; };
FIXTURE_SETUP(sweep) { rig_probe(&self->rig); }
FIXTURE_TEARDOWN(sweep) { rig_down(&self->rig); }

static const struct what {
	const char *name;
	enum devx_emu_fail what;
} whats[] = {
	{ "command", DEVX_EMU_FAIL_COMMAND },
	{ "ioctl", DEVX_EMU_FAIL_IOCTL },
	{ "mmap", DEVX_EMU_FAIL_MMAP },
};

enum { K_MAX = 300 };

/* One packet goes round: the port works. */
static void
expect_works(struct rig *rig)
{
	struct rte_mbuf *m = rig_packet(rig, 100, 42);

	ASSERT_TRUE(rig_send(rig, &m, 1));
	ASSERT_EQ(1, rig_recv(rig, &m, 1));
	rig_expect_packet(rig, m, 100, 42);
	rte_pktmbuf_free(m);
}

/*
 * A start that succeeds although something failed is right too: without a queue counter
 * the port runs, and what is torn down may be refused and goes with the device.
 */
TEST_F_EACH(sweep, start_undoes_itself_wherever_it_fails, struct what, whats)
{
	const struct devx_emu_ctl *emu = self->rig.emu;
	struct devx_emu_counters then;
	int k, failed = 0;

	ASSERT_EQ(0, rig_configure(&self->rig, &(struct rig_config){0}));
	then = rig_stopped(&self->rig);
	for (k = 0; k < K_MAX; k++) {
		SCOPED_TRACE("%s %d fails", row->name, k);
		emu->fail(row->what, k, 0);
		const int rc = rte_eth_dev_start(self->rig.port);
		const bool fired = emu->fail_pending(row->what) < 0;

		emu->fail(row->what, -1, 0);
		if (rc) {
			failed++;
			EXPECT_TRUE(fired);
			EXPECT_SUBSTR("net_devx0 (mlx5_0): ", rig_log());
		} else {
			expect_works(&self->rig);
			EXPECT_EQ(0, rte_eth_dev_stop(self->rig.port));
		}
		rig_expect_objects(&self->rig, &then);
		EXPECT_EQ(RIG_POOL, rte_mempool_avail_count(self->rig.pool));
		if (!fired)
			break;
	}
	EXPECT_LT(k, K_MAX);
	EXPECT_LT(0, failed);
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	expect_works(&self->rig);
}

TEST_F_EACH(sweep, probe_undoes_itself_wherever_it_fails, struct what, whats)
{
	const struct devx_emu_ctl *emu = self->rig.emu;
	const struct devx_emu_counters then = rig_counters(&self->rig);
	int k, rc = -1;

	for (k = 0; k < K_MAX; k++) {
		SCOPED_TRACE("%s %d fails", row->name, k);
		emu->fail(row->what, k, 0);
		rc = rte_vdev_init("net_devx1", "ibdev=mlx5_0");
		const bool fired = emu->fail_pending(row->what) < 0;

		emu->fail(row->what, -1, 0);
		if (!rc)
			EXPECT_EQ(0, rte_vdev_uninit("net_devx1"));
		rig_expect_objects(&self->rig, &then);
		EXPECT_EQ(1, rte_eth_dev_count_avail());
		if (!fired)
			break;
	}
	EXPECT_LT(k, K_MAX);
	EXPECT_EQ(0, rc);
}
