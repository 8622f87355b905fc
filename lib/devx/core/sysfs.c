/* SPDX-License-Identifier: BSD-3-Clause */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "devx/core/sysfs.h"

bool devx_pci_normalise(const char *name, char *pci, size_t bytes)
{
	unsigned domain = 0, bus, slot, function;
	int end = -1;

	if (sscanf(name, "%4x:%2x:%2x.%1x%n", &domain, &bus, &slot, &function, &end) != 4 ||
	    end < 0 || name[end]) {
		domain = 0;
		end = -1;
		if (sscanf(name, "%2x:%2x.%1x%n", &bus, &slot, &function, &end) != 3 || end < 0 ||
		    name[end])
			return false;
	}
	snprintf(pci, bytes, "%04x:%02x:%02x.%x", domain, bus, slot, function);
	return true;
}

static FILE *open_attr(const char *ibdev_path, const char *attr)
{
	char path[PATH_MAX];

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", ibdev_path, attr) >= sizeof(path))
		return NULL;
	return fopen(path, "re");
}

/* Reads device/uevent instead of the link device, so that tests need no tree of PCI devices. */
void devx_sysfs_read_pci(const char *ibdev_path, char *pci, size_t bytes)
{
	static const char key[] = "PCI_SLOT_NAME=";
	FILE *f = open_attr(ibdev_path, "device/uevent");
	char line[128];

	pci[0] = '\0';
	while (f && fgets(line, sizeof(line), f)) {
		if (strncmp(line, key, sizeof(key) - 1))
			continue;
		line[strcspn(line, "\n")] = '\0';
		if (!devx_pci_normalise(line + sizeof(key) - 1, pci, bytes))
			pci[0] = '\0';
		break;
	}
	if (f)
		fclose(f);
}

void devx_sysfs_read_parent(const char *ibdev_path, char *name, size_t bytes)
{
	char link[PATH_MAX], target[PATH_MAX];
	const char *slash;
	ssize_t n;

	name[0] = '\0';
	if ((size_t)snprintf(link, sizeof(link), "%s/device", ibdev_path) >= sizeof(link))
		return;
	n = readlink(link, target, sizeof(target) - 1);
	if (n < 0)
		return;
	target[n] = '\0';
	slash = strrchr(target, '/');
	if (slash && strlen(slash) <= bytes)
		memcpy(name, slash + 1, strlen(slash));
}

/* A sub-function has no file numa_node; its PCI function has one, in the parent directory. */
int devx_sysfs_read_numa_node(const char *ibdev_path)
{
	FILE *f = open_attr(ibdev_path, "device/numa_node");
	int node = -1;

	if (!f)
		f = open_attr(ibdev_path, "device/../numa_node");
	if (f && fscanf(f, "%d", &node) != 1)
		node = -1;
	if (f)
		fclose(f);
	return node < 0 ? -1 : node;
}

/* PCI device IDs of virtual functions. Source: Linux, mlx5_core_pci_table, MLX5_PCI_DEV_IS_VF. */
static bool is_vf_id(unsigned id)
{
	static const uint16_t ids[] = { 0x1014, 0x1016, 0x1018, 0x101a, 0x101c, 0x101e, 0xa2d3 };

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		if (ids[i] == id)
			return true;
	return false;
}

bool devx_sysfs_is_vf(const char *ibdev_path)
{
	FILE *f = open_attr(ibdev_path, "device/device");
	char path[PATH_MAX];
	unsigned id = 0;

	if (f && fscanf(f, "%x", &id) != 1)
		id = 0;
	if (f)
		fclose(f);
	return is_vf_id(id) || ((size_t)snprintf(path, sizeof(path), "%s/device/physfn",
						 ibdev_path) < sizeof(path) &&
				!access(path, F_OK));
}

/* A PCI function can have netdevs of several ports; dev_port of the first port is 0. */
static bool is_first_port(const char *ibdev_path, const char *netdev)
{
	char attr[NAME_MAX + 64];
	unsigned port = 0;
	FILE *f;

	snprintf(attr, sizeof(attr), "device/net/%s/dev_port", netdev);
	f = open_attr(ibdev_path, attr);
	if (!f)
		return true;
	if (fscanf(f, "%u", &port) != 1)
		port = 0;
	fclose(f);
	return port == 0;
}

void devx_sysfs_read_netdev(const char *ibdev_path, char *netdev, size_t bytes)
{
	char path[PATH_MAX];
	struct dirent *entry;
	DIR *dir;

	netdev[0] = '\0';
	if ((size_t)snprintf(path, sizeof(path), "%s/device/net", ibdev_path) >= sizeof(path))
		return;
	dir = opendir(path);
	while (dir && !netdev[0] && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.' || strlen(entry->d_name) >= bytes ||
		    !is_first_port(ibdev_path, entry->d_name))
			continue;
		memcpy(netdev, entry->d_name, strlen(entry->d_name) + 1);
	}
	if (dir)
		closedir(dir);
}

/* Finds the number N for which device/physfn/virtfnN links to the device itself. */
static bool find_number(const char *ibdev_path, uint32_t *vf)
{
	enum { N_VFS_MAX = 1024 };
	char path[PATH_MAX], own[PATH_MAX], other[PATH_MAX];

	if ((size_t)snprintf(path, sizeof(path), "%s/device", ibdev_path) >= sizeof(path) ||
	    !realpath(path, own))
		return false;
	for (uint32_t i = 0; i < N_VFS_MAX; i++) {
		if ((size_t)snprintf(path, sizeof(path), "%s/device/physfn/virtfn%u", ibdev_path,
				     i) >= sizeof(path) ||
		    !realpath(path, other))
			return false;
		if (strcmp(own, other))
			continue;
		*vf = i;
		return true;
	}
	return false;
}

bool devx_sysfs_read_physfn(const char *ibdev_path, unsigned index,
			    struct devx_netdev_physfn *physfn)
{
	char path[PATH_MAX];
	struct dirent *entry;
	bool found = false;
	uint32_t vf;
	DIR *dir;

	if (!find_number(ibdev_path, &vf) ||
	    (size_t)snprintf(path, sizeof(path), "%s/device/physfn/net", ibdev_path) >=
		    sizeof(path))
		return false;
	dir = opendir(path);
	while (dir && !found && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.' || strlen(entry->d_name) >= sizeof(physfn->netdev) ||
		    index--)
			continue;
		memcpy(physfn->netdev, entry->d_name, strlen(entry->d_name) + 1);
		physfn->vf = vf;
		found = true;
	}
	if (dir)
		closedir(dir);
	return found;
}
