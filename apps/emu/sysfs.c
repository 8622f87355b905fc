/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Creates the part of sysfs that programs read to find devices. As in Linux, each device has a
 * directory below sys/devices, and all other places link to it:
 *
 *     sys/devices/pci0000:c1/0000:c1:00.N/        the PCI function of port N
 *         infiniband/mlx5_N/                      device -> the PCI function
 *         infiniband_verbs/uverbsN/               ibdev, dev: the character device
 *     sys/bus/pci/devices/0000:c1:00.N            and sys/bus/pci/drivers/mlx5_core/0000:c1:00.N
 *     sys/class/infiniband/mlx5_N
 *     sys/class/infiniband_verbs/uverbsN          and sys/dev/char/231:192
 *
 * The RDMA device and the netdev of a sub-function are below its device of the auxiliary bus:
 *
 *     sys/devices/pci0000:c1/0000:c1:00.0/mlx5_core.sf.4/infiniband/mlx5_0
 *     sys/bus/auxiliary/devices/mlx5_core.sf.4    and sys/bus/auxiliary/drivers/mlx5_core.sf/
 *
 * Source: Linux, mlx5_sf_dev_add() and mlx5_sf_dev_probe(), which makes the auxiliary device the
 * parent of the devices of mlx5_ib and mlx5e.
 */
#include "launcher.h"

#include <errno.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "emu/emu.h"
#include "report.h"

/** struct node - the current directory; after an error the functions below do nothing */
struct node {
	char path[512];
	int error; /* errno of the first error, or 0 */
};

static void make_dir(struct node *n, const char *root, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static void write_file(struct node *n, const char *name, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/** struct parent - parent device of the RDMA device and the netdev of a port */
struct parent {
	char path[128];  /* below sys */
	const char *sys; /* path to sys from a directory two levels below */
};

static struct parent name_parent(const struct emu_shared *s, unsigned i)
{
	struct parent p = { .sys = s->sub_functions ? "../../../../../.." : "../../../../.." };

	if (s->sub_functions)
		snprintf(p.path, sizeof(p.path), EMU_SF_FUNCTION, EMU_SF_FIRST + i);
	else
		snprintf(p.path, sizeof(p.path), EMU_PCI_FUNCTION, i);
	return p;
}

/* Creates the directory root/fmt and its parents, and makes it the current directory. */
static void make_dir(struct node *n, const char *root, const char *fmt, ...)
{
	va_list args;
	size_t used;

	if (n->error)
		return; /* n->path remains the directory that failed */
	used = (size_t)snprintf(n->path, sizeof(n->path), "%s/", root);
	va_start(args, fmt);
	vsnprintf(n->path + used, sizeof(n->path) - used, fmt, args);
	va_end(args);
	for (char *slash = n->path + used; !n->error; slash++) {
		slash = strchr(slash, '/');
		if (slash)
			*slash = '\0';
		if (!mkdir(n->path, 0755))
			chmod(n->path, 0755); /* the umask may have cleared bits */
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

static void make_symlink(struct node *n, const char *name, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static void make_symlink(struct node *n, const char *name, const char *fmt, ...)
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
	make_symlink(n, "driver", "../../../bus/pci/drivers/mlx5_core");
	make_symlink(n, "subsystem", "../../../bus/pci");
}

/* As in Linux, a sub-function has neither numa_node nor the files of a PCI function. */
static void fill_sub_function(struct node *n, const char *sys, unsigned i)
{
	make_dir(n, sys, EMU_SF_FUNCTION, EMU_SF_FIRST + i);
	write_file(n, "sfnum", "%u", i);
	write_file(n, "uevent", "DRIVER=mlx5_core.sf\nMODALIAS=auxiliary:mlx5_core.sf");
	make_symlink(n, "driver", "../../../../bus/auxiliary/drivers/mlx5_core.sf");
	make_symlink(n, "subsystem", "../../../../bus/auxiliary");
}

/*
 * net/NAME is a directory, because a link to /sys/class/net may show another network namespace. MAC
 * and MTU have no file, because they can change; readers ask the netdev for them.
 */
static void fill_netdev(struct node *n, const char *sys, const struct parent *parent,
			const char *ifname)
{
	if (!ifname[0])
		return;
	make_dir(n, sys, "%s/net/%s", parent->path, ifname);
	write_file(n, "dev_port", "0");
	write_file(n, "dev_id", "0x0");
	write_file(n, "ifindex", "%u", if_nametoindex(ifname));
}

/* Formats the GUID for a MAC as the kernel does, in groups of 16 bits. */
static void format_guid(char *text, size_t bytes, const uint8_t *m)
{
	snprintf(text, bytes, "%02x%02x:%02xff:fe%02x:%02x%02x", m[0], m[1], m[2], m[3], m[4],
		 m[5]);
}

static void fill_ib_port(struct node *n, const char *sys, const struct parent *parent,
			 const struct emu_model *model, unsigned i)
{
	static const char *const empty[] = { "gids", "gid_attrs/ndevs", "gid_attrs/types" };

	make_dir(n, sys, "%s/infiniband/mlx5_%u/ports/1", parent->path, i);
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
		make_dir(n, sys, "%s/infiniband/mlx5_%u/ports/1/%s", parent->path, i, empty[k]);
	make_dir(n, sys, "%s/infiniband/mlx5_%u/ports/1/pkeys", parent->path, i);
	write_file(n, "0", "0xffff");
}

static void fill_ib_device(struct node *n, const char *sys, const struct parent *parent,
			   const struct emu_shared *s, unsigned i)
{
	const struct emu_model *model = emu_model_find(s->profile);
	char guid[64];

	make_dir(n, sys, "%s/infiniband/mlx5_%u", parent->path, i);
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
	make_symlink(n, "device", "../../../%s", strrchr(parent->path, '/') + 1);
	make_symlink(n, "subsystem", "%s/class/infiniband", parent->sys);
	fill_ib_port(n, sys, parent, model, i);

	make_dir(n, sys, "%s/infiniband_verbs/uverbs%u", parent->path, i);
	write_file(n, "ibdev", "mlx5_%u", i);
	write_file(n, "dev", "%u:%u", EMU_CDEV_MAJOR, EMU_CDEV_MINOR + i);
	write_file(n, "abi_version", "1");
	write_file(n, "uevent", "MAJOR=%u\nMINOR=%u\nDEVNAME=infiniband/uverbs%u\nDEVMODE=0666",
		   EMU_CDEV_MAJOR, EMU_CDEV_MINOR + i, i);
	make_symlink(n, "device", "../../../%s", strrchr(parent->path, '/') + 1);
	make_symlink(n, "subsystem", "%s/class/infiniband_verbs", parent->sys);
}

static void symlink_pci_function(struct node *n, const char *sys, unsigned i)
{
	char name[32];

	snprintf(name, sizeof(name), EMU_PCI_ADDRESS, i);
	make_dir(n, sys, "bus/pci/devices");
	make_symlink(n, name, "../../../" EMU_PCI_FUNCTION, i);
	make_dir(n, sys, "bus/pci/drivers/mlx5_core");
	make_symlink(n, name, "../../../../" EMU_PCI_FUNCTION, i);
}

static void symlink_sub_function(struct node *n, const char *sys, unsigned i)
{
	char name[32];

	snprintf(name, sizeof(name), EMU_SF_NAME, EMU_SF_FIRST + i);
	make_dir(n, sys, "bus/auxiliary/devices");
	make_symlink(n, name, "../../../" EMU_SF_FUNCTION, EMU_SF_FIRST + i);
	make_dir(n, sys, "bus/auxiliary/drivers/mlx5_core.sf");
	make_symlink(n, name, "../../../../" EMU_SF_FUNCTION, EMU_SF_FIRST + i);
}

/* Adds port @i to the places where Linux lists RDMA devices and device files. */
static void symlink_ib_device(struct node *n, const char *sys, const struct parent *parent,
			      unsigned i)
{
	char name[32];

	snprintf(name, sizeof(name), "mlx5_%u", i);
	make_dir(n, sys, "class/infiniband");
	make_symlink(n, name, "../../%s/infiniband/%s", parent->path, name);
	snprintf(name, sizeof(name), "uverbs%u", i);
	make_dir(n, sys, "class/infiniband_verbs");
	make_symlink(n, name, "../../%s/infiniband_verbs/%s", parent->path, name);
	make_dir(n, sys, "dev/char");
	snprintf(name, sizeof(name), "%u:%u", EMU_CDEV_MAJOR, EMU_CDEV_MINOR + i);
	make_symlink(n, name, "../../%s/infiniband_verbs/uverbs%u", parent->path, i);
}

static void fill_port(struct node *n, const char *sys, const struct emu_shared *s, unsigned i)
{
	const struct parent parent = name_parent(s, i);

	if (!s->sub_functions || !i) {
		fill_pci_function(n, sys, s, i);
		symlink_pci_function(n, sys, i);
	}
	if (s->sub_functions) {
		fill_sub_function(n, sys, i);
		symlink_sub_function(n, sys, i);
	}
	fill_netdev(n, sys, &parent, s->port[i].ifname);
	fill_ib_device(n, sys, &parent, s, i);
	symlink_ib_device(n, sys, &parent, i);
}

int launcher_make_sysfs(const struct launcher *l)
{
	struct node n = { .error = 0 };
	char sys[320];

	snprintf(sys, sizeof(sys), "%s/sys", l->dir);
	make_dir(&n, l->dir, "sys/bus/auxiliary/devices");
	make_dir(&n, l->dir, "sys/class/infiniband_verbs");
	write_file(&n, "abi_version", "6");
	for (unsigned i = 0; i < l->shared->n_ports; i++)
		fill_port(&n, sys, l->shared, i);
	return n.error ? launcher_fail(LAUNCHER_EXIT_ENVIRONMENT, "cannot fill %s: %s", n.path,
				       strerror(n.error))
		       : 0;
}
