/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include <rte_bus_vdev.h>

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
	{ "none", "", "no adapter named" },
	{ "two", "ibdev=mlx5_0,pci=0000:08:00.0", "two adapters for one port" },
	{ "twice", "ibdev=mlx5_0,ibdev=mlx5_0", "two adapters for one port" },
	{ "unknown_key", "ibdev=mlx5_0,mac=1", "known are ibdev=" },
	{ "unknown_device", "ibdev=mlx5_9", "mlx5_0" },
	{ "unknown_address", "pci=0000:ff:00.0", "mlx5_0" },
	{ "no_address", "pci=banana", "banana" },
	{ "empty", "ibdev=", "net_devx1" },
};

TEST_F_EACH(probe, refuses_arguments, struct bad_args, bad_args)
{
	port_rig_read_log();
	EXPECT_NE(0, rte_vdev_init("net_devx1", row->args));
	EXPECT_SUBSTR(row->says, port_rig_read_log());
	EXPECT_EQ(1, rte_eth_dev_count_avail());
}

TEST_F(probe, describes_itself)
{
	struct rte_eth_dev_info info;
	char fw[64], small[2];

	ASSERT_EQ(0, rte_eth_dev_info_get(self->rig.port, &info));
	EXPECT_STREQ("net_devx", info.driver_name);
	EXPECT_EQ(RTE_ETHER_MIN_MTU, info.min_mtu);
	if (self->rig.has_netdev)
		EXPECT_LT(9000, info.max_mtu); /* and the netdev may say no */
	else
		EXPECT_EQ(1500, info.max_mtu);
	EXPECT_EQ(0, 0xeu & ~info.rx_offload_capa); /* what l3fwd asks for */
	EXPECT_TRUE(info.tx_offload_capa & RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE);
	ASSERT_EQ(0, rte_eth_dev_fw_version_get(self->rig.port, fw, sizeof(fw)));
	EXPECT_NE(NULL, strchr(fw, '.'));
	EXPECT_EQ((int)strlen(fw) + 1, rte_eth_dev_fw_version_get(self->rig.port, small, 2));
	EXPECT_LT(3, rte_eth_dev_get_supported_ptypes(self->rig.port, RTE_PTYPE_ALL_MASK, NULL, 0));
}

TEST_F(probe, two_ports_may_share_an_adapter)
{
	ASSERT_EQ(0, rte_vdev_init("net_devx1", "ibdev=mlx5_0"));
	EXPECT_EQ(2, rte_eth_dev_count_avail());
	EXPECT_EQ(0, rte_vdev_uninit("net_devx1"));
}
