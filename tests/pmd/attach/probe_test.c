/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_bus_vdev.h>

#include "devx_port.h"
#include "port_rig.h"

FIXTURE(probe)
{
	struct port_rig rig;
};
FIXTURE_SETUP(probe)
{
	port_rig_probe(&self->rig);
}
FIXTURE_TEARDOWN(probe)
{
	port_rig_down(&self->rig);
}

static const struct bad_args {
	const char *name, *args;
	const char *says;
} bad_args[] = {
	{ "none", "", "no RDMA device named" },
	{ "two", "ibdev=mlx5_0,pci=0000:08:00.0", "more than one RDMA device" },
	{ "twice", "ibdev=mlx5_0,ibdev=mlx5_0", "more than one RDMA device" },
	{ "unknown_key", "ibdev=mlx5_0,mac=1", "valid: ibdev=" },
	{ "unknown_device", "ibdev=mlx5_9", "mlx5_0" },
	{ "unknown_address", "pci=0000:ff:00.0", "mlx5_0" },
	{ "not_an_address", "pci=banana", "banana" },
	{ "empty", "ibdev=", "net_devx1" },
};

TEST_F_EACH(probe, refuses_arguments, struct bad_args, bad_args)
{
	port_rig_read_log();
	EXPECT_NE(0, port_rig_init_vdev("net_devx1", row->args));
	EXPECT_SUBSTR(row->says, port_rig_read_log());
	EXPECT_EQ(1, rte_eth_dev_count_avail());
}

TEST_F(probe, port_reports_its_limits_and_firmware_version)
{
	struct rte_eth_dev_info info;
	char fw[64], small[2];

	ASSERT_EQ(0, rte_eth_dev_info_get(self->rig.port, &info));
	EXPECT_STREQ("net_devx", info.driver_name);
	EXPECT_EQ(RTE_ETHER_MIN_MTU, info.min_mtu);
	if (self->rig.has_netdev)
		EXPECT_LT(9000, info.max_mtu); /* the limit of the netdev may be lower */
	else
		EXPECT_EQ(1500, info.max_mtu);
	EXPECT_EQ(0, 0xeu & ~info.rx_offload_capa); /* the offloads that l3fwd needs */
	EXPECT_TRUE(info.tx_offload_capa & RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE);
	ASSERT_EQ(0, rte_eth_dev_fw_version_get(self->rig.port, fw, sizeof(fw)));
	EXPECT_NE(NULL, strchr(fw, '.'));
	EXPECT_EQ((int)strlen(fw) + 1, rte_eth_dev_fw_version_get(self->rig.port, small, 2));
	EXPECT_LT(3, rte_eth_dev_get_supported_ptypes(self->rig.port, RTE_PTYPE_ALL_MASK, NULL, 0));
}

static const struct second {
	const char *name;
	const char *key;
	size_t skip; /* characters of the PCI address to leave out; not used with ibdev= */
} seconds[] = {
	{ "by_name", "ibdev=", 0 },
	{ "by_PCI_address", "pci=", 0 },
	{ "by_PCI_address_without_domain", "pci=", sizeof("0000:") - 1 },
};

/* EAL adds lines of its own to each refusal, so the test counts those of the driver. */
static int count_lines_of(const char *log, const char *port)
{
	int n = 0;

	for (const char *line = log; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		n += !strncmp(line, port, strlen(port));
	}
	return n;
}

TEST_F_EACH(probe, refuses_a_second_port_on_an_adapter, struct second, seconds)
{
	const struct devx_dev *dev = &devx_eth_port_get(&rte_eth_devices[self->rig.port])->dev;
	struct devx_emu_counters then = port_rig_get_counters(&self->rig);
	const char *log;
	char args[64];

	snprintf(args, sizeof(args), "%s%s", row->key,
		 strcmp(row->key, "pci=") ? dev->ibdev : dev->pci + row->skip);
	EXPECT_EQ(-EBUSY, port_rig_init_vdev("net_devx1", args));
	log = port_rig_read_log();
	EXPECT_SUBSTR("port net_devx0", log);
	EXPECT_EQ(1, count_lines_of(log, "net_devx1"));
	EXPECT_EQ(1, rte_eth_dev_count_avail());
	port_rig_expect_objects(&self->rig, &then);
}

TEST_F(probe, accepts_an_adapter_whose_port_was_removed)
{
	port_rig_remove_port(&self->rig);
	ASSERT_EQ(0, port_rig_init_vdev("net_devx1", "ibdev=mlx5_0"));
	EXPECT_NE(0, port_rig_init_vdev("net_devx0", "ibdev=mlx5_0"));
	EXPECT_SUBSTR("port net_devx1", port_rig_read_log());
	EXPECT_EQ(0, rte_vdev_uninit("net_devx1"));
	port_rig_add_port(&self->rig);
}

/* EAL reports memory that ethdev frees, and that it did not allocate itself. */
TEST_F(probe, removal_says_nothing)
{
	for (int i = 0; i < 2; i++) {
		port_rig_read_log();
		port_rig_remove_port(&self->rig);
		EXPECT_STREQ("", port_rig_read_log());
		port_rig_add_port(&self->rig);
	}
}
