/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the addresses of a netdev: its own with an ioctl, its lists with a netlink dump.
 */
#include "emu/uverbs/device/netdev.h"

#include <linux/rtnetlink.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "emu/model.h"
#include "emu/uverbs/base/libc.h"

static void add_address(struct emu_addresses *a, const uint8_t *mac)
{
	const bool group = mac[0] & 1;

	if (group && a->n_mc < EMU_MAX_MC)
		memcpy(a->mc[a->n_mc++], mac, EMU_MAC_BYTES);
	if (!group && a->n_uc < EMU_MAX_UC)
		memcpy(a->uc[a->n_uc++], mac, EMU_MAC_BYTES);
}

static bool read_own(const char *netdev, struct emu_addresses *a)
{
	const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq ifr = { 0 };
	bool read;

	strncpy(ifr.ifr_name, netdev, sizeof(ifr.ifr_name) - 1);
	read = fd >= 0 && !uv_real_ioctl(fd, SIOCGIFHWADDR, &ifr);
	if (fd >= 0)
		uv_real_close(fd);
	if (read)
		add_address(a, (const uint8_t *)ifr.ifr_hwaddr.sa_data);
	return read;
}

/* Adds the address of an entry if it belongs to the netdev @index itself (NTF_SELF). */
static void take_entry(const struct nlmsghdr *m, int index, struct emu_addresses *a)
{
	const struct ndmsg *entry = NLMSG_DATA(m);
	const struct rtattr *attr =
		(const void *)((const char *)entry + NLMSG_ALIGN(sizeof(*entry)));
	size_t left = m->nlmsg_len - NLMSG_SPACE(sizeof(*entry));

	if (m->nlmsg_type != RTM_NEWNEIGH || entry->ndm_ifindex != index ||
	    !(entry->ndm_flags & NTF_SELF))
		return;
	for (; RTA_OK(attr, left); attr = RTA_NEXT(attr, left))
		if (attr->rta_type == NDA_LLADDR && RTA_PAYLOAD(attr) == EMU_MAC_BYTES)
			add_address(a, RTA_DATA(attr));
}

/* Reads the whole answer of a dump. Returns false if that fails. */
static bool read_dump(int fd, int index, struct emu_addresses *a)
{
	char buf[32768] __attribute__((aligned(NLMSG_ALIGNTO)));

	for (;;) {
		ssize_t bytes = recv(fd, buf, sizeof(buf), 0);

		if (bytes <= 0)
			return false;
		for (const struct nlmsghdr *m = (const void *)buf; NLMSG_OK(m, (size_t)bytes);
		     m = NLMSG_NEXT(m, bytes)) {
			if (m->nlmsg_type == NLMSG_DONE)
				return true;
			if (m->nlmsg_type == NLMSG_ERROR)
				return false;
			take_entry(m, index, a);
		}
	}
}

static bool read_lists(const char *netdev, struct emu_addresses *a)
{
	const int index = (int)if_nametoindex(netdev);
	struct {
		struct nlmsghdr head;
		struct ifinfomsg link; /* Linux reads the interface of a dump here */
	} ask = { .head = { .nlmsg_len = sizeof(ask),
			    .nlmsg_type = RTM_GETNEIGH,
			    .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP },
		  .link = { .ifi_family = AF_BRIDGE, .ifi_index = index } };
	const int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	bool read = index && fd >= 0 && send(fd, &ask, sizeof(ask), 0) == sizeof(ask) &&
		    read_dump(fd, index, a);

	if (fd >= 0)
		uv_real_close(fd);
	return read;
}

void uv_mirror_addresses(struct emu *emu, const char *netdev)
{
	static const uint8_t broadcast[EMU_MAC_BYTES] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	struct emu_addresses a = { .n_uc = 0 };

	add_address(&a, broadcast);
	if (read_own(netdev, &a) && read_lists(netdev, &a))
		emu_set_addresses(emu, &a);
}
