/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "devx_port.h"
#include "driver_calls.h"
#include "loss_rig.h"
#include "rte_pmd_devx.h"

/* A port that loses its device waits for it, and then works as before. */

FIXTURE(device_recovery)
{
	struct port_rig rig;
};
FIXTURE_SETUP(device_recovery)
{
	port_rig_up(&self->rig, &(struct port_rig_config){ .eth.intr_conf.rmv = 1 });
	NEEDS_EMU("to let the device fail");
	loss_rig_listen();
}
FIXTURE_TEARDOWN(device_recovery)
{
	driver_calls_fail_alloc(-1);
	loss_rig_forget();
	port_rig_down(&self->rig);
}

/* Gives the port another recovery_wait. */
static void set_wait(struct port_rig *rig, const char *args)
{
	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	port_rig_remove_port(rig);
	port_rig_add_port_with(rig, args);
	ASSERT_EQ(0, port_rig_configure(rig, &(struct port_rig_config){ .eth.intr_conf.rmv = 1 }));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
}

static void expect_no_packet_moves(const struct port_rig *rig)
{
	struct rte_mbuf *m = port_rig_make_packet(rig, 60, 0);

	ASSERT_NE(NULL, m);
	EXPECT_EQ(0, rte_eth_tx_burst(rig->port, 0, &m, 1));
	rte_pktmbuf_free(m);
	EXPECT_EQ(0, rte_eth_rx_burst(rig->port, 0, &m, 1));
}

TEST_F(device_recovery, fatal_error_leaves_a_port_that_works)
{
	struct port_rig *rig = &self->rig;
	const struct devx_emu_counters before = port_rig_get_counters(rig);
	struct rte_eth_dev_info info;

	ASSERT_EQ(0, rte_eth_dev_info_get(rig->port, &info));
	EXPECT_EQ(RTE_ETH_ERROR_HANDLE_MODE_PROACTIVE, info.err_handle_mode);
	for (unsigned int i = 1; i <= 3; i++) {
		port_rig_exchange_one(rig, i);
		loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_FATAL);
		ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_success, i));
		EXPECT_EQ(0, rte_eth_dev_is_removed(rig->port));
		port_rig_expect_objects(rig, &before);
	}
	port_rig_exchange_one(rig, 9);
	EXPECT_STREQ("rsrsrs", loss_seen.order);
	EXPECT_SUBSTR("the device is back", port_rig_read_log());
}

TEST_F(device_recovery, port_refuses_functions_until_the_device_returns)
{
	struct port_rig *rig = &self->rig;
	struct rte_eth_stats stats;

	port_rig_exchange_one(rig, 1);
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_REMOVE);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_recovering, 1));
	expect_no_packet_moves(rig);
	EXPECT_EQ(-EBUSY, rte_eth_dev_set_mtu(rig->port, 1400));
	EXPECT_EQ(-EBUSY, rte_eth_dev_rx_queue_stop(rig->port, 0));
	EXPECT_EQ(-EBUSY, rte_eth_stats_reset(rig->port));
	EXPECT_EQ(0, rte_eth_dev_is_removed(rig->port));
	EXPECT_EQ(0, rte_eth_stats_get(rig->port, &stats));
	EXPECT_EQ(1, stats.ipackets);
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_RETURN);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_success, 1));
	EXPECT_EQ(0, rte_eth_dev_set_mtu(rig->port, 1400));
	port_rig_exchange_one(rig, 2);
	EXPECT_STREQ("rs", loss_seen.order);
}

TEST_F(device_recovery, device_that_stays_away_fails_the_recovery)
{
	struct port_rig *rig = &self->rig;

	set_wait(rig, "ibdev=mlx5_0,recovery_wait=1");
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_REMOVE);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_removed, 1));
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_RETURN);
	EXPECT_STREQ("rfx", loss_seen.order);
	EXPECT_EQ(1, rte_eth_dev_is_removed(rig->port));
	EXPECT_SUBSTR("the device did not return within 1 seconds", port_rig_read_log());
	expect_no_packet_moves(rig);
	EXPECT_EQ(-EIO, rte_pmd_devx_dmabuf_register(
				rig->port, &(struct rte_pmd_devx_dmabuf){ .length = 4096 }));
	EXPECT_SUBSTR("dma-buf: the device is lost and did not return; close the port",
		      port_rig_read_log());
	EXPECT_EQ(0, rte_eth_dev_stop(rig->port));
	EXPECT_EQ(-EIO, rte_eth_dev_start(rig->port));
}

TEST_F(device_recovery, removed_adapter_gives_the_removal_alone)
{
	struct port_rig *rig = &self->rig;

	port_rig_exchange_one(rig, 1);
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_UNPLUG);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_removed, 1));
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_RETURN);
	EXPECT_STREQ("x", loss_seen.order);
	EXPECT_EQ(1, rte_eth_dev_is_removed(rig->port));
}

/* The device is away when its adapter is pulled; recovery_wait would last 30 s more. */
TEST_F(device_recovery, adapter_removed_during_the_recovery_ends_it)
{
	struct port_rig *rig = &self->rig;

	set_wait(rig, "ibdev=mlx5_0,recovery_wait=3600");
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_REMOVE);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_recovering, 1));
	EXPECT_EQ(0, loss_seen.n_removed);
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_UNPLUG);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_removed, 1));
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_RETURN);
	EXPECT_STREQ("rfx", loss_seen.order);
	EXPECT_EQ(1, rte_eth_dev_is_removed(rig->port));
	EXPECT_SUBSTR("the adapter was removed; close the port", port_rig_read_log());
	EXPECT_EQ(0, rte_eth_dev_stop(rig->port));
	EXPECT_EQ(-EIO, rte_eth_dev_start(rig->port));
}

static void unplug_in_callback(uint16_t port, enum rte_eth_event_type event)
{
	RTE_SET_USED(port);
	if (event == RTE_ETH_EVENT_ERR_RECOVERING)
		EXPECT_EQ(0, emu_if_any()->inject(0, DEVX_EMU_INJECT_DEVICE_UNPLUG, 0));
}

static bool is_removed(const struct port_rig *rig, void *arg)
{
	RTE_SET_USED(rig);
	RTE_SET_USED(arg);
	return __atomic_load_n(&loss_seen.n_removed, __ATOMIC_ACQUIRE) > 0;
}

/* No burst is called, so the recovery waits for one. The port keeps the device until its stop. */
TEST_F(device_recovery, adapter_removed_before_the_bursts_ended_ends_the_recovery)
{
	struct port_rig *rig = &self->rig;

	set_wait(rig, "ibdev=mlx5_0,recovery_wait=3600");
	loss_seen.hook = unplug_in_callback;
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_REMOVE);
	ASSERT_TRUE(port_rig_wait_until(is_removed, rig, NULL));
	loss_seen.hook = NULL;
	EXPECT_STREQ("rfx", loss_seen.order);
	EXPECT_TRUE(devx_eth_port_get(&rte_eth_devices[rig->port])->dev.ctx != NULL);
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_RETURN);
	EXPECT_EQ(0, rte_eth_dev_stop(rig->port));
	EXPECT_EQ(-EIO, rte_eth_dev_start(rig->port));
}

TEST_F(device_recovery, recovery_wait_of_0_reports_the_removal_at_once)
{
	struct port_rig *rig = &self->rig;
	struct rte_eth_dev_info info;

	set_wait(rig, "ibdev=mlx5_0,recovery_wait=0");
	ASSERT_EQ(0, rte_eth_dev_info_get(rig->port, &info));
	EXPECT_EQ(RTE_ETH_ERROR_HANDLE_MODE_NONE, info.err_handle_mode);
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_FATAL);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_removed, 1));
	EXPECT_STREQ("x", loss_seen.order);
}

TEST_F(device_recovery, another_device_fails_the_recovery)
{
	struct port_rig *rig = &self->rig;
	struct devx_eth *eth = devx_eth_port_get(&rte_eth_devices[rig->port]);

	pthread_mutex_lock(&eth->lock);
	eth->dev.caps.log_max_sq++; /* as if the device had had more send queues */
	pthread_mutex_unlock(&eth->lock);
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_FATAL);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_removed, 1));
	EXPECT_STREQ("rfx", loss_seen.order);
	EXPECT_SUBSTR("the device returned with other capabilities", port_rig_read_log());
}

/* ---- the application acts meanwhile ------------------------------------------------------- */

TEST_F(device_recovery, port_stopped_meanwhile_can_start_afterwards)
{
	struct port_rig *rig = &self->rig;

	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_REMOVE);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_recovering, 1));
	EXPECT_EQ(0, rte_eth_dev_stop(rig->port));
	mbuf_pool_expect_all(rig->pool);
	EXPECT_EQ(-EBUSY, rte_eth_dev_start(rig->port));
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_RETURN);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_success, 1));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	port_rig_exchange_one(rig, 2);
}

TEST_F(device_recovery, stopped_port_gets_its_device_back)
{
	struct port_rig *rig = &self->rig;

	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_FATAL);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_success, 1));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	port_rig_exchange_one(rig, 2);
}

TEST_F(device_recovery, port_closed_meanwhile_reports_nothing_more)
{
	struct port_rig *rig = &self->rig;

	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_REMOVE);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_recovering, 1));
	EXPECT_EQ(0, rte_eth_dev_stop(rig->port));
	EXPECT_EQ(0, rte_eth_dev_close(rig->port));
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_RETURN);
	port_rig_remove_port(rig);
	mbuf_pool_expect_all(rig->pool);
	EXPECT_STREQ("r", loss_seen.order);
}

static unsigned int n_closed;

static void close_port(uint16_t port, enum rte_eth_event_type event)
{
	RTE_SET_USED(event);
	EXPECT_EQ(0, rte_eth_dev_stop(port));
	EXPECT_EQ(0, rte_eth_dev_close(port));
	__atomic_store_n(&n_closed, 1, __ATOMIC_RELEASE);
}

static void close_when_recovering(uint16_t port, enum rte_eth_event_type event)
{
	if (event == RTE_ETH_EVENT_ERR_RECOVERING)
		close_port(port, event);
}

static void close_after_success(uint16_t port, enum rte_eth_event_type event)
{
	if (event == RTE_ETH_EVENT_RECOVERY_SUCCESS)
		close_port(port, event);
}

/* Waits without bursts: ethdev forbids them while another thread closes the port. */
static bool is_closed(const struct port_rig *rig, void *arg)
{
	RTE_SET_USED(rig);
	RTE_SET_USED(arg);
	return __atomic_load_n(&n_closed, __ATOMIC_ACQUIRE);
}

static const struct hook {
	const char *name;
	void (*hook)(uint16_t port, enum rte_eth_event_type event);
	const char *order;
} hooks[] = {
	{ "link_down", close_port, "l" },
	{ "recovering", close_when_recovering, "lr" },
	{ "success", close_after_success, "lrls" },
};

TEST_F_EACH(device_recovery, application_closes_the_port_in_its_callback, struct hook, hooks)
{
	struct port_rig *rig = &self->rig;

	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	ASSERT_EQ(0, port_rig_configure(rig, &(struct port_rig_config){
						     .eth.intr_conf = { .lsc = 1, .rmv = 1 } }));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	n_closed = 0;
	loss_seen.hook = row->hook;
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_FATAL);
	ASSERT_TRUE(port_rig_wait_until(is_closed, rig, NULL));
	port_rig_remove_port(rig);
	mbuf_pool_expect_all(rig->pool);
	EXPECT_STREQ(row->order, loss_seen.order);
}

/* ---- another fault meanwhile --------------------------------------------------------------- */

TEST_F(device_recovery, device_lost_before_any_ioctl_of_the_recovery_comes_back)
{
	enum { STEP = 7, K_MAX = 400 };
	struct port_rig *rig = &self->rig;
	const struct devx_emu_counters before = port_rig_get_counters(rig);
	unsigned int n = 0;
	bool fired = true;
	int k;

	for (k = 0; fired && k < K_MAX; k += STEP) {
		SCOPED_TRACE("lost again before ioctl %d", k);
		loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_REMOVE);
		ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_recovering, n + 1));
		rig->emu->fail(DEVX_EMU_FAIL_DEVICE, k, 0);
		loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_RETURN);
		n = loss_seen.n_recovering;
		ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_success, n));
		fired = rig->emu->fail_pending(DEVX_EMU_FAIL_DEVICE) < 0;
		rig->emu->fail(DEVX_EMU_FAIL_DEVICE, -1, 0);
		ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_success, loss_seen.n_recovering));
		n = loss_seen.n_recovering;
		port_rig_exchange_one(rig, (uint32_t)k);
		port_rig_expect_objects(rig, &before);
	}
	EXPECT_LT(k, K_MAX);
	printf("%u recoveries, lost again at each %d. of %d ioctls\n", n, STEP, k);
}

static const struct fault {
	const char *name;
	bool allocation; /* an allocation of the driver fails, not a call of emu */
	enum devx_emu_fail what;
	int step;
} faults[] = {
	{ "command", false, DEVX_EMU_FAIL_COMMAND, 9 },
	{ "ioctl", false, DEVX_EMU_FAIL_IOCTL, 1 },
	{ "allocation", true, 0, 4 },
};

static void arm_fault(const struct port_rig *rig, const struct fault *fault, int k)
{
	if (fault->allocation)
		driver_calls_fail_alloc(k);
	else
		rig->emu->fail(fault->what, k, 0);
}

static bool has_fired(const struct port_rig *rig, const struct fault *fault)
{
	return fault->allocation ? driver_calls_get_pending_fault() < 0
				 : rig->emu->fail_pending(fault->what) < 0;
}

/* A send queue may have to share a doorbell register, and a port goes on without queue counter. */
static void expect_objects(const struct port_rig *rig, struct devx_emu_counters then,
			   struct driver_objects of_driver)
{
	const struct devx_emu_counters now = port_rig_get_counters(rig);

	if (now.objects[DEVX_EMU_UAR] + 1 == then.objects[DEVX_EMU_UAR]) {
		then.objects[DEVX_EMU_UAR]--;
		then.handles--;
	}
	if (now.objects[DEVX_EMU_Q_COUNTER] + 1 == then.objects[DEVX_EMU_Q_COUNTER]) {
		then.objects[DEVX_EMU_Q_COUNTER]--;
		then.handles--;
		of_driver.n[DRIVER_COMMAND_OBJECT]--;
	}
	port_rig_expect_objects(rig, &then);
	driver_objects_expect(&of_driver);
}

/* The port is as before, after an attempt that failed anywhere and after the one that did not. */
TEST_F_EACH(device_recovery, attempt_that_fails_is_undone_and_repeated, struct fault, faults)
{
	enum { K_MAX = 400 };
	struct port_rig *rig = &self->rig;
	const struct devx_emu_counters before = port_rig_get_counters(rig);
	const struct driver_objects objects = driver_objects_count();
	bool fired = true;
	unsigned int n = 0;

	for (int k = 0; fired && k < K_MAX; k += row->step) {
		SCOPED_TRACE("%s %d fails", row->name, k);
		loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_REMOVE);
		ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_recovering, ++n));
		arm_fault(rig, row, k);
		loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_RETURN);
		ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_success, n));
		fired = has_fired(rig, row);
		arm_fault(rig, row, -1);
		EXPECT_EQ(0, rte_eth_dev_is_removed(rig->port));
		port_rig_exchange_one(rig, (uint32_t)k);
		expect_objects(rig, before, objects);
	}
	EXPECT_FALSE(fired);
	EXPECT_LT(3, n);
	EXPECT_EQ(0, loss_seen.n_failed);
}
