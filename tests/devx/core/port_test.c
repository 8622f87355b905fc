/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "ct.h"
#include "devx/netdev.h"
#include "devx_rig.h"
#include "needs_emu.h"

/* Port of an open device (port.c), and refusals for a device without a netdev (netdev.c). */

FIXTURE(port)
{
	struct devx_dev dev;
};

FIXTURE_SETUP(port)
{
	ASSERT_EQ(0, devx_dev_open(&self->dev, devx_rig_get_ibdev()));
}

FIXTURE_TEARDOWN(port)
{
	devx_dev_close(&self->dev);
}

TEST_F(port, query_reads_address_mtu_link_and_speed)
{
	static const uint8_t none[DEVX_PORT_MAC_BYTES];
	struct devx_port port = { 0 };
	bool ethernet = false;
	uint32_t mbps = 0;
	bool up = false;

	ASSERT_EQ(0, devx_port_query(&self->dev, &port));
	EXPECT_NE(0, memcmp(none, port.mac, sizeof(none)));
	EXPECT_EQ(0, port.mac[0] & 1);
	EXPECT_LE(68, port.mtu);
	EXPECT_EQ(port.mtu + DEVX_PORT_HARD_MTU, port.frame_bytes);
	EXPECT_EQ(0, devx_port_query_link(&self->dev, &up));
	EXPECT_EQ(port.up, up);
	EXPECT_LT(0, port.speed_mbps);
	EXPECT_EQ(0, devx_port_query_speed(&self->dev, &mbps));
	EXPECT_EQ(0, devx_port_query_ethernet(&self->dev, &ethernet));
	EXPECT_TRUE(ethernet);
	EXPECT_EQ(port.speed_mbps, mbps);
}

/* A refused command of row->option, or caps.eth_virt 0. */
static const struct refused {
	const char *name, *option;
	bool context, state; /* firmware tells it */
} refused[] = {
	{ "context", "query_nic_vport", false, true },
	{ "state", "query_vport_state", true, false },
	{ "capability", NULL, false, true },
};

TEST_F_EACH(port, query_goes_on_without_an_answer_of_firmware, struct refused, refused)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	struct devx_port known, got;
	bool up = false;

	NEEDS_EMU("to refuse a command");
	ASSERT_EQ(0, devx_port_query(&self->dev, &known));
	if (row->option)
		EXPECT_EQ(1, emu->option(row->option, 0));
	else
		self->dev.caps.eth_virt = false;
	EXPECT_EQ(0, devx_port_query(&self->dev, &got));
	EXPECT_EQ(row->state ? 0 : -EREMOTEIO, devx_port_query_link(&self->dev, &up));
	if (row->option)
		EXPECT_EQ(0, emu->option(row->option, 1));
	EXPECT_MEMEQ(known.mac, got.mac, sizeof(got.mac));
	EXPECT_EQ(row->context ? known.mtu : 0, got.mtu);
	EXPECT_EQ(row->context ? known.frame_bytes : 0, got.frame_bytes);
	EXPECT_EQ(known.up, got.up);
	EXPECT_EQ(known.speed_mbps, got.speed_mbps);
}

TEST_F(port, carrier_is_the_link_of_verbs)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	bool up = false;

	NEEDS_EMU("to change the link");
	EXPECT_EQ(0, devx_port_query_carrier(&self->dev, &up));
	EXPECT_TRUE(up);
	EXPECT_EQ(0, emu->inject(0, DEVX_EMU_INJECT_LINK_DOWN, 0));
	EXPECT_EQ(0, devx_port_query_carrier(&self->dev, &up));
	EXPECT_FALSE(up);
	EXPECT_EQ(0, emu->inject(0, DEVX_EMU_INJECT_LINK_UP, 0));
}

TEST_F(port, netdev_functions_refuse_a_device_without_netdev)
{
	static const uint8_t mac[DEVX_NETDEV_MAC_BYTES] = { 2, 0, 0, 0, 0, 1 };
	struct devx_netdev netdev;

	self->dev.netdev[0] = '\0';
	EXPECT_EQ(-ENODEV, devx_netdev_get(&self->dev, &netdev));
	EXPECT_EQ(-ENODEV, devx_netdev_set_mac(&self->dev, mac));
	EXPECT_EQ(-ENODEV, devx_netdev_set_mtu(&self->dev, 1500));
	EXPECT_EQ(-ENODEV, devx_netdev_set_promisc(&self->dev, true));
	EXPECT_EQ(-ENODEV, devx_netdev_set_allmulti(&self->dev, true));
	devx_rig_expect_error(&self->dev, -ENODEV, self->dev.ibdev,
			      devx_netdev_set_up(&self->dev, true));
}

TEST_F(port, netdev_functions_refuse_a_removed_netdev)
{
	struct devx_netdev netdev;

	snprintf(self->dev.netdev, sizeof(self->dev.netdev), "devx-gone");
	EXPECT_EQ(-ENODEV, devx_netdev_get(&self->dev, &netdev));
	devx_rig_expect_error(&self->dev, -ENODEV, "devx-gone",
			      devx_netdev_set_mtu(&self->dev, 1500));
}
