/* SPDX-License-Identifier: BSD-3-Clause */
#include "port/device.h"

#include <ctype.h>
#include <dirent.h>
#include <libgen.h>
#include <link.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_pci.h>

#include "cli/suggest.h"

enum {
	PATH_BYTES = 512,
	NAME_BYTES = 64,
	TEXT_BYTES = 384,
	MAX_DRIVERS = 256,
	MOST_TYPOS = 2,
};

static const char *get_sysfs(void)
{
	const char *path = getenv("SYSFS_PATH");

	return path ? path : "/sys";
}

/* Copies argument @key of @device ("net_x,key=value,..."). Returns whether @device has it. */
static bool find_arg(const char *device, const char *key, char value[NAME_BYTES])
{
	const size_t n = strlen(key);

	for (const char *at = strchr(device, ','); at; at = strchr(at, ',')) {
		at++;
		if (!strncmp(at, key, n) && at[n] == '=') {
			snprintf(value, NAME_BYTES, "%.*s", (int)strcspn(at + n + 1, ","),
				 at + n + 1);
			return *value && !strchr(value, '/');
		}
	}
	return false;
}

/* Copies the PCI address that @device begins with, in full. Returns whether there is one. */
static bool find_pci_address(const char *device, char address[NAME_BYTES])
{
	struct rte_pci_addr pci;

	if (!strncmp(device, "pci:", 4))
		device += 4;
	snprintf(address, NAME_BYTES, "%.*s", (int)strcspn(device, ","), device);
	if (rte_pci_addr_parse(address, &pci))
		return false;
	rte_pci_device_name(&pci, address, NAME_BYTES);
	return true;
}

int device_read_node(const char *device)
{
	char path[PATH_BYTES], name[NAME_BYTES];
	int node = -1;
	FILE *f;

	if (find_pci_address(device, name))
		snprintf(path, sizeof(path), "%s/bus/pci/devices/%s/numa_node", get_sysfs(), name);
	else if (find_arg(device, "ibdev", name))
		snprintf(path, sizeof(path), "%s/class/infiniband/%s/device/numa_node", get_sysfs(),
			 name);
	else if (find_arg(device, "iface", name))
		snprintf(path, sizeof(path), "%s/class/net/%s/device/numa_node", get_sysfs(), name);
	else
		return -1;
	f = fopen(path, "r");
	if (!f)
		return -1;
	if (fscanf(f, "%d", &node) != 1)
		node = -1;
	fclose(f);
	return node;
}

/* ---- Suggestions ---------------------------------------------------------------- */

static char text[TEXT_BYTES];

/* Returns whether sysfs has @name in the directory that @fmt makes of sysfs's root and @dir. */
static bool is_in_sysfs(const char *fmt, const char *dir, const char *name)
{
	char parent[PATH_BYTES], path[PATH_BYTES * 2];

	snprintf(parent, sizeof(parent), fmt, get_sysfs(), dir);
	snprintf(path, sizeof(path), "%s/%s", parent, name);
	return *name && !strchr(name, '/') && !access(path, F_OK);
}

/* Finds the RDMA device that is called @name, or whose netdev is. */
static bool find_ibdev(const char *name, char ibdev[NAME_BYTES])
{
	char path[PATH_BYTES];
	struct dirent *entry;
	bool is_found = false;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/class/infiniband", get_sysfs());
	dir = opendir(path);
	while (dir && !is_found && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		is_found = !strcmp(entry->d_name, name) ||
			   is_in_sysfs("%s/class/infiniband/%s/device/net", entry->d_name, name);
		snprintf(ibdev, NAME_BYTES, "%.*s", NAME_BYTES - 1, entry->d_name);
	}
	if (dir)
		closedir(dir);
	return is_found;
}

/* Names the kernel driver of a PCI device, unless EAL can use devices of that driver. */
static const char *suggest_pci(const char *address)
{
	char path[PATH_BYTES], target[PATH_BYTES];
	const char *driver = NULL;
	ssize_t n;

	if (!is_in_sysfs("%s/bus/pci/%s", "devices", address))
		return "";
	snprintf(path, sizeof(path), "%s/bus/pci/devices/%s/driver", get_sysfs(), address);
	n = readlink(path, target, sizeof(target) - 1);
	if (n > 0) {
		target[n] = 0;
		driver = basename(target);
	}
	if (driver && (!strcmp(driver, "mlx5_core") || !strcmp(driver, "vfio-pci") ||
		       !strcmp(driver, "uio_pci_generic") || !strcmp(driver, "igb_uio")))
		return "";
	snprintf(
		text, sizeof(text),
		"; %s%s has the device; if EAL has a driver for it: dpdk-devbind.py -b vfio-pci %s",
		driver ? "the kernel's driver " : "no driver of the kernel", driver ? driver : "",
		address);
	return text;
}

/** struct drivers - names of the driver libraries that are loaded, as "net_ring" */
struct drivers {
	char names[MAX_DRIVERS][NAME_BYTES];
	unsigned n;
};

static int add_driver(struct dl_phdr_info *info, size_t bytes, void *arg)
{
	const char *name = strstr(info->dlpi_name, "librte_net_");
	struct drivers *d = arg;

	(void)bytes;
	if (!name || d->n == MAX_DRIVERS)
		return 0;
	name += strlen("librte_");
	snprintf(d->names[d->n++], NAME_BYTES, "%.*s", (int)strcspn(name, "."), name);
	return 0;
}

/* Suggests the loaded driver with the most similar name. @args: arguments to keep */
static const char *suggest_driver(const char *name, const char *args)
{
	static struct drivers drivers;
	struct suggestion s;
	size_t n = strlen(name);

	while (n && isdigit((unsigned char)name[n - 1]))
		n--;
	s = suggest_begin(name, n);
	drivers.n = 0;
	dl_iterate_phdr(add_driver, &drivers);
	for (unsigned i = 0; i < drivers.n; i++)
		suggest_add(&s, drivers.names[i]);
	if (!s.best || !s.distance || s.distance > MOST_TYPOS)
		return "";
	snprintf(text, sizeof(text), "; did you mean %s%s%s?", s.best, name[n] ? name + n : "0",
		 args);
	return text;
}

const char *device_suggest(const char *device, unsigned index)
{
	char name[NAME_BYTES], found[NAME_BYTES];

	if (find_pci_address(device, name))
		return suggest_pci(name);
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(device, ","), device);
	if (find_ibdev(name, found))
		snprintf(text, sizeof(text), "; did you mean net_devx%u,ibdev=%s?", index, found);
	else if (if_nametoindex(name))
		snprintf(text, sizeof(text), "; did you mean net_af_packet%u,iface=%s?", index,
			 name);
	else
		return suggest_driver(name, strchrnul(device, ','));
	return text;
}
