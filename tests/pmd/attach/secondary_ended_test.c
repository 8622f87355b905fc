/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "attach/devx_secondary.h"
#include "attach/devx_secondary_ended.h"
#include "burst/devx_user_burst.h"
#include "loss_rig.h"
#include "secondary_rig.h"

/* The port of a secondary process after the primary process closed it. */

FIXTURE(secondary_ended)
{
	struct port_rig rig;
	struct secondary_rig other;
};
FIXTURE_SETUP(secondary_ended)
{
	port_rig_probe(&self->rig);
	if (self->rig.port == RTE_MAX_ETHPORTS)
		return;
	NEEDS_EMU("to play both processes");
	secondary_rig_up(&self->other, &self->rig);
}
FIXTURE_TEARDOWN(secondary_ended)
{
	loss_rig_forget();
	secondary_rig_down(&self->other);
	port_rig_down(&self->rig);
}

static struct secondary_rig *closing;
static unsigned int n_destroyed;

/* Does to the shared data what the primary process does at the end of its close. */
static int clear_shared_data(uint16_t port, enum rte_eth_event_type event, void *arg, void *ret)
{
	struct rte_eth_dev_data *shared = rte_eth_devices[closing->rig->port].data;

	RTE_SET_USED(event);
	RTE_SET_USED(arg);
	RTE_SET_USED(ret);
	EXPECT_EQ(closing->rig->port, port);
	shared->port_id = port + 1;
	return 0;
}

TEST_F(secondary_ended, process_ends_without_the_data_that_the_primary_process_clears)
{
	struct rte_eth_fp_ops *next;

	secondary_rig_start_port(&self->other, 1, 1);
	closing = &self->other;
	next = &rte_eth_fp_ops[self->rig.port + 1];
	ASSERT_EQ(0, secondary_rig_probe(&self->other));
	rte_eth_dev_callback_register(RTE_ETH_ALL, RTE_ETH_EVENT_INTR_RMV, clear_shared_data, NULL);
	next->rx_pkt_burst = devx_eth_user_rx_burst; /* this port goes on */
	secondary_rig_send(&self->other, DEVX_ETH_MESSAGE_CLOSE, "net_devx0");
	rte_eth_devices[self->rig.port].data->port_id = self->rig.port;
	EXPECT_EQ((const void *)devx_eth_user_rx_burst, (const void *)next->rx_pkt_burst);
	next->rx_pkt_burst = rte_eth_pkt_burst_dummy;
	rte_eth_dev_callback_unregister(RTE_ETH_ALL, RTE_ETH_EVENT_INTR_RMV, clear_shared_data,
					NULL);
	EXPECT_EQ(0, secondary_rig_close(&self->other));
	secondary_rig_use_primary(&self->other);
}

/* The application closes the port as soon as it hears of its end. */
static int close_in_callback(uint16_t port, enum rte_eth_event_type event, void *arg, void *ret)
{
	RTE_SET_USED(port);
	RTE_SET_USED(event);
	RTE_SET_USED(arg);
	RTE_SET_USED(ret);
	return devx_eth_secondary_close(closing->ethdev);
}

static int note_destroy(uint16_t port, enum rte_eth_event_type event, void *arg, void *ret)
{
	RTE_SET_USED(port);
	RTE_SET_USED(event);
	RTE_SET_USED(arg);
	RTE_SET_USED(ret);
	n_destroyed++;
	return 0;
}

/* Closes as an application does: by its number, or (@at_once) in the callback. */
static void close_ended(struct ct_fix_secondary_ended *self, bool at_once)
{
	secondary_rig_play(true);
	if (at_once) /* ethdev releases it behind the driver's close */
		EXPECT_EQ(0, rte_eth_dev_release_port(self->other.ethdev));
	else
		EXPECT_EQ(0, rte_eth_dev_close(SECONDARY_RIG_PORT));
	secondary_rig_play(false);
}

/* ethdev may release no port whose queues another thread polls: the application closes it. */
TEST_F(secondary_ended, port_that_the_primary_process_closed_stays_until_its_close)
{
	const struct rte_eth_dev_data *data;

	secondary_rig_start_port(&self->other, 1, 1);
	closing = &self->other;
	rte_eth_dev_callback_register(RTE_ETH_ALL, RTE_ETH_EVENT_DESTROY, note_destroy, NULL);
	for (int i = 0; i < 3; i++) {
		const bool at_once = i == 1;

		n_destroyed = 0;
		ASSERT_EQ(0, secondary_rig_probe(&self->other));
		if (at_once)
			rte_eth_dev_callback_register(RTE_ETH_ALL, RTE_ETH_EVENT_INTR_RMV,
						      close_in_callback, NULL);
		secondary_rig_send(&self->other, DEVX_ETH_MESSAGE_CLOSE, "net_devx0");
		rte_eth_dev_callback_unregister(RTE_ETH_ALL, RTE_ETH_EVENT_INTR_RMV,
						close_in_callback, NULL);
		EXPECT_EQ(0, n_destroyed);
		EXPECT_EQ(RTE_ETH_DEV_ATTACHED, self->other.ethdev->state);
		data = self->other.ethdev->data;
		EXPECT_STREQ(at_once ? "" : "net_devx0", data->name);
		close_ended(self, at_once);
		EXPECT_EQ(1, n_destroyed);
		EXPECT_EQ(RTE_ETH_DEV_UNUSED, self->other.ethdev->state);
		EXPECT_STREQ("", data->name); /* rte_eth_dev_allocated() would find it */
		EXPECT_EQ(0, self->other.n_left);
		secondary_rig_use_primary(&self->other);
	}
	rte_eth_dev_callback_unregister(RTE_ETH_ALL, RTE_ETH_EVENT_DESTROY, note_destroy, NULL);
}

TEST_F(secondary_ended, port_that_is_not_closed_keeps_its_number)
{
	secondary_rig_start_port(&self->other, 1, 1);
	ASSERT_EQ(0, secondary_rig_probe(&self->other));
	secondary_rig_send(&self->other, DEVX_ETH_MESSAGE_CLOSE, "net_devx0");
	port_rig_read_log();
	EXPECT_EQ(-EBUSY, secondary_rig_probe(&self->other));
	EXPECT_SUBSTR("is one that the primary process closed; close it here as well, then attach",
		      port_rig_read_log());
	EXPECT_TRUE(devx_eth_secondary_is_ended(self->other.ethdev));
	EXPECT_EQ(0, self->other.ethdev->data->nb_rx_queues); /* not the data of the new one */
	EXPECT_EQ(0, secondary_rig_close(&self->other));
	secondary_rig_use_primary(&self->other);
	EXPECT_EQ(0, secondary_rig_probe(&self->other));
	EXPECT_EQ(0, secondary_rig_close(&self->other));
	secondary_rig_use_primary(&self->other);
}

/* ethdev sets this state when the device is lost, before the port ends. */
TEST_F(secondary_ended, port_of_a_removed_device_ends_as_well)
{
	secondary_rig_start_port(&self->other, 1, 1);
	ASSERT_EQ(0, secondary_rig_probe(&self->other));
	EXPECT_TRUE(secondary_rig_has_bursts(&self->other));
	self->other.ethdev->state = RTE_ETH_DEV_REMOVED;
	secondary_rig_send(&self->other, DEVX_ETH_MESSAGE_CLOSE, "net_devx0");
	EXPECT_FALSE(secondary_rig_has_bursts(&self->other));
	EXPECT_EQ(0, secondary_rig_close(&self->other));
	secondary_rig_use_primary(&self->other);
}

/* The primary process waits for at most a second, then clears what it shares. */
TEST_F(secondary_ended, process_that_is_late_ends_its_own_port)
{
	struct rte_eth_dev_data *shared = rte_eth_devices[self->rig.port].data, kept;

	secondary_rig_start_port(&self->other, 1, 1);
	ASSERT_EQ(0, secondary_rig_probe(&self->other));
	kept = *shared;
	shared->mac_addrs = NULL;
	shared->port_id = RTE_MAX_ETHPORTS - 2;
	shared->name[0] = '\0';
	secondary_rig_send(&self->other, DEVX_ETH_MESSAGE_CLOSE, "net_devx0");
	*shared = kept;
	EXPECT_TRUE(devx_eth_secondary_is_ended(self->other.ethdev));
	EXPECT_FALSE(secondary_rig_has_bursts(&self->other));
	EXPECT_EQ(self->rig.port, self->other.ethdev->data->port_id);
	EXPECT_EQ(0, secondary_rig_close(&self->other));
	secondary_rig_use_primary(&self->other);
}

/* Nothing of an ended port lies in memory that the primary process frees. */
TEST_F(secondary_ended, ended_port_answers_without_the_primary_process)
{
	const uint16_t bursts = self->rig.port, port = SECONDARY_RIG_PORT;
	struct rte_ether_addr address = { { 0 } }, own = { { 0 } };
	struct rte_eth_dev_info info;
	struct rte_eth_stats stats;
	struct rte_mbuf *pkt = NULL;

	secondary_rig_start_port(&self->other, 1, 1);
	EXPECT_EQ(0, rte_eth_macaddr_get(self->rig.port, &own));
	ASSERT_EQ(0, secondary_rig_probe(&self->other));
	EXPECT_EQ(0, rte_eth_stats_get(port, &stats));
	secondary_rig_send(&self->other, DEVX_ETH_MESSAGE_CLOSE, "net_devx0");
	EXPECT_EQ(0, rte_eth_rx_burst(bursts, 0, &pkt, 1));
	EXPECT_EQ(0, rte_eth_tx_burst(bursts, 0, &pkt, 1));
	EXPECT_EQ(1, rte_eth_tx_prepare(bursts, 0, &pkt, 1));
	EXPECT_EQ(-EINVAL, rte_eth_rx_queue_count(bursts, 0));
	EXPECT_EQ(-EINVAL, rte_eth_rx_descriptor_status(bursts, 0, 0));
	EXPECT_EQ(-EINVAL, rte_eth_tx_descriptor_status(bursts, 0, 0));
	EXPECT_EQ(-ENOTSUP, rte_eth_stats_get(port, &stats));
	EXPECT_EQ(-ENOTSUP, rte_eth_dev_info_get(port, &info));
	EXPECT_EQ(1, rte_eth_dev_is_removed(port));
	EXPECT_EQ(0, rte_eth_macaddr_get(port, &address));
	EXPECT_EQ(0, memcmp(&own, &address, sizeof(own)));
	EXPECT_EQ(0, secondary_rig_close(&self->other));
	secondary_rig_use_primary(&self->other);
}
