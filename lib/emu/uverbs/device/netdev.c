/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/device/netdev.h"

#include <errno.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "emu/uverbs/base/front.h"
#include "emu/uverbs/base/libc.h"

static struct {
	bool runs;
	pthread_t thread;
	int netlink, stop; /* descriptors */
	struct emu_adapter *adapter;
	/* held while netdevs are read and links are set, so that the latest state is set last */
	pthread_mutex_t lock;
} mirror = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Reads flags and MTU of a netdev. Returns false if it is not in this network namespace. */
static bool read_netdev(int fd, const char *name, struct emu_link *link)
{
	struct ifreq ifr = { 0 };

	strncpy(ifr.ifr_name, name, sizeof(ifr.ifr_name) - 1);
	if (uv_real_ioctl(fd, SIOCGIFFLAGS, &ifr))
		return false;
	link->up = ifr.ifr_flags & IFF_UP;
	link->promisc = ifr.ifr_flags & IFF_PROMISC;
	link->allmulti = ifr.ifr_flags & IFF_ALLMULTI;
	if (!uv_real_ioctl(fd, SIOCGIFMTU, &ifr))
		link->mtu = (uint16_t)ifr.ifr_mtu;
	return true;
}

/*
 * A netdev that was moved to another network namespace still carries frames, so the link is up. A
 * deleted netdev does not.
 */
static void lose_netdev(struct emu *emu, unsigned port, const char *name, struct emu_link *link)
{
	link->up = !emu_wire_is_cut(emu);
	if (link->up)
		uv_warn(EMU_WARN_NETDEV_MOVED,
			"port %u: netdev %s is no longer in this network namespace; its state "
			"cannot be read, and the link counts as up",
			port, name);
	else
		uv_warn(EMU_WARN_NETDEV_DELETED,
			"port %u: netdev %s was deleted; the link stays down until the program "
			"restarts",
			port, name);
}

/* Only power on reads the MAC, because mlx5_core does not report a later change to a PF. */
static void read_address(int fd, const char *name, struct emu_link *link)
{
	struct ifreq ifr = { 0 };

	strncpy(ifr.ifr_name, name, sizeof(ifr.ifr_name) - 1);
	if (!uv_real_ioctl(fd, SIOCGIFHWADDR, &ifr))
		memcpy(link->mac, ifr.ifr_hwaddr.sa_data, sizeof(link->mac));
}

static void mirror_links(struct emu_adapter *adapter, bool start)
{
	const struct emu_shared *s = uv_front.shared;
	const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return;
	pthread_mutex_lock(&mirror.lock);
	for (unsigned i = 0; i < s->n_ports; i++) {
		struct emu *emu = emu_port(adapter, i);
		struct emu_link was, now;

		if (!s->port[i].ifname[0])
			continue;
		emu_get_link(emu, &was);
		now = was;
		if (!read_netdev(fd, s->port[i].ifname, &now))
			lose_netdev(emu, i, s->port[i].ifname, &now);
		if (start)
			read_address(fd, s->port[i].ifname, &now);
		if (memcmp(&was, &now, sizeof(was)))
			emu_set_link(emu, &now);
		if (emu_model(emu)->filter != EMU_FILTER_NONE)
			uv_mirror_addresses(emu, s->port[i].ifname);
	}
	pthread_mutex_unlock(&mirror.lock);
	uv_real_close(fd);
}

/*
 * Rereads the state of all netdevs after each netlink message about links. The contents of the
 * messages are ignored, so a lost message does no harm.
 */
static void *listen_to_links(void *arg)
{
	struct emu_adapter *adapter = arg;
	struct pollfd fds[] = { { mirror.netlink, POLLIN, 0 }, { mirror.stop, POLLIN, 0 } };
	char words[8192];

	while (poll(fds, 2, -1) >= 0 && !fds[1].revents) {
		if (recv(mirror.netlink, words, sizeof(words), MSG_DONTWAIT) >= 0 || fds[0].revents)
			mirror_links(adapter, false);
	}
	return NULL;
}

bool uv_has_netdev(void)
{
	for (unsigned i = 0; i < uv_front.shared->n_ports; i++)
		if (uv_front.shared->port[i].ifname[0])
			return true;
	return false;
}

void uv_mirror_start(void)
{
	struct sockaddr_nl addr = { .nl_family = AF_NETLINK, .nl_groups = RTMGRP_LINK };

	if (mirror.runs || !uv_has_netdev())
		return;
	if (emu_model(emu_port(uv_front.adapter, 0))->filter != EMU_FILTER_NONE)
		addr.nl_groups |= RTMGRP_NEIGH; /* changes of the lists of addresses */
	mirror.stop = eventfd(0, EFD_CLOEXEC);
	mirror.netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	bind(mirror.netlink, (struct sockaddr *)&addr, sizeof(addr));
	mirror_links(uv_front.adapter, true);
	mirror.runs = !pthread_create(&mirror.thread, NULL, listen_to_links, uv_front.adapter);
}

void uv_mirror_stop(void)
{
	const uint64_t one = 1;

	if (!mirror.runs)
		return;
	if (write(mirror.stop, &one, sizeof(one)) == sizeof(one))
		pthread_join(mirror.thread, NULL);
	uv_real_close(mirror.stop);
	uv_real_close(mirror.netlink);
	mirror.runs = false;
}

void uv_mirror_refresh(void)
{
	const int saved = errno;

	uv_front_lock();
	if (mirror.runs)
		mirror_links(uv_front.adapter, false);
	uv_front_unlock();
	errno = saved;
}

void uv_mirror_forget(void)
{
	mirror.runs = false;
	pthread_mutex_init(&mirror.lock, NULL); /* the thread may have held it at the fork */
}
