/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "ct.h"
#include "devx/cmd.h"
#include "devx/netdev.h"
#include "devx_rig.h"
#include "faults.h"
#include "needs_emu.h"
#include "prm/prm.h"

FIXTURE(dev) {
	struct devx_dev dev;
	char line[DEVX_TEXT_BYTES];
};

FIXTURE_SETUP(dev)
{
}

FIXTURE_TEARDOWN(dev)
{
	devx_dev_close(&self->dev);
}

TEST_F(dev, opens_by_name)
{
	ASSERT_EQ(0, devx_dev_open(&self->dev, devx_rig_get_ibdev()));
	EXPECT_STREQ(devx_rig_get_ibdev(), self->dev.ibdev);
	EXPECT_NE(0, self->dev.pdn);
	EXPECT_STRNE("", self->dev.fw_version);
}

TEST_F(dev, opens_by_pci_address_long_and_short)
{
	struct devx_dev by_pci = {0}, by_short = {0};

	ASSERT_EQ(0, devx_dev_open(&self->dev, devx_rig_get_ibdev()));
	EXPECT_STRNE("", self->dev.pci);
	ASSERT_EQ(0, devx_dev_open(&by_pci, self->dev.pci));
	EXPECT_STREQ(self->dev.ibdev, by_pci.ibdev);
	devx_dev_close(&by_pci);
	if (strncmp(self->dev.pci, "0000:", 5))
		return;
	ASSERT_EQ(0, devx_dev_open(&by_short, self->dev.pci + 5));
	EXPECT_STREQ(self->dev.ibdev, by_short.ibdev);
	devx_dev_close(&by_short);
}

TEST_F(dev, opens_twice)
{
	struct devx_dev again = {0};

	ASSERT_EQ(0, devx_dev_open(&self->dev, devx_rig_get_ibdev()));
	ASSERT_EQ(0, devx_dev_open(&again, devx_rig_get_ibdev()));
	devx_dev_close(&again);
}

static void expect_only_a_reason(struct devx_dev *dev, int rc)
{
	static const struct devx_dev zero;

	EXPECT_EQ(rc, dev->refusal.rc);
	dev->refusal = zero.refusal;
	EXPECT_MEMEQ(&zero, dev, sizeof(zero));
}

TEST_F(dev, unknown_name_lists_what_is_there)
{
	char there[256];

	ASSERT_LE(1, devx_dev_list(there, sizeof(there)));
	ASSERT_EQ(-ENOENT, devx_dev_open(&self->dev, "mlx5_77"));
	devx_strerror(&self->dev, -ENOENT, self->line, sizeof(self->line));
	EXPECT_SUBSTR("mlx5_77", self->line);
	EXPECT_SUBSTR(there, self->line);
	expect_only_a_reason(&self->dev, -ENOENT);
}

TEST_F(dev, unknown_pci_address_lists_what_is_there)
{
	ASSERT_EQ(-ENOENT, devx_dev_open(&self->dev, "ffff:ff:1f.7"));
	EXPECT_SUBSTR(devx_rig_get_ibdev(),
		      devx_strerror(&self->dev, -ENOENT, self->line, sizeof(self->line)));
}

static const struct bad_name { const char *name; const char *dev; } bad_names[] = {
	{ "null", NULL },
	{ "empty", "" },
	{ "too_long", "mlx5_0000000000000000000000000000000000000000000000000000000000000" },
};

TEST_F_EACH(dev, refuses_what_is_no_name, struct bad_name, bad_names)
{
	ASSERT_EQ(-EINVAL, devx_dev_open(&self->dev, row->dev));
	EXPECT_SUBSTR("mlx5_0", devx_strerror(&self->dev, -EINVAL, self->line, sizeof(self->line)));
	expect_only_a_reason(&self->dev, -EINVAL);
}

static const struct denial { const char *name; int how; int rc; const char *says; } denials[] = {
	{ "eperm", EPERM, -EPERM, "no right" },
	{ "eacces", EACCES, -EACCES, "no right" },
	{ "no_devx_in_the_kernel", EOPNOTSUPP, -ENOTSUP, "has no DEVX" },
	{ "no_devx_in_firmware", EINVAL, -ENOTSUP, "has no DEVX" },
	{ "anything_else", EIO, -EIO, "cannot open" },
};

/* All ioctls fail, since libmlx5 asks up to three times, with requests of three lengths. */
TEST_F_EACH(dev, says_why_it_cannot_be_opened, struct denial, denials)
{
	int rc;

	faults_ioctl(row->how);
	rc = devx_dev_open(&self->dev, devx_rig_get_ibdev());
	faults_ioctl(0);
	EXPECT_EQ(row->rc, rc);
	EXPECT_SUBSTR(row->says, devx_strerror(&self->dev, rc, self->line, sizeof(self->line)));
	expect_only_a_reason(&self->dev, rc);
}

TEST_F(dev, list_is_cut_to_the_buffer)
{
	char there[4];

	EXPECT_LE(1, devx_dev_list(there, sizeof(there)));
	EXPECT_EQ(3, strlen(there));
}

TEST_F(dev, capabilities_are_those_of_an_ethernet_adapter)
{
	const struct devx_caps *caps = &self->dev.caps;

	ASSERT_EQ(0, devx_dev_open(&self->dev, devx_rig_get_ibdev()));
	EXPECT_LE(5, caps->log_max_cq_sz);
	EXPECT_LE(5, caps->log_max_wq_sz);
	EXPECT_LE(192, caps->max_wqe_sz_sq);
	EXPECT_LE(16, caps->max_wqe_sz_rq);
	EXPECT_LE(caps->sq_ts_format, DEVX_TS_CAP_BOTH);
	EXPECT_LE(caps->wqe_inline_mode, DEVX_INLINE_CAP_NONE);
	EXPECT_EQ(1, caps->num_ports);
	EXPECT_TRUE(caps->rx_tables);
	EXPECT_TRUE(caps->rx_user_rules);
	EXPECT_TRUE(caps->match_dmac);
}

TEST_F(dev, refusal_names_command_status_and_object)
{
	struct prm_query_q_counter_in in = {0};
	struct prm_query_q_counter_out out = {0};

	ASSERT_EQ(0, devx_dev_open(&self->dev, devx_rig_get_ibdev()));
	prm_set(&in, opcode, PRM_OP_create_cq); /* not among the commands without an object */
	EXPECT_EQ(-EINVAL, devx_cmd_general(&self->dev, &in, sizeof(in), &out, sizeof(out)));
	EXPECT_EQ(PRM_OP_create_cq, self->dev.refusal.opcode);
	EXPECT_STREQ("the kernel did not carry out CREATE_CQ: Invalid argument",
		     devx_strerror(&self->dev, -EINVAL, self->line, sizeof(self->line)));
}

TEST_F(dev, firmware_refusal_is_kept)
{
	enum { LIM_ERR = 8 };
	const struct devx_emu_ctl *emu = emu_if_any();
	struct devx_td td = {0};

	NEEDS_EMU("to let a command fail");
	ASSERT_EQ(0, devx_dev_open(&self->dev, devx_rig_get_ibdev()));
	emu->fail(DEVX_EMU_FAIL_COMMAND, 0, LIM_ERR);
	EXPECT_EQ(-EREMOTEIO, devx_td_create(&td, &self->dev));
	emu->fail(DEVX_EMU_FAIL_COMMAND, -1, 0);
	EXPECT_EQ(PRM_OP_alloc_transport_domain, self->dev.refusal.opcode);
	EXPECT_EQ(LIM_ERR, self->dev.refusal.status);
	EXPECT_SUBSTR("firmware refused ALLOC_TRANSPORT_DOMAIN: LIM_ERR (8), syndrome 0x",
		      devx_strerror(&self->dev, -EREMOTEIO, self->line, sizeof(self->line)));
}

TEST_F(dev, port_has_an_address_and_a_size)
{
	static const uint8_t none[DEVX_PORT_MAC_BYTES];
	struct devx_port port = {0};
	bool up = false;

	ASSERT_EQ(0, devx_dev_open(&self->dev, devx_rig_get_ibdev()));
	ASSERT_EQ(0, devx_port_query(&self->dev, &port));
	EXPECT_NE(0, memcmp(none, port.mac, sizeof(none)));
	EXPECT_EQ(0, port.mac[0] & 1);
	EXPECT_LE(68, port.mtu);
	EXPECT_EQ(port.mtu + DEVX_PORT_HARD_MTU, port.frame_bytes);
	EXPECT_EQ(0, devx_port_query_link(&self->dev, &up));
	EXPECT_EQ(port.up, up);
	EXPECT_LT(0, port.speed_mbps);
}

TEST_F(dev, without_a_netdev_nothing_of_it_can_be_had)
{
	static const uint8_t mac[DEVX_NETDEV_MAC_BYTES] = { 2, 0, 0, 0, 0, 1 };
	struct devx_netdev netdev;

	ASSERT_EQ(0, devx_dev_open(&self->dev, devx_rig_get_ibdev()));
	self->dev.netdev[0] = '\0';
	EXPECT_EQ(-ENODEV, devx_netdev_get(&self->dev, &netdev));
	EXPECT_EQ(-ENODEV, devx_netdev_set_mac(&self->dev, mac));
	EXPECT_EQ(-ENODEV, devx_netdev_set_mtu(&self->dev, 1500));
	EXPECT_EQ(-ENODEV, devx_netdev_set_promisc(&self->dev, true));
	EXPECT_EQ(-ENODEV, devx_netdev_set_allmulti(&self->dev, true));
	EXPECT_EQ(-ENODEV, devx_netdev_set_up(&self->dev, true));
	EXPECT_SUBSTR(self->dev.ibdev,
		      devx_strerror(&self->dev, -ENODEV, self->line, sizeof(self->line)));
}

TEST_F(dev, netdev_that_has_gone_is_no_device)
{
	struct devx_netdev netdev;

	ASSERT_EQ(0, devx_dev_open(&self->dev, devx_rig_get_ibdev()));
	snprintf(self->dev.netdev, sizeof(self->dev.netdev), "devx-gone");
	EXPECT_EQ(-ENODEV, devx_netdev_get(&self->dev, &netdev));
	EXPECT_EQ(-ENODEV, devx_netdev_set_mtu(&self->dev, 1500));
	EXPECT_SUBSTR("devx-gone",
		      devx_strerror(&self->dev, -ENODEV, self->line, sizeof(self->line)));
}
