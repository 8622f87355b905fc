/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes a directory with the part of sysfs that programs read to find devices. As in Linux, a
 * directory for each device is below sys/devices, and all other places have links to it:
 *
 *     sys/devices/pci0000:c1/0000:c1:00.N/        the PCI function of port N
 *         infiniband/mlx5_N/                      device -> the PCI function
 *         infiniband_verbs/uverbsN/               ibdev, dev: the character device
 *     sys/bus/pci/devices/0000:c1:00.N            and sys/bus/pci/drivers/mlx5_core/0000:c1:00.N
 *     sys/class/infiniband/mlx5_N
 *     sys/class/infiniband_verbs/uverbsN          and sys/dev/char/231:192
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

/** struct node - the directory to fill now; after an error the functions below do nothing */
struct node {
	char path[512];
	int error; /* errno of the first error, or 0 */
};

static void make_dir(struct node *n, const char *root, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static void write_file(struct node *n, const char *name, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Makes the directory root/fmt and its parents, and fills it from now on. */
static void make_dir(struct node *n, const char *root, const char *fmt, ...)
{
	va_list args;
	size_t used;

	if (n->error)
		return; /* n->path stays the directory that failed */
	used = (size_t)snprintf(n->path, sizeof(n->path), "%s/", root);
	va_start(args, fmt);
	vsnprintf(n->path + used, sizeof(n->path) - used, fmt, args);
	va_end(args);
	for (char *slash = n->path + used; !n->error; slash++) {
		slash = strchr(slash, '/');
		if (slash)
			*slash = '\0';
		if (!mkdir(n->path, 0755))
			chmod(n->path, 0755); /* the umask may have taken bits away */
		else if (errno != EEXIST)
			n->error = errno;
		if (!slash)
			break;
		*slash = '/';
	}
}

static void write_file(struct node *n, const char *name, const char *fmt, ...)
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
	if (fclose(f) || chmod(path, 0444))
		n->error = errno;
}

static void make_link(struct node *n, const char *name, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static void make_link(struct node *n, const char *name, const char *fmt, ...)
{
	char path[640], target[256];
	va_list args;

	snprintf(path, sizeof(path), "%s/%s", n->path, name);
	va_start(args, fmt);
	vsnprintf(target, sizeof(target), fmt, args);
	va_end(args);
	if (!n->error && symlink(target, path))
		n->error = errno;
}

static void fill_pci_function(struct node *n, const char *sys, const struct emu_shared *s,
			      unsigned i)
{
	const struct emu_model *model = emu_model_find(s->profile);
	const uint16_t device = model->device_id;
	char text[1024] = "";
	const char *ifname = s->port[i].ifname;

	make_dir(n, sys, EMU_PCI_FUNCTION, i);
	write_file(n, "vendor", "0x15b3");
	write_file(n, "device", "0x%04x", device);
	write_file(n, "subsystem_vendor", "0x15b3");
	write_file(n, "subsystem_device", "0x0016");
	write_file(n, "class", "0x020000");
	write_file(n, "revision", "0x00");
	write_file(n, "numa_node", "0");
	if (!model->vf) { /* a VF has no VFs */
		write_file(n, "sriov_numvfs", "0");
		write_file(n, "sriov_totalvfs", "0");
	}
	write_file(n, "max_link_speed", "16.0 GT/s PCIe");
	write_file(n, "max_link_width", "16");
	write_file(n, "current_link_speed", "16.0 GT/s PCIe");
	write_file(n, "current_link_width", "16");
	write_file(n, "modalias", "pci:v000015B3d%08Xsv000015B3sd00000016bc02sc00i00", device);
	write_file(n, "uevent",
		   "DRIVER=mlx5_core\nPCI_CLASS=20000\nPCI_ID=15B3:%04X\n"
		   "PCI_SUBSYS_ID=15B3:0016\nPCI_SLOT_NAME=" EMU_PCI_ADDRESS "\n"
		   "MODALIAS=pci:v000015B3d%08Xsv000015B3sd00000016bc02sc00i00",
		   device, i, device);
	for (unsigned bar = 0; bar < 13; bar++)
		strcat(text, bar ? "\n0x0000000000000000 0x0000000000000000 0x0000000000000000"
				 : "0x0000000000000000 0x0000000000000000 0x0000000000000000");
	write_file(n, "resource", "%s", text);
	make_link(n, "driver", "../../../bus/pci/drivers/mlx5_core");
	make_link(n, "subsystem", "../../../bus/pci");
	/*
	 * net/NAME is a directory, not a link to /sys/class/net, which may show another network
	 * namespace. MAC and MTU can change: readers ask the netdev for them, so they have no file.
	 */
	if (!ifname[0])
		return;
	make_dir(n, sys, EMU_PCI_FUNCTION "/net/%s", i, ifname);
	write_file(n, "dev_port", "0");
	write_file(n, "dev_id", "0x0");
	write_file(n, "ifindex", "%u", if_nametoindex(ifname));
}

/* Formats the GUID of a MAC as the kernel does: in groups of 16 bits. */
static void format_guid(char *text, size_t bytes, const uint8_t *m)
{
	snprintf(text, bytes, "%02x%02x:%02xff:fe%02x:%02x%02x", m[0], m[1], m[2], m[3], m[4],
		 m[5]);
}

static void fill_ib_port(struct node *n, const char *sys, const struct emu_model *model, unsigned i)
{
	static const char *const empty[] = { "gids", "gid_attrs/ndevs", "gid_attrs/types" };

	make_dir(n, sys, EMU_PCI_FUNCTION "/infiniband/mlx5_%u/ports/1", i, i);
	write_file(n, "state", "4: ACTIVE");
	write_file(n, "phys_state", "5: LinkUp");
	write_file(n, "rate", "100 Gb/sec (4X EDR)");
	write_file(n, "link_layer", model->ib ? "InfiniBand" : "Ethernet");
	write_file(n, "lid", "0x0");
	write_file(n, "sm_lid", "0x0");
	write_file(n, "sm_sl", "0");
	write_file(n, "lid_mask_count", "0");
	write_file(n, "cap_mask", "0x00000000");
	for (size_t k = 0; k < sizeof(empty) / sizeof(empty[0]); k++)
		make_dir(n, sys, EMU_PCI_FUNCTION "/infiniband/mlx5_%u/ports/1/%s", i, i, empty[k]);
	make_dir(n, sys, EMU_PCI_FUNCTION "/infiniband/mlx5_%u/ports/1/pkeys", i, i);
	write_file(n, "0", "0xffff");
}

static void fill_ib_device(struct node *n, const char *sys, const struct emu_shared *s, unsigned i)
{
	const struct emu_model *model = emu_model_find(s->profile);
	char guid[64];

	make_dir(n, sys, EMU_PCI_FUNCTION "/infiniband/mlx5_%u", i, i);
	write_file(n, "node_type", "1: CA");
	format_guid(guid, sizeof(guid), s->port[i].mac);
	write_file(n, "node_guid", "%s", guid);
	write_file(n, "sys_image_guid", "%s", guid);
	write_file(n, "node_desc", "devx-emu");
	write_file(n, "fw_ver", "%u.%u.%04u", model->fw[0], model->fw[1], model->fw[2]);
	write_file(n, "hw_rev", "0");
	write_file(n, "hca_type", "MT%u", model->device_id);
	write_file(n, "board_id", "%s", model->board_id);
	write_file(n, "uevent", "NAME=mlx5_%u", i);
	make_link(n, "device", "../../../" EMU_PCI_ADDRESS, i);
	make_link(n, "subsystem", "../../../../../class/infiniband");
	fill_ib_port(n, sys, model, i);

	make_dir(n, sys, EMU_PCI_FUNCTION "/infiniband_verbs/uverbs%u", i, i);
	write_file(n, "ibdev", "mlx5_%u", i);
	write_file(n, "dev", "%u:%u", EMU_CDEV_MAJOR, EMU_CDEV_MINOR + i);
	write_file(n, "abi_version", "1");
	write_file(n, "uevent", "MAJOR=%u\nMINOR=%u\nDEVNAME=infiniband/uverbs%u\nDEVMODE=0666",
		   EMU_CDEV_MAJOR, EMU_CDEV_MINOR + i, i);
	make_link(n, "device", "../../../" EMU_PCI_ADDRESS, i);
	make_link(n, "subsystem", "../../../../../class/infiniband_verbs");
}

/* Links the directories of port @i where Linux lists functions, devices and device files. */
static void link_port(struct node *n, const char *sys, unsigned i)
{
	char name[32];

	snprintf(name, sizeof(name), EMU_PCI_ADDRESS, i);
	make_dir(n, sys, "bus/pci/devices");
	make_link(n, name, "../../../" EMU_PCI_FUNCTION, i);
	make_dir(n, sys, "bus/pci/drivers/mlx5_core");
	make_link(n, name, "../../../../" EMU_PCI_FUNCTION, i);
	snprintf(name, sizeof(name), "mlx5_%u", i);
	make_dir(n, sys, "class/infiniband");
	make_link(n, name, "../../" EMU_PCI_FUNCTION "/infiniband/%s", i, name);
	snprintf(name, sizeof(name), "uverbs%u", i);
	make_dir(n, sys, "class/infiniband_verbs");
	make_link(n, name, "../../" EMU_PCI_FUNCTION "/infiniband_verbs/%s", i, name);
	make_dir(n, sys, "dev/char");
	snprintf(name, sizeof(name), "%u:%u", EMU_CDEV_MAJOR, EMU_CDEV_MINOR + i);
	make_link(n, name, "../../" EMU_PCI_FUNCTION "/infiniband_verbs/uverbs%u", i, i);
}

int launcher_make_sysfs(const struct launcher *l)
{
	struct node n = { .error = 0 };
	char sys[320];

	snprintf(sys, sizeof(sys), "%s/sys", l->dir);
	make_dir(&n, l->dir, "sys/class/infiniband_verbs");
	write_file(&n, "abi_version", "6");
	for (unsigned i = 0; i < l->shared->n_ports; i++) {
		fill_pci_function(&n, sys, l->shared, i);
		fill_ib_device(&n, sys, l->shared, i);
		link_port(&n, sys, i);
	}
	return n.error ? launcher_fail(LAUNCHER_EXIT_ENVIRONMENT, "cannot fill %s: %s", n.path,
				       strerror(n.error))
		       : 0;
}
