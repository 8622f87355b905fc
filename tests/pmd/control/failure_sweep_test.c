/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_bus_vdev.h>

#include "port_rig.h"
#include "prm/prm.h"

/* Start and probe, with the k-th firmware command, ioctl or mmap failing, for every k. */

FIXTURE(sweep)
{
	struct port_rig rig;
};
FIXTURE_SETUP(sweep)
{
	port_rig_probe(&self->rig);
	NEEDS_EMU("to make calls fail");
}
FIXTURE_TEARDOWN(sweep)
{
	port_rig_down(&self->rig);
}

static const struct what {
	const char *name;
	enum devx_emu_fail what;
} whats[] = {
	{ "command", DEVX_EMU_FAIL_COMMAND },
	{ "ioctl", DEVX_EMU_FAIL_IOCTL },
	{ "mmap", DEVX_EMU_FAIL_MMAP },
};

static const struct what starts[] = {
	{ "command", DEVX_EMU_FAIL_COMMAND },
	{ "ioctl", DEVX_EMU_FAIL_IOCTL },
};

enum { K_MAX = 300 };

/*
 * A start may succeed although a call failed: the port runs without a queue counter, and closing
 * the device frees objects whose destroy failed.
 */
TEST_F_EACH(sweep, failed_start_leaves_nothing_behind, struct what, starts)
{
	const struct devx_emu_ctl *emu = self->rig.emu;
	struct devx_emu_counters then;
	int k, failed = 0;

	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ 0 }));
	then = port_rig_start_and_stop(&self->rig);
	for (k = 0; k < K_MAX; k++) {
		SCOPED_TRACE("%s %d fails", row->name, k);
		emu->fail(row->what, k, 0);
		const int rc = rte_eth_dev_start(self->rig.port);
		const bool fired = emu->fail_pending(row->what) < 0;

		emu->fail(row->what, -1, 0);
		if (rc) {
			failed++;
			EXPECT_TRUE(fired);
			EXPECT_SUBSTR("net_devx0 (mlx5_0): ", port_rig_read_log());
		} else {
			port_rig_exchange_one(&self->rig, (uint32_t)k);
			EXPECT_EQ(0, rte_eth_dev_stop(self->rig.port));
		}
		port_rig_expect_objects(&self->rig, &then);
		EXPECT_EQ(PORT_RIG_POOL, rte_mempool_avail_count(self->rig.pool));
		if (!fired)
			break;
	}
	EXPECT_LT(k, K_MAX);
	EXPECT_LT(0, failed);
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	port_rig_exchange_one(&self->rig, (uint32_t)k);
}

/*
 * Every status, each in another command of the start. A command of the kernel becomes an errno, and
 * a command that the port can do without becomes a warning.
 */
TEST_F(sweep, start_names_every_status_in_one_line)
{
	const struct devx_emu_ctl *emu = self->rig.emu;
	struct devx_emu_counters then;
	int n_named = 0;

	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ 0 }));
	then = port_rig_start_and_stop(&self->rig);
	for (int status = 1; status <= PRM_STATUS_BAD_QP_STATE; status++) {
		char want[64];
		int rc = 0;

		SCOPED_TRACE("status 0x%x", status);
		snprintf(want, sizeof(want), ": %s (%d), syndrome 0x",
			 prm_status_name((uint8_t)status), status);
		port_rig_read_log();
		for (int k = status % 4; !rc && k < K_MAX; k += 4) {
			emu->fail(DEVX_EMU_FAIL_COMMAND, k, status);
			rc = rte_eth_dev_start(self->rig.port);
			emu->fail(DEVX_EMU_FAIL_COMMAND, -1, 0);
			if (!rc)
				EXPECT_EQ(0, rte_eth_dev_stop(self->rig.port));
		}
		EXPECT_LT(rc, 0);
		n_named += strstr(port_rig_read_log(), want) != NULL;
		port_rig_expect_objects(&self->rig, &then);
	}
	EXPECT_LE(PRM_STATUS_BAD_QP_STATE * 3 / 4, n_named);
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	port_rig_exchange_one(&self->rig, 1);
}

TEST_F_EACH(sweep, failed_probe_leaves_nothing_behind, struct what, whats)
{
	const struct devx_emu_ctl *emu = self->rig.emu;
	struct devx_emu_counters then;
	int k, rc = -1;

	port_rig_remove_port(&self->rig);
	then = port_rig_get_counters(&self->rig);
	for (k = 0; k < K_MAX; k++) {
		SCOPED_TRACE("%s %d fails", row->name, k);
		emu->fail(row->what, k, 0);
		rc = rte_vdev_init("net_devx0", "ibdev=mlx5_0");
		const bool fired = emu->fail_pending(row->what) < 0;

		emu->fail(row->what, -1, 0);
		if (!rc)
			EXPECT_EQ(0, rte_vdev_uninit("net_devx0"));
		port_rig_expect_objects(&self->rig, &then);
		EXPECT_EQ(0, rte_eth_dev_count_avail());
		if (!fired)
			break;
	}
	EXPECT_LT(k, K_MAX);
	EXPECT_EQ(0, rc);
}

/* Only the first start maps a UAR page: rdma-core keeps it for later starts. */
TEST_F(sweep, a_start_without_a_UAR_page_fails_and_the_next_one_works)
{
	const struct devx_emu_ctl *emu = self->rig.emu;

	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ 0 }));
	emu->fail(DEVX_EMU_FAIL_MMAP, 0, 0);
	EXPECT_NE(0, rte_eth_dev_start(self->rig.port));
	EXPECT_SUBSTR("UAR", port_rig_read_log());
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	port_rig_exchange_one(&self->rig, 1);
}
