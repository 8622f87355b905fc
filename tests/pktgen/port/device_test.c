/* SPDX-License-Identifier: BSD-3-Clause */
#include "port/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ct.h"

enum { PATH_BYTES = 256 };

static char root[] = "/tmp/pktgen_sysfs.XXXXXX";

/* Writes a file of sysfs below @root, and makes its folders. */
static void write_file(const char *name, const char *text)
{
	char path[PATH_BYTES];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	for (char *at = path + strlen(root) + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		mkdir(path, 0700);
		*at = '/';
	}
	f = fopen(path, "w");
	ASSERT_TRUE(f != NULL);
	fputs(text, f);
	fclose(f);
}

static const struct node_case {
	const char *name, *device;
	int node;
} nodes[] = {
	{ "pci_address", "0000:05:00.1", 3 },
	{ "short_pci_address", "05:00.1", 3 },
	{ "bus_and_arguments", "pci:05:00.1,driver=net_devx,ibdev=mlx5_4", 3 },
	{ "pci_address_without_node", "0000:06:00.0", -1 },
	{ "pci_address_without_device", "0000:07:00.0", -1 },
	{ "rdma_device", "net_devx0,ibdev=mlx5_4", 5 },
	{ "rdma_device_among_other_arguments", "net_devx0,inline=5,ibdev=mlx5_4,iface=eth9", 5 },
	{ "netdev", "net_af_packet0,iface=eth9,qpairs=2", 6 },
	{ "rdma_device_that_is_unknown", "net_devx0,ibdev=mlx5_5", -1 },
	{ "argument_without_value", "net_devx0,ibdev=", -1 },
	{ "argument_with_a_path", "net_devx0,ibdev=../infiniband/mlx5_4", -1 },
	{ "longer_key", "net_devx0,ibdevs=mlx5_4", -1 },
	{ "no_device", "net_ring0", -1 },
};

TEST(device_read_node, finds_the_node_of_each_kind_of_device)
{
	char command[PATH_BYTES];

	ASSERT_TRUE(mkdtemp(root) != NULL);
	setenv("SYSFS_PATH", root, 1);
	write_file("bus/pci/devices/0000:05:00.1/numa_node", "3\n");
	write_file("bus/pci/devices/0000:06:00.0/numa_node", "none\n");
	write_file("class/infiniband/mlx5_4/device/numa_node", "5\n");
	write_file("class/net/eth9/device/numa_node", "6\n");
	FOR_EACH_ROW (row, nodes)
		EXPECT_EQ(row->node, device_read_node(row->device));
	unsetenv("SYSFS_PATH");
	snprintf(command, sizeof(command), "rm -r %s", root);
	EXPECT_EQ(0, system(command));
}
