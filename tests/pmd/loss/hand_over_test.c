/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver_objects.h"
#include "loss_rig.h"

/*
 * The bursts of an application go on while the driver makes the objects of a device that came back.
 * An attempt that fails destroys these objects, so no burst may use a queue before all exist.
 */

FIXTURE(hand_over)
{
	struct port_rig rig;
};
FIXTURE_SETUP(hand_over)
{
	port_rig_up(&self->rig, &(struct port_rig_config){ .eth.intr_conf.rmv = 1 });
	NEEDS_EMU("to let the device fail");
	loss_rig_listen();
}
FIXTURE_TEARDOWN(hand_over)
{
	loss_rig_forget();
	port_rig_down(&self->rig);
}

static bool is_held_or_done(const struct port_rig *rig, void *unused)
{
	(void)unused;
	return rig->emu->hold_commands(0, 0) ||
	       __atomic_load_n(&loss_seen.n_success, __ATOMIC_ACQUIRE);
}

/* Returns whether the port took a packet. */
static bool try_send(const struct port_rig *rig)
{
	struct rte_mbuf *m = port_rig_make_packet(rig, 60, 0);

	if (m && rte_eth_tx_burst(rig->port, 0, &m, 1))
		return true;
	rte_pktmbuf_free(m);
	return false;
}

TEST_F(hand_over, no_burst_uses_a_queue_before_all_objects_exist)
{
	struct port_rig *rig = &self->rig;
	const struct devx_emu_counters before = port_rig_get_counters(rig);
	const struct driver_objects objects = driver_objects_count();
	unsigned int n_held = 0;

	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_REMOVE);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_recovering, 1));
	rig->emu->hold_commands(0, 0);
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_RETURN);
	while (port_rig_wait_until(is_held_or_done, rig, NULL) && rig->emu->hold_commands(0, 0)) {
		SCOPED_TRACE("command %u", n_held);
		if (try_send(rig))
			driver_objects_expect(&objects);
		rig->emu->hold_commands(0, 1);
		n_held++;
	}
	rig->emu->hold_commands(0, -1);
	EXPECT_LT(20, n_held);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_success, 1));
	EXPECT_TRUE(try_send(rig));
	EXPECT_TRUE(loss_rig_wait_for_packet(rig));
	port_rig_expect_objects(rig, &before);
}
