/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch/netdevs.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MAX_NETDEVS = 8, PATH_BYTES = 128 };

/* A kernel without IPv6 does not have this file, and sends no IPv6 frames either. */
static void disable_ipv6(const char *name)
{
	char path[PATH_BYTES];
	ssize_t written;
	int fd;

	snprintf(path, sizeof(path), "/proc/sys/net/ipv6/conf/%s/disable_ipv6", name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	written = write(fd, "1", 1);
	(void)written; /* after a failure, the netdev sends frames, which the cases ignore */
	close(fd);
}

static int set_flag_up(int fd, const char *name)
{
	struct ifreq ifr = { 0 };

	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", name);
	if (ioctl(fd, SIOCGIFFLAGS, &ifr))
		return -errno;
	ifr.ifr_flags |= IFF_UP;
	return ioctl(fd, SIOCSIFFLAGS, &ifr) ? -errno : 0;
}

int netdevs_set_up(char *why, size_t bytes)
{
	const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	char name[IFNAMSIZ];
	int rc = fd < 0 ? -errno : 0;

	snprintf(name, sizeof(name), NETDEVS_PREFIX "0");
	for (unsigned i = 0; !rc && i < MAX_NETDEVS; i++) {
		snprintf(name, sizeof(name), NETDEVS_PREFIX "%u", i);
		if (!if_nametoindex(name))
			break;
		disable_ipv6(name);
		rc = set_flag_up(fd, name);
	}
	if (rc)
		snprintf(why, bytes, "netdev %s: cannot set it up: %s", name, strerror(-rc));
	if (fd >= 0)
		close(fd);
	return rc;
}
