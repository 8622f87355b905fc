/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_bus.h>
#include <rte_dev.h>
#include <rte_devargs.h>
#include <rte_memory.h>
#include <rte_memzone.h>

#include "devx_port.h"
#include "driver_calls.h"
#include "loss_rig.h"

/* A port on the auxiliary bus: devx-emu --sf, where mlx5_0 is the device of mlx5_core.sf.4. */

#define NAME "mlx5_core.sf.4"
enum { PAGE = 4096 };
#define DEVICE "auxiliary:" NAME ",driver=net_devx"

FIXTURE(sub_function)
{
	struct port_rig rig;
};
FIXTURE_SETUP(sub_function)
{
	port_rig_probe(&self->rig);
	NEEDS_EMU("to have a sub-function");
	port_rig_remove_port(&self->rig);
}
FIXTURE_TEARDOWN(sub_function)
{
	loss_rig_forget();
	port_rig_down(&self->rig);
}

static bool add_port(struct port_rig *rig)
{
	const int rc = rte_dev_probe(DEVICE);

	EXPECT_EQ(0, rc);
	EXPECT_STREQ("", rc ? port_rig_read_log() : "");
	if (rc || rte_eth_dev_get_port_by_name(NAME, &rig->port))
		return false;
	EXPECT_EQ(0, rte_eth_macaddr_get(rig->port, &rig->mac));
	port_account_begin(rig);
	port_rig_read_log();
	return true;
}

static void start_port(struct port_rig *rig)
{
	ASSERT_EQ(0, port_rig_configure(rig, &(struct port_rig_config){ .eth.intr_conf.rmv = 1 }));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
}

static void remove_port(struct port_rig *rig)
{
	struct rte_eth_dev_info info;

	ASSERT_EQ(0, rte_eth_dev_info_get(rig->port, &info));
	EXPECT_EQ(0, rte_dev_remove(info.device));
	rig->port = RTE_MAX_ETHPORTS;
	EXPECT_EQ(0, rte_eth_dev_count_avail());
}

TEST_F(sub_function, port_has_the_name_the_device_and_the_node_of_its_function)
{
	struct port_rig *rig = &self->rig;
	const struct devx_dev *dev;
	struct rte_eth_dev_info info;

	ASSERT_TRUE(add_port(rig));
	dev = &devx_eth_port_get(&rte_eth_devices[rig->port])->dev;
	EXPECT_STREQ("mlx5_0", dev->ibdev);
	EXPECT_STREQ("", dev->pci);
	ASSERT_EQ(0, rte_eth_dev_info_get(rig->port, &info));
	EXPECT_STREQ("net_devx", info.driver_name);
	EXPECT_STREQ(NAME, rte_dev_name(info.device));
	EXPECT_STREQ("auxiliary", rte_bus_name(rte_dev_bus(info.device)));
	EXPECT_EQ(0, rte_eth_dev_socket_id(rig->port)); /* that of the PCI function */
	EXPECT_EQ(0, rte_dev_numa_node(info.device));
	remove_port(rig);
}

TEST_F(sub_function, port_moves_packets_and_is_removed_and_added_again)
{
	struct port_rig *rig = &self->rig;

	for (uint32_t i = 0; i < 3; i++) {
		ASSERT_TRUE(add_port(rig));
		start_port(rig);
		port_rig_exchange_one(rig, i);
		EXPECT_EQ(0, rte_dev_probe(DEVICE)); /* EAL leaves an attached device as it is */
		EXPECT_EQ(1, rte_eth_dev_count_avail());
		port_rig_exchange_one(rig, i + 100);
		port_account_expect(rig);
		EXPECT_EQ(0, rte_eth_dev_stop(rig->port));
		remove_port(rig);
	}
}

/* The device is away, as after `devlink dev reload`, while its function keeps its driver. */
TEST_F(sub_function, port_waits_for_its_device_under_any_name)
{
	struct port_rig *rig = &self->rig;
	struct devx_dev *dev;

	ASSERT_TRUE(add_port(rig));
	start_port(rig);
	dev = &devx_eth_port_get(&rte_eth_devices[rig->port])->dev;
	snprintf(dev->ibdev, sizeof(dev->ibdev), "mlx5_7"); /* it returns as mlx5_0 */
	loss_rig_listen();
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_REMOVE);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_recovering, 1));
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_RETURN);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_success, 1));
	EXPECT_STREQ("rs", loss_seen.order);
	EXPECT_STREQ("mlx5_0", dev->ibdev);
	port_rig_exchange_one(rig, 1);
	EXPECT_EQ(0, rte_eth_dev_stop(rig->port));
	remove_port(rig);
}

/* The function is away, as after `devlink port function set state inactive`. */
TEST_F(sub_function, removed_function_gives_the_removal_alone)
{
	struct port_rig *rig = &self->rig;

	ASSERT_TRUE(add_port(rig));
	start_port(rig);
	loss_rig_listen();
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_UNPLUG);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_removed, 1));
	EXPECT_STREQ("x", loss_seen.order);
	EXPECT_EQ(1, rte_eth_dev_is_removed(rig->port));
	EXPECT_EQ(0, rte_eth_dev_stop(rig->port));
	remove_port(rig);
	EXPECT_GT(0, rte_dev_probe(DEVICE));
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_RETURN);
	ASSERT_TRUE(add_port(rig));
	start_port(rig);
	port_rig_exchange_one(rig, 1);
	EXPECT_EQ(0, rte_eth_dev_stop(rig->port));
	remove_port(rig);
}

TEST_F(sub_function, memory_is_mapped_and_unmapped)
{
	struct port_rig *rig = &self->rig;
	static char memory[PAGE] __attribute__((aligned(PAGE)));
	struct rte_eth_dev_info info;
	struct devx_eth *eth;

	ASSERT_TRUE(add_port(rig));
	ASSERT_EQ(0, rte_eth_dev_info_get(rig->port, &info));
	eth = devx_eth_port_get(&rte_eth_devices[rig->port]);
	ASSERT_EQ(0, rte_extmem_register(memory, PAGE, NULL, 0, PAGE));
	EXPECT_EQ(0, rte_dev_dma_map(info.device, memory, 0, PAGE));
	EXPECT_EQ(1, eth->memory.n_mr);
	EXPECT_EQ(0, rte_dev_dma_unmap(info.device, memory, 0, PAGE));
	EXPECT_EQ(0, eth->memory.n_mr);
	EXPECT_GT(0, rte_dev_dma_unmap(info.device, memory, 0, PAGE));
	EXPECT_EQ(0, rte_extmem_unregister(memory, PAGE));
	remove_port(rig);
}

TEST_F(sub_function, probe_without_memory_leaves_nothing_behind)
{
	const struct devx_emu_counters then = port_rig_get_counters(&self->rig);
	enum { K_MAX = 300 };
	bool fired = true;
	const char *log;

	for (int k = 0; fired && k < K_MAX; k++) {
		SCOPED_TRACE("allocation %d fails", k);
		driver_calls_fail_alloc(k);
		const int rc = rte_dev_probe(DEVICE);

		fired = driver_calls_get_pending_fault() < 0;
		driver_calls_fail_alloc(-1);
		EXPECT_EQ(!fired, !rc);
		log = port_rig_read_log();
		EXPECT_SUBSTR(rc ? NAME : "", log);
		EXPECT_SUBSTR(rc ? ": cannot " : "", log);
		if (!rc)
			EXPECT_EQ(0, rte_dev_remove(rte_eth_devices[0].device));
		EXPECT_EQ(NULL, rte_memzone_lookup("net_devx:" NAME));
		EXPECT_EQ(0, rte_eth_dev_count_avail());
		port_rig_expect_objects(&self->rig, &then);
	}
	EXPECT_FALSE(fired);
}

static int count_lines(const char *log)
{
	int n = 0;

	while ((log = strstr(log, NAME ": ")) != NULL) {
		log++;
		n++;
	}
	return n;
}

static const struct refusal {
	const char *name, *args, *says;
} refusals[] = {
	{ "unknown_argument", "driver=net_devx,ibdev=mlx5_0",
	  "arguments: 'driver=net_devx,ibdev=mlx5_0' is invalid (valid: driver=net_devx uar=" },
	{ "invalid_value", "uar=wc,driver=net_devx", "argument uar: 'wc' is invalid" },
};

TEST_F_EACH(sub_function, refuses_arguments, struct refusal, refusals)
{
	char devargs[128];
	const char *log;

	snprintf(devargs, sizeof(devargs), "auxiliary:" NAME ",%s", row->args);
	EXPECT_GT(0, rte_dev_probe(devargs));
	log = port_rig_read_log();
	EXPECT_SUBSTR(row->says, log);
	EXPECT_EQ(1, count_lines(log));
	EXPECT_EQ(0, rte_eth_dev_count_avail());
}

TEST_F(sub_function, refuses_a_function_without_an_RDMA_device)
{
	const char *log;

	loss_rig_inject(&self->rig, DEVX_EMU_INJECT_DEVICE_REMOVE);
	EXPECT_GT(0, rte_dev_probe(DEVICE));
	loss_rig_inject(&self->rig, DEVX_EMU_INJECT_DEVICE_RETURN);
	log = port_rig_read_log();
	EXPECT_SUBSTR(NAME ": the sub-function has no RDMA device; enable it: `devlink dev param "
			   "set auxiliary/" NAME " name enable_rdma value true",
		      log);
	EXPECT_EQ(1, count_lines(log));
	EXPECT_EQ(0, rte_eth_dev_count_avail());
}

TEST_F(sub_function, leaves_a_function_that_does_not_name_the_driver)
{
	EXPECT_NE(0, rte_dev_probe("auxiliary:" NAME));
	EXPECT_EQ(0, count_lines(port_rig_read_log()));
	EXPECT_EQ(0, rte_eth_dev_count_avail());
}

TEST_F(sub_function, refuses_a_name_that_no_function_has)
{
	static const char says[] = "mlx5_core.sf.99: no such sub-function (valid: a name in "
				   "/sys/bus/auxiliary/devices)\n";
	const char *line;

	EXPECT_EQ(-ENODEV, rte_dev_probe("auxiliary:mlx5_core.sf.99,driver=net_devx"));
	line = strstr(port_rig_read_log(), says);
	ASSERT_NE(NULL, line);
	EXPECT_EQ(NULL, strstr(line + sizeof(says) - 1, says));
	EXPECT_EQ(0, rte_eth_dev_count_avail());
}
