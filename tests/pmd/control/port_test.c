/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include <rte_bus_vdev.h>

#include "devx/netdev.h"
#include "devx_port.h"
#include "port_rig.h"

FIXTURE(eth) { struct port_rig rig; };
FIXTURE_SETUP(eth) { port_rig_probe(&self->rig); }
FIXTURE_TEARDOWN(eth) { port_rig_down(&self->rig); }

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

TEST_F_EACH(eth, refuses_arguments, struct bad_args, bad_args)
{
	port_rig_read_log();
	EXPECT_NE(0, rte_vdev_init("net_devx1", row->args));
	EXPECT_SUBSTR(row->says, port_rig_read_log());
	EXPECT_EQ(1, rte_eth_dev_count_avail());
}

TEST_F(eth, describes_itself)
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

TEST_F(eth, two_ports_may_share_an_adapter)
{
	ASSERT_EQ(0, rte_vdev_init("net_devx1", "ibdev=mlx5_0"));
	EXPECT_EQ(2, rte_eth_dev_count_avail());
	EXPECT_EQ(0, rte_vdev_uninit("net_devx1"));
}

static const struct ring_size {
	const char *name;
	uint16_t n;
	bool good;
	uint16_t becomes;
} ring_sizes[] = {
	{ "3", 3, false, 0 },
	{ "63", 63, false, 0 },
	{ "64", 64, true, 64 },
	{ "1000", 1000, true, 1024 },
	{ "65535", UINT16_MAX, false, 0 },
};

TEST_F_EACH(eth, receive_ring_of, struct ring_size, ring_sizes)
{
	const struct port_rig_config config = { .n_rx_desc = row->n };
	struct rte_eth_rxq_info info;

	ASSERT_EQ(row->good ? 0 : -EINVAL, port_rig_configure(&self->rig, &config));
	if (!row->good) {
		EXPECT_SUBSTR("nb_rx_desc", port_rig_read_log());
		return;
	}
	ASSERT_EQ(0, rte_eth_rx_queue_info_get(self->rig.port, 0, &info));
	EXPECT_EQ(row->becomes, info.nb_desc);
	EXPECT_EQ(0, rte_eth_dev_start(self->rig.port));
}

TEST_F_EACH(eth, send_ring_of, struct ring_size, ring_sizes)
{
	const struct port_rig_config config = { .n_tx_desc = row->n };
	struct rte_eth_txq_info info;

	ASSERT_EQ(row->good ? 0 : -EINVAL, port_rig_configure(&self->rig, &config));
	if (!row->good) {
		EXPECT_SUBSTR("nb_tx_desc", port_rig_read_log());
		return;
	}
	ASSERT_EQ(0, rte_eth_tx_queue_info_get(self->rig.port, 0, &info));
	EXPECT_EQ(row->becomes, info.nb_desc);
	EXPECT_EQ(0, rte_eth_dev_start(self->rig.port));
}

TEST_F(eth, refuses_a_pool_whose_buffers_are_smaller_than_a_frame)
{
	struct rte_mempool *small = rte_pktmbuf_pool_create("small", 1023, 0, 0,
							    RTE_PKTMBUF_HEADROOM + 1517, 0);
	const struct rte_eth_conf conf = {0};

	ASSERT_NE(NULL, small);
	EXPECT_EQ(0, rte_eth_dev_configure(self->rig.port, 1, 1, &conf));
	EXPECT_EQ(-EINVAL, rte_eth_rx_queue_setup(self->rig.port, 0, 256, 0, NULL, small));
	EXPECT_SUBSTR("holds 1517 bytes behind its headroom, a frame of MTU 1500 has up to 1518",
		      port_rig_read_log());
	rte_mempool_free(small);
}

TEST_F(eth, refuses_a_pool_with_too_few_buffers)
{
	struct rte_mempool *few = rte_pktmbuf_pool_create("few", 100, 0, 0,
							  RTE_MBUF_DEFAULT_BUF_SIZE, 0);
	const struct rte_eth_conf conf = {0};
	struct devx_emu_counters then;

	ASSERT_NE(NULL, few);
	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){0}));
	then = port_rig_start_and_stop(&self->rig);
	ASSERT_EQ(0, rte_eth_dev_configure(self->rig.port, 1, 1, &conf));
	ASSERT_EQ(0, rte_eth_rx_queue_setup(self->rig.port, 0, 256, 0, NULL, few));
	ASSERT_EQ(0, rte_eth_tx_queue_setup(self->rig.port, 0, 256, 0, NULL));
	EXPECT_EQ(-ENOMEM, rte_eth_dev_start(self->rig.port));
	EXPECT_SUBSTR("pool few gave 100 buffers, the queue needs 256", port_rig_read_log());
	port_rig_expect_objects(&self->rig, &then);
	EXPECT_EQ(100, rte_mempool_avail_count(few));
	rte_mempool_free(few);
}

/* Without a netdev the port's own MTU is the largest. */
static const struct mtu {
	const char *name;
	uint16_t mtu;
	int rc, rc_of_netdev;
} mtus[] = {
	{ "67", 67, -EINVAL, -EINVAL },
	{ "68", 68, 0, 0 },
	{ "1500", 1500, 0, 0 },
	{ "1501", 1501, -EINVAL, 0 },
	{ "65535", 65535, -EINVAL, -EINVAL },
};

TEST_F_EACH(eth, MTU_of, struct mtu, mtus)
{
	const int rc = self->rig.has_netdev ? row->rc_of_netdev : row->rc;
	uint16_t mtu = 0;

	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){0}));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	EXPECT_EQ(rc, rte_eth_dev_set_mtu(self->rig.port, row->mtu));
	EXPECT_EQ(0, rte_eth_dev_get_mtu(self->rig.port, &mtu));
	EXPECT_EQ(rc ? 1500 : row->mtu, mtu);
	if (mtu != 1500)
		EXPECT_EQ(0, rte_eth_dev_set_mtu(self->rig.port, 1500));
}

static void
expect_no_other_mac(const struct port_rig *rig)
{
	struct rte_ether_addr mac = { { 2, 0, 0, 0, 0, 9 } }, same = rig->mac, now;

	EXPECT_EQ(-ENOTSUP, rte_eth_dev_default_mac_addr_set(rig->port, &mac));
	EXPECT_SUBSTR("no network interface", port_rig_read_log());
	EXPECT_EQ(0, rte_eth_dev_default_mac_addr_set(rig->port, &same));
	ASSERT_EQ(0, rte_eth_macaddr_get(rig->port, &now));
	EXPECT_MEMEQ(&same, &now, sizeof(now));
}

static void
expect_another_mac(struct port_rig *rig)
{
	struct rte_ether_addr mac = { { 2, 0, 0, 0, 0, 9 } }, was = rig->mac;

	EXPECT_EQ(0, rte_eth_dev_default_mac_addr_set(rig->port, &mac));
	rig->mac = mac;
	port_rig_exchange_one(rig, 1);
	rig->mac = was;
	EXPECT_EQ(0, rte_eth_dev_default_mac_addr_set(rig->port, &was));
	port_rig_exchange_one(rig, 2);
}

TEST_F(eth, a_MAC_address_is_changed_with_the_netdevs_or_not_at_all)
{
	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){0}));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	if (self->rig.has_netdev)
		expect_another_mac(&self->rig);
	else
		expect_no_other_mac(&self->rig);
}

static bool
has_link_status(const struct port_rig *rig, void *up)
{
	struct rte_eth_link link;

	return !rte_eth_link_get_nowait(rig->port, &link) && link.link_status == *(bool *)up;
}

TEST_F(eth, link_follows_the_port)
{
	struct devx_dev *dev = &devx_eth_port_get(&rte_eth_devices[self->rig.port])->dev;
	const struct devx_emu_ctl *emu = self->rig.emu;
	bool up = true, down = false;

	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){0}));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	EXPECT_TRUE(port_rig_wait_until(has_link_status, &self->rig, &up));
	EXPECT_EQ(0, emu ? emu->inject(0, DEVX_EMU_INJECT_LINK_DOWN, 0) :
			   devx_netdev_set_up(dev, false));
	EXPECT_TRUE(port_rig_wait_until(has_link_status, &self->rig, &down));
	EXPECT_EQ(0, emu ? emu->inject(0, DEVX_EMU_INJECT_LINK_UP, 0) :
			   devx_netdev_set_up(dev, true));
	EXPECT_TRUE(port_rig_wait_until(has_link_status, &self->rig, &up));
}

TEST_F(eth, a_hundred_starts_leave_nothing_behind)
{
	struct devx_emu_counters then;

	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){0}));
	then = port_rig_start_and_stop(&self->rig);
	for (int i = 0; i < 100; i++) {
		ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
		ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	}
	port_rig_expect_objects(&self->rig, &then);
}

TEST_F(eth, extended_statistics_have_names_of_their_own)
{
	struct rte_eth_xstat_name names[128];
	int n;

	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){0}));
	n = rte_eth_xstats_get_names(self->rig.port, names, RTE_DIM(names));
	ASSERT_LT(20, n);
	ASSERT_GE((int)RTE_DIM(names), n);
	for (int i = 0; i < n; i++)
		for (int k = 0; k < i; k++)
			EXPECT_STRNE(names[k].name, names[i].name);
}

TEST_F(eth, tells_its_burst_functions)
{
	struct rte_eth_burst_mode mode;

	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){
		.eth.txmode.offloads = RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE }));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	ASSERT_EQ(0, rte_eth_tx_burst_mode_get(self->rig.port, 0, &mode));
	EXPECT_STREQ("multi-packet WQE, pointers, fast free", mode.info);
	ASSERT_EQ(0, rte_eth_rx_burst_mode_get(self->rig.port, 0, &mode));
	EXPECT_STREQ("scalar, one memory key", mode.info);
}
