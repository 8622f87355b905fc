/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include <rte_bus_vdev.h>

#include "port_rig.h"

/* Firmware that hides its vport from users, on a port without a netdev. */

enum { N_OPTIONS = 3, SPEED = 100000, LOST_MTU = 1500 };

static const char *const options[N_OPTIONS] = { "eth_virt", "query_nic_vport",
						"query_vport_state" };

FIXTURE(vport_refused)
{
	struct port_rig rig;
	bool changed;
};
FIXTURE_SETUP(vport_refused)
{
	port_rig_probe(&self->rig);
	NEEDS_EMU("to refuse commands");
	if (self->rig.has_netdev)
		SKIP("the port has a network interface, which knows its values");
	port_rig_remove_port(&self->rig);
	self->changed = true;
}
FIXTURE_TEARDOWN(vport_refused)
{
	for (int i = 0; self->changed && i < N_OPTIONS; i++)
		self->rig.emu->option(options[i], 1);
	if (self->rig.pool)
		port_rig_down(&self->rig);
}

static const struct refused {
	const char *name;
	uint32_t value[N_OPTIONS]; /* values of options[] */
	bool context, state;       /* known to the driver */
} refused[] = {
	{ "nothing", { 1, 1, 1 }, true, true },     { "context", { 1, 0, 1 }, false, true },
	{ "capability", { 0, 1, 1 }, false, true }, { "state", { 1, 1, 0 }, true, false },
	{ "both", { 1, 0, 0 }, false, false },
};

/* Expects that probe names what the driver does not know, and nothing else. */
static void expect_notices(const struct refused *row)
{
	static const char head[] =
		"net_devx0 (mlx5_0): port: no network interface, and firmware hides";
	char context[256], state[256];
	const char *log;

	snprintf(context, sizeof(context),
		 "%s MAC address, MTU and modes from users; the address is that of the node GUID, "
		 "the MTU %u\n",
		 head, LOST_MTU);
	snprintf(state, sizeof(state), "%s the link state from users; verbs report it\n", head);
	port_rig_read_log();
	ASSERT_EQ(0, port_rig_init_vdev("net_devx0", "ibdev=mlx5_0"));
	log = port_rig_read_log();
	EXPECT_EQ(0, rte_vdev_uninit("net_devx0"));
	EXPECT_EQ(!row->context, strstr(log, context) != NULL);
	EXPECT_EQ(!row->state, strstr(log, state) != NULL);
	if (row->context && row->state)
		EXPECT_EQ(NULL, strstr(log, "hides"));
}

static bool is_link(const struct port_rig *rig, void *up)
{
	struct rte_eth_link link;

	EXPECT_EQ(0, rte_eth_link_get_nowait(rig->port, &link));
	EXPECT_EQ(link.link_status ? SPEED : RTE_ETH_SPEED_NUM_NONE, link.link_speed);
	return link.link_status == *(const bool *)up;
}

static void expect_link(const struct port_rig *rig, enum devx_emu_inject what, bool up)
{
	EXPECT_EQ(0, rig->emu->inject(0, what, 0));
	EXPECT_TRUE(port_rig_wait_until(is_link, rig, &up));
}

/* Without the context, nobody says that the port takes frames to every address. */
static void expect_modes(const struct port_rig *rig, bool known)
{
	EXPECT_EQ(known ? 0 : -ENOTSUP, rte_eth_promiscuous_enable(rig->port));
	EXPECT_EQ(known ? 0 : -ENOTSUP, rte_eth_allmulticast_enable(rig->port));
	EXPECT_EQ(0, rte_eth_promiscuous_disable(rig->port));
	EXPECT_EQ(0, rte_eth_allmulticast_disable(rig->port));
}

TEST_F_EACH(vport_refused, port_starts_and_exchanges_packets, struct refused, refused)
{
	const struct rte_ether_addr mac = self->rig.mac;
	struct rte_ether_addr got;
	uint16_t mtu;

	for (int i = 0; i < N_OPTIONS; i++)
		EXPECT_LE(0, self->rig.emu->option(options[i], row->value[i]));
	expect_notices(row);
	port_rig_add_port(&self->rig);
	ASSERT_EQ(0, rte_eth_macaddr_get(self->rig.port, &got));
	EXPECT_MEMEQ(&mac, &got, sizeof(mac));
	ASSERT_EQ(0, rte_eth_dev_get_mtu(self->rig.port, &mtu));
	EXPECT_EQ(LOST_MTU, mtu);
	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ 0 }));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	port_rig_exchange_one(&self->rig, 1);
	expect_link(&self->rig, DEVX_EMU_INJECT_LINK_UP, true);
	expect_link(&self->rig, DEVX_EMU_INJECT_LINK_DOWN, false);
	expect_link(&self->rig, DEVX_EMU_INJECT_LINK_UP, true);
	port_rig_exchange_one(&self->rig, 2);
	expect_modes(&self->rig, row->context);
}
