/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <netlink/route/link.h>
#include <netlink/route/link/sriov.h>

#include "ct.h"
#include "devx/core/sysfs.h"
#include "devx/netdev/netdev_trust.h"

static const struct address {
	const char *name;
	const char *in;
	const char *want; /* NULL: @in is not a PCI address */
} addresses[] = {
	{ "short", "08:00.0", "0000:08:00.0" },
	{ "full", "0001:af:1f.7", "0001:af:1f.7" },
	{ "upper_case", "0000:AF:00.1", "0000:af:00.1" },
	{ "name_of_a_device", "mlx5_0", NULL },
	{ "missing_function", "0000:08:00", NULL },
	{ "trailing_text", "0000:08:00.0x", NULL },
	{ "empty", "", NULL },
};

TEST_EACH(pci, normalise_takes_addresses_only, struct address, addresses)
{
	char pci[16] = "";

	EXPECT_EQ(row->want != NULL, devx_pci_normalise(row->in, pci, sizeof(pci)));
	if (row->want)
		EXPECT_STREQ(row->want, pci);
}

/* A temporary folder that plays /sys/class/infiniband/mlx5_0. */
FIXTURE(sysfs)
{
	char root[64];
};

static void write_attr(const char *root, const char *path, const char *text)
{
	char full[512];
	FILE *f;

	snprintf(full, sizeof(full), "%s/%s", root, path);
	for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(full, 0700);
		*slash = '/';
	}
	if (!text)
		return;
	f = fopen(full, "w");
	if (f) {
		fputs(text, f);
		fclose(f);
	}
}

FIXTURE_SETUP(sysfs)
{
	snprintf(self->root, sizeof(self->root), "/tmp/devx-sysfs-XXXXXX");
	ASSERT_TRUE(mkdtemp(self->root));
}

FIXTURE_TEARDOWN(sysfs)
{
	char cmd[128];

	snprintf(cmd, sizeof(cmd), "rm -r '%s'", self->root);
	EXPECT_EQ(0, system(cmd));
}

TEST_F(sysfs, pci_address_is_read_from_uevent)
{
	char pci[16];

	write_attr(self->root, "device/uevent",
		   "DRIVER=mlx5_core\nPCI_SLOT_NAME=0000:08:00.1\nMODALIAS=x\n");
	devx_sysfs_read_pci(self->root, pci, sizeof(pci));
	EXPECT_STREQ("0000:08:00.1", pci);
}

TEST_F(sysfs, pci_address_of_other_devices_is_empty)
{
	char pci[16] = "left over";

	devx_sysfs_read_pci(self->root, pci, sizeof(pci));
	EXPECT_STREQ("", pci);
	write_attr(self->root, "device/uevent", "DRIVER=mlx5_core\nPCI_SLOT_NAME=auxiliary\n");
	devx_sysfs_read_pci(self->root, pci, sizeof(pci));
	EXPECT_STREQ("", pci);
}

TEST_F(sysfs, netdev_of_the_first_port_is_found)
{
	char netdev[16];

	devx_sysfs_read_netdev(self->root, netdev, sizeof(netdev));
	EXPECT_STREQ("", netdev);
	write_attr(self->root, "device/net/eth9/dev_port", "1\n");
	devx_sysfs_read_netdev(self->root, netdev, sizeof(netdev));
	EXPECT_STREQ("", netdev);
	write_attr(self->root, "device/net/ens1f0np0/dev_port", "0\n");
	devx_sysfs_read_netdev(self->root, netdev, sizeof(netdev));
	EXPECT_STREQ("ens1f0np0", netdev);
}

TEST_F(sysfs, netdev_without_dev_port_is_found)
{
	char netdev[16];

	write_attr(self->root, "device/net/eth0/", NULL);
	devx_sysfs_read_netdev(self->root, netdev, sizeof(netdev));
	EXPECT_STREQ("eth0", netdev);
}

TEST_F(sysfs, unknown_numa_node_is_minus_one)
{
	EXPECT_EQ(-1, devx_sysfs_read_numa_node(self->root));
	write_attr(self->root, "device/numa_node", "-1\n");
	EXPECT_EQ(-1, devx_sysfs_read_numa_node(self->root));
	write_attr(self->root, "device/numa_node", "1\n");
	EXPECT_EQ(1, devx_sysfs_read_numa_node(self->root));
}

/* A sub-function has no file numa_node; its parent, the PCI function, has. */
TEST_F(sysfs, sub_function_is_on_the_node_of_its_parent)
{
	char path[128], name[16];

	devx_sysfs_read_parent(self->root, name, sizeof(name));
	EXPECT_STREQ("", name);
	write_attr(self->root, "0000:08:00.0/mlx5_core.sf.4/uevent", "DRIVER=mlx5_core.sf\n");
	write_attr(self->root, "0000:08:00.0/numa_node", "3\n");
	snprintf(path, sizeof(path), "%s/device", self->root);
	ASSERT_EQ(0, symlink("./0000:08:00.0/mlx5_core.sf.4", path));
	EXPECT_EQ(3, devx_sysfs_read_numa_node(self->root));
	devx_sysfs_read_parent(self->root, name, sizeof(name));
	EXPECT_STREQ("mlx5_core.sf.4", name);
	devx_sysfs_read_parent(self->root, name, sizeof("mlx5_core.sf.4") - 1);
	EXPECT_STREQ("", name); /* no room */
	write_attr(self->root, "device/numa_node", "1\n");
	EXPECT_EQ(1, devx_sysfs_read_numa_node(self->root));
}

static const struct function {
	const char *name, *id;
	bool physfn, is_vf;
} functions[] = {
	{ "ConnectX_6_Dx", "0x101d\n", false, false },
	{ "VF_in_a_virtual_machine", "0x101e\n", false, true },
	{ "VF_of_BlueField", "0xa2d3\n", false, true },
	{ "VF_of_an_unknown_generation", "0x1fff\n", true, true },
	{ "unreadable", "\n", false, false },
};

TEST_F_EACH(sysfs, virtual_function_is_recognized, struct function, functions)
{
	write_attr(self->root, "device/device", row->id);
	if (row->physfn)
		write_attr(self->root, "device/physfn/", NULL);
	EXPECT_EQ(row->is_vf, devx_sysfs_is_vf(self->root));
}

/* ---- the physical function of a VF ---------------------------------------------------------- */

/* Makes VF @own of a physical function with three VFs and the netdev pf0. */
static void make_physfn(const char *root, unsigned own)
{
	char to[600], from[600];

	write_attr(root, "device/device", "0x101e\n");
	write_attr(root, "device/physfn/net/pf0/", NULL);
	write_attr(root, "other/", NULL);
	for (unsigned i = 0; i < 3; i++) {
		snprintf(to, sizeof(to), "%s/%s", root, i == own ? "device" : "other");
		snprintf(from, sizeof(from), "%s/device/physfn/virtfn%u", root, i);
		ASSERT_EQ(0, symlink(to, from));
	}
}

TEST_F(sysfs, virtual_function_finds_its_place)
{
	struct devx_netdev_physfn physfn = { 0 };

	make_physfn(self->root, 2);
	ASSERT_TRUE(devx_sysfs_read_physfn(self->root, 0, &physfn));
	EXPECT_STREQ("pf0", physfn.netdev);
	EXPECT_EQ(2, physfn.vf);
	EXPECT_FALSE(devx_sysfs_read_physfn(self->root, 1, &physfn));
}

TEST_F(sysfs, virtual_function_without_a_place_has_no_physfn)
{
	struct devx_netdev_physfn physfn;

	EXPECT_FALSE(devx_sysfs_read_physfn(self->root, 0, &physfn));
	make_physfn(self->root, 3);
	EXPECT_FALSE(devx_sysfs_read_physfn(self->root, 0, &physfn));
}

static const struct trust {
	const char *name;
	bool has_vf, has_trust;
	uint32_t on;
	enum devx_netdev_trust want;
} trusts[] = {
	{ "on", true, true, 1, DEVX_NETDEV_TRUST_ON },
	{ "off", true, true, 0, DEVX_NETDEV_TRUST_OFF },
	{ "not_reported", true, false, 0, DEVX_NETDEV_TRUST_UNKNOWN },
	{ "no_such_VF", false, false, 0, DEVX_NETDEV_TRUST_UNKNOWN },
};

TEST_F_EACH(sysfs, trust_is_read_from_the_link_of_the_physical_function, struct trust, trusts)
{
	enum { NUMBER = 5 };
	struct rtnl_link *link = rtnl_link_alloc();
	struct rtnl_link_vf *vf = rtnl_link_vf_alloc();

	rtnl_link_vf_set_index(vf, row->has_vf ? NUMBER : NUMBER + 1);
	if (row->has_trust)
		rtnl_link_vf_set_trust(vf, row->on);
	ASSERT_EQ(0, rtnl_link_vf_add(link, vf));
	EXPECT_EQ(row->want, devx_netdev_read_trust(link, NUMBER));
	rtnl_link_vf_put(vf);
	rtnl_link_put(link);
}
