/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The part of sysfs that libibverbs and DPDK read to find devices.
 *
 *     sys/bus/pci/devices/0000:c1:00.N/           what PCI says
 *     sys/class/infiniband/mlx5_N/                device -> the PCI function
 *     sys/class/infiniband_verbs/uverbsN/         ibdev, dev: the character device
 */
#include "sysfs.h"

#include <errno.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "emu/emu.h"
#include "exit.h"
#include "message.h"

#define PCI_ADDRESS "0000:c1:00.%u"

/** struct node - a directory being filled; the first error stays */
struct node {
	char path[512];
	int error;
};

static void enter(struct node *n, const char *root, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static void put(struct node *n, const char *name, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Makes root/fmt with all directories on the way. */
static void enter(struct node *n, const char *root, const char *fmt, ...)
{
	const size_t used = (size_t)snprintf(n->path, sizeof(n->path), "%s/", root);
	va_list args;

	va_start(args, fmt);
	vsnprintf(n->path + used, sizeof(n->path) - used, fmt, args);
	va_end(args);
	for (char *slash = n->path + used; !n->error; slash++) {
		slash = strchr(slash, '/');
		if (slash)
			*slash = '\0';
		if (mkdir(n->path, 0700) && errno != EEXIST)
			n->error = errno;
		if (!slash)
			break;
		*slash = '/';
	}
}

static void put(struct node *n, const char *name, const char *fmt, ...)
{
	char path[640];
	va_list args;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", n->path, name);
	f = n->error ? NULL : fopen(path, "w");
	if (!f) {
		n->error = n->error ? n->error : errno;
		return;
	}
	va_start(args, fmt);
	vfprintf(f, fmt, args);
	va_end(args);
	fputc('\n', f);
	if (fclose(f))
		n->error = errno;
}

static void point(struct node *n, const char *name, const char *target)
{
	char path[640];

	snprintf(path, sizeof(path), "%s/%s", n->path, name);
	if (!n->error && symlink(target, path))
		n->error = errno;
}

static void pci_function(struct node *n, const char *sys, const struct emu_shared *s, unsigned i)
{
	const uint16_t device = emu_model_find(s->profile)->device_id;
	char text[1024] = "";
	const char *ifname = s->port[i].ifname;

	enter(n, sys, "bus/pci/drivers/mlx5_core");
	enter(n, sys, "bus/pci/devices/" PCI_ADDRESS, i);
	put(n, "vendor", "0x15b3");
	put(n, "device", "0x%04x", device);
	put(n, "subsystem_vendor", "0x15b3");
	put(n, "subsystem_device", "0x0016");
	put(n, "class", "0x020000");
	put(n, "revision", "0x00");
	put(n, "numa_node", "0");
	put(n, "sriov_numvfs", "0");
	put(n, "sriov_totalvfs", "0");
	put(n, "max_link_speed", "16.0 GT/s PCIe");
	put(n, "modalias", "pci:v000015B3d%08Xsv000015B3sd00000016bc02sc00i00", device);
	put(n, "uevent",
	    "DRIVER=mlx5_core\nPCI_CLASS=20000\nPCI_ID=15B3:%04X\n"
	    "PCI_SUBSYS_ID=15B3:0016\nPCI_SLOT_NAME=" PCI_ADDRESS "\n"
	    "MODALIAS=pci:v000015B3d%08Xsv000015B3sd00000016bc02sc00i00",
	    device, i, device);
	for (unsigned bar = 0; bar < 13; bar++)
		strcat(text, bar ? "\n0x0000000000000000 0x0000000000000000 0x0000000000000000"
				 : "0x0000000000000000 0x0000000000000000 0x0000000000000000");
	put(n, "resource", "%s", text);
	point(n, "driver", "../../drivers/mlx5_core");
	/*
	 * A directory of our own: /sys/class/net may show another network namespace. What can
	 * change (MAC, MTU) is asked of the netdev itself, and is not in here.
	 */
	enter(n, sys, "bus/pci/devices/" PCI_ADDRESS "/net", i);
	if (!ifname[0])
		return;
	enter(n, sys, "bus/pci/devices/" PCI_ADDRESS "/net/%s", i, ifname);
	put(n, "dev_port", "0");
	put(n, "dev_id", "0x0");
	put(n, "ifindex", "%u", if_nametoindex(ifname));
}

/* As the kernel prints them: the GUID that firmware has for a MAC, in groups of 16 bits. */
static void guid(char *text, size_t bytes, const uint8_t *m)
{
	snprintf(text, bytes, "%02x%02x:%02xff:fe%02x:%02x%02x", m[0], m[1], m[2], m[3], m[4],
		 m[5]);
}

static void ib_port(struct node *n, const char *sys, unsigned i)
{
	enter(n, sys, "class/infiniband/mlx5_%u/ports/1", i);
	put(n, "state", "4: ACTIVE");
	put(n, "phys_state", "5: LinkUp");
	put(n, "rate", "100 Gb/sec (4X EDR)");
	put(n, "link_layer", "Ethernet");
	put(n, "lid", "0x0");
	put(n, "sm_lid", "0x0");
	put(n, "sm_sl", "0");
	put(n, "lid_mask_count", "0");
	put(n, "cap_mask", "0x00000000");
	enter(n, sys, "class/infiniband/mlx5_%u/ports/1/gids", i);
	enter(n, sys, "class/infiniband/mlx5_%u/ports/1/pkeys", i);
	put(n, "0", "0xffff");
}

static void ib_device(struct node *n, const char *sys, const struct emu_shared *s, unsigned i)
{
	const struct emu_model *model = emu_model_find(s->profile);
	char text[64];

	enter(n, sys, "class/infiniband/mlx5_%u", i);
	put(n, "node_type", "1: CA");
	guid(text, sizeof(text), s->port[i].mac);
	put(n, "node_guid", "%s", text);
	put(n, "sys_image_guid", "%s", text);
	put(n, "node_desc", "devx-emu");
	put(n, "fw_ver", "%u.%u.%04u", model->fw[0], model->fw[1], model->fw[2]);
	put(n, "hw_rev", "0");
	put(n, "hca_type", "MT%u", model->device_id);
	put(n, "board_id", "%s", model->board_id);
	snprintf(text, sizeof(text), "../../../bus/pci/devices/" PCI_ADDRESS, i);
	point(n, "device", text);
	ib_port(n, sys, i);

	enter(n, sys, "class/infiniband_verbs/uverbs%u", i);
	put(n, "ibdev", "mlx5_%u", i);
	put(n, "dev", "%u:%u", EMU_CDEV_MAJOR, EMU_CDEV_MINOR + i);
	put(n, "abi_version", "1");
	point(n, "device", text);
}

int emu_sysfs_make(const struct emu_app *app)
{
	struct node n = { .error = 0 };
	char sys[320];

	snprintf(sys, sizeof(sys), "%s/sys", app->dir);
	enter(&n, app->dir, "sys/class/infiniband_verbs");
	put(&n, "abi_version", "6");
	for (unsigned i = 0; i < app->shared->n_ports; i++) {
		pci_function(&n, sys, app->shared, i);
		ib_device(&n, sys, app->shared, i);
	}
	return n.error ? emu_fail(EMU_EXIT_ENVIRONMENT, "%s: %s", n.path, strerror(n.error)) : 0;
}
