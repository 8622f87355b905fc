/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "report.h"

/*
 * Creates a character device, with the uverbs number if the launcher has CAP_MKNOD. Otherwise with
 * number 0:0, which needs no privilege since Linux 5.8. Overlayfs refuses that; there the file is a
 * regular file. Only directory listings show the difference, because the front corrects stat().
 */
static int make_device(const char *path, unsigned minor_no)
{
	int fd;

	if (!mknod(path, S_IFCHR | 0666, makedev(EMU_CDEV_MAJOR, minor_no)) ||
	    !mknod(path, S_IFCHR | 0666, makedev(0, 0)))
		return 0;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	return fd < 0 ? -1 : close(fd);
}

static int make_node(const char *dir, struct emu_shared_port *port, unsigned i)
{
	char node[384], link[384], target[64];
	struct stat st;

	snprintf(node, sizeof(node), "%s/dev/infiniband/uverbs%u", dir, i);
	snprintf(link, sizeof(link), "%s/dev/char/%u:%u", dir, EMU_CDEV_MAJOR, EMU_CDEV_MINOR + i);
	snprintf(target, sizeof(target), "../infiniband/uverbs%u", i);
	if (make_device(node, EMU_CDEV_MINOR + i) || chmod(node, 0666) || stat(node, &st) ||
	    symlink(target, link))
		return -1;
	port->node_fs = st.st_dev;
	port->node_inode = st.st_ino;
	return 0;
}

int launcher_make_nodes(struct launcher *l)
{
	static const char *const dirs[] = { "dev", "dev/infiniband", "dev/char", "hidden" };
	char path[384];
	int rc = 0;

	for (size_t i = 0; !rc && i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", l->dir, dirs[i]);
		rc = mkdir(path, 0755) || chmod(path, 0755);
	}
	for (unsigned i = 0; !rc && i < l->shared->n_ports; i++)
		rc = make_node(l->dir, &l->shared->port[i], i);
	return rc ? launcher_fail(LAUNCHER_EXIT_ENVIRONMENT, "cannot fill %s/dev: %s", l->dir,
				  strerror(errno))
		  : 0;
}
