/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TAP netdevs. On a machine with an adapter, the netdev of a port exists before any program starts.
 * So the launcher creates the netdev before it starts the program, and removes it afterwards. It
 * does not remove a netdev that existed before.
 */
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "report.h"

#define TAP "tap:"

/* Attaches to the TAP netdev @name, or creates it. Return: a descriptor, or -errno */
static int attach_tap(const char *name)
{
	struct ifreq ifr = { .ifr_flags = IFF_TAP | IFF_NO_PI };
	const int fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC);
	int rc;

	if (fd < 0)
		return -errno;
	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", name);
	if (!ioctl(fd, TUNSETIFF, &ifr))
		return fd;
	rc = -errno;
	close(fd);
	return rc;
}

/*
 * Makes a TAP persistent, so that it exists before the program's wire opens it; or removes it by
 * making it non-persistent.
 */
static int set_tap_persistent(const char *name, bool persist)
{
	const int fd = attach_tap(name);
	int rc = 0;

	if (fd < 0)
		return fd;
	if (ioctl(fd, TUNSETPERSIST, persist))
		rc = -errno;
	close(fd);
	return rc;
}

static int report_tap_error(const char *name, int error)
{
	const char *what = strerror(error);

	if (error == EPERM || error == EACCES)
		what = "CAP_NET_ADMIN is missing; run in a network namespace of your own: "
		       "unshare -Urn -- devx-emu ...";
	else if (error == ENOENT || error == ENODEV)
		what = "/dev/net/tun is missing; load the kernel module tun";
	else if (error == EBUSY)
		what = "another program is attached to it; stop that program, or choose another "
		       "name";
	return launcher_fail(LAUNCHER_EXIT_ENVIRONMENT, "tap:%s: %s", name, what);
}

/*
 * A new netdev gets the MAC and MTU of the port. From a netdev that existed before, the port gets
 * MAC and MTU; --mtu changes the MTU of both. Return: 0 or an errno value
 */
static int sync_mac_mtu(struct launcher *l, struct emu_shared_port *port, bool is_new)
{
	const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq ifr = { 0 };
	int rc = fd < 0 ? -1 : 0;

	memcpy(ifr.ifr_name, port->ifname, sizeof(ifr.ifr_name));
	if (!rc && is_new) {
		ifr.ifr_hwaddr.sa_family = 1; /* ARPHRD_ETHER */
		memcpy(ifr.ifr_hwaddr.sa_data, port->mac, sizeof(port->mac));
		rc = ioctl(fd, SIOCSIFHWADDR, &ifr);
	}
	if (!rc && (is_new || l->mtu)) {
		ifr.ifr_mtu = port->mtu;
		rc = ioctl(fd, SIOCSIFMTU, &ifr);
	}
	if (!rc)
		rc = ioctl(fd, SIOCGIFHWADDR, &ifr);
	if (!rc) {
		memcpy(port->mac, ifr.ifr_hwaddr.sa_data, sizeof(port->mac));
		rc = ioctl(fd, SIOCGIFMTU, &ifr);
	}
	if (!rc)
		port->mtu = (uint16_t)ifr.ifr_mtu;
	rc = rc ? errno : 0;
	if (fd >= 0)
		close(fd);
	return rc;
}

static int make_wire_tap(struct launcher *l, unsigned i)
{
	struct emu_shared_port *port = &l->shared->port[i];
	const char *name = port->wire + strlen(TAP);
	const size_t bytes = strcspn(name, ",");
	bool is_new;
	int rc;

	if (!bytes || bytes >= sizeof(port->ifname))
		return launcher_fail(LAUNCHER_EXIT_USAGE,
				     "--wire %s: netdev name of %zu characters (valid: 1 to 15)",
				     port->wire, bytes);
	memcpy(port->ifname, name, bytes);
	is_new = !if_nametoindex(port->ifname);
	if (is_new) {
		rc = set_tap_persistent(port->ifname, true);
		if (rc)
			return report_tap_error(port->ifname, -rc);
		l->made_tap[i] = true;
	}
	rc = sync_mac_mtu(l, port, is_new);
	return rc ? report_tap_error(port->ifname, rc) : 0;
}

/*
 * Creates the netdev of --netdev, to which no wire attaches. The launcher keeps its descriptor
 * open, so that the netdev has a carrier and disappears when the launcher ends.
 */
static int make_netdev(struct launcher *l, unsigned i)
{
	struct emu_shared_port *port = &l->shared->port[i];
	int rc;

	snprintf(port->ifname, sizeof(port->ifname), "%s%c", l->netdev, '0' + (char)i);
	if (if_nametoindex(port->ifname))
		return launcher_fail(LAUNCHER_EXIT_ENVIRONMENT,
				     "--netdev %s: netdev %s exists already; choose another prefix",
				     l->netdev, port->ifname);
	rc = attach_tap(port->ifname);
	if (rc >= 0)
		rc = -sync_mac_mtu(l, port, true);
	return rc ? report_tap_error(port->ifname, -rc) : 0;
}

int launcher_make_taps(struct launcher *l)
{
	for (unsigned i = 0; i < l->shared->n_ports; i++) {
		int rc = 0;

		if (!strncmp(l->shared->port[i].wire, TAP, strlen(TAP)))
			rc = make_wire_tap(l, i);
		else if (l->netdev[0])
			rc = make_netdev(l, i);
		if (rc)
			return rc;
	}
	return 0;
}

void launcher_remove_taps(const struct launcher *l)
{
	for (unsigned i = 0; i < l->shared->n_ports; i++) {
		const char *name = l->shared->port[i].ifname;

		if (!l->made_tap[i])
			continue;
		if (if_nametoindex(name))
			set_tap_persistent(name, false);
		else if (l->shared->warning[EMU_WARN_NETDEV_MOVED].text[0])
			launcher_fail(0,
				      "tap:%s: the netdev stays in the network namespace to which "
				      "it was moved; delete it there: ip link delete %s",
				      name, name);
	}
}
