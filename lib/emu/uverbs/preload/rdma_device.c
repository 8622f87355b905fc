/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/preload/rdma_device.h"

#include <errno.h>
#include <net/if.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/rdma_netlink.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "emu/uverbs/base/front.h"

enum {
	GET = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET),
	PORT_GET = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_PORT_GET),
	GET_CHARDEV = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET_CHARDEV),
};

/* PORT is the only port of a device. The kernel's enums define the InfiniBand states and types. */
enum { PORT = 1, NODE_CA = 1, STATE_DOWN = 1, STATE_ACTIVE = 4, PHYS_DISABLED = 3, PHYS_UP = 5 };
enum { CDEV_ABI = 1, NAME_BYTES = 32, GUID_BYTES = 8 };

void rdma_reply_add(struct rdma_reply *reply)
{
	if (reply->used + NLMSG_HDRLEN > sizeof(reply->bytes))
		return;
	reply->message = (struct nlmsghdr *)(void *)&reply->bytes[reply->used];
	*reply->message = (struct nlmsghdr){ .nlmsg_len = NLMSG_HDRLEN,
					     .nlmsg_type = reply->type,
					     .nlmsg_flags = reply->flags,
					     .nlmsg_seq = reply->seq,
					     .nlmsg_pid = reply->pid };
	reply->used += NLMSG_HDRLEN;
}

void rdma_reply_put(struct rdma_reply *reply, uint16_t type, const void *value, size_t bytes)
{
	const struct nlattr a = { (uint16_t)(NLA_HDRLEN + bytes), type };
	const size_t padded = NLA_ALIGN(NLA_HDRLEN + bytes);

	if (reply->used + padded > sizeof(reply->bytes))
		return;
	memset(&reply->bytes[reply->used], 0, padded);
	memcpy(&reply->bytes[reply->used], &a, sizeof(a));
	memcpy(&reply->bytes[reply->used + NLA_HDRLEN], value, bytes);
	reply->used += padded;
	reply->message->nlmsg_len += (uint32_t)padded;
}

static void put_u32(struct rdma_reply *reply, uint16_t type, uint32_t value)
{
	rdma_reply_put(reply, type, &value, sizeof(value));
}
static void put_u64(struct rdma_reply *reply, uint16_t type, uint64_t value)
{
	rdma_reply_put(reply, type, &value, sizeof(value));
}
static void put_u8(struct rdma_reply *reply, uint16_t type, uint8_t value)
{
	rdma_reply_put(reply, type, &value, sizeof(value));
}
static void put_text(struct rdma_reply *reply, uint16_t type, const char *text)
{
	rdma_reply_put(reply, type, text, strlen(text) + 1);
}

/* Reads a 32-bit attribute. Returns false if the request does not have it. */
static bool get_u32(const struct nlmsghdr *request, size_t bytes, uint16_t type, uint32_t *value)
{
	const uint8_t *at = (const uint8_t *)request + NLMSG_HDRLEN;
	const uint8_t *end = (const uint8_t *)request + bytes;
	struct nlattr a;

	for (; end - at >= NLA_HDRLEN; at += NLA_ALIGN(a.nla_len)) {
		memcpy(&a, at, sizeof(a));
		if (a.nla_len < NLA_HDRLEN || a.nla_len > end - at)
			return false;
		if (a.nla_type != type || a.nla_len < NLA_HDRLEN + sizeof(*value))
			continue;
		memcpy(value, at + NLA_HDRLEN, sizeof(*value));
		return true;
	}
	return false;
}

static void put_device_name(struct rdma_reply *reply, uint32_t i)
{
	char name[NAME_BYTES];

	snprintf(name, sizeof(name), "mlx5_%u", i);
	put_u32(reply, RDMA_NLDEV_ATTR_DEV_INDEX, i);
	put_text(reply, RDMA_NLDEV_ATTR_DEV_NAME, name);
}

/* Derives the GUID that sysfs shows from a MAC. The attribute is in the machine's byte order. */
static uint64_t get_guid(const uint8_t *m)
{
	const uint8_t guid[GUID_BYTES] = { m[0], m[1], m[2], 0xff, 0xfe, m[3], m[4], m[5] };
	uint64_t value = 0;

	for (unsigned i = 0; i < GUID_BYTES; i++)
		value = value << 8 | guid[i];
	return value;
}

static void describe_device(struct rdma_reply *reply, uint32_t i)
{
	const struct emu_model *model = emu_model_find(uv_front.shared->profile);
	const uint64_t guid = get_guid(uv_front.shared->port[i].mac);
	char fw[NAME_BYTES];

	snprintf(fw, sizeof(fw), "%u.%u.%04u", model->fw[0], model->fw[1], model->fw[2]);
	rdma_reply_add(reply);
	put_device_name(reply, i);
	put_u32(reply, RDMA_NLDEV_ATTR_PORT_INDEX, PORT);
	put_text(reply, RDMA_NLDEV_ATTR_FW_VERSION, fw);
	put_u64(reply, RDMA_NLDEV_ATTR_NODE_GUID, guid);
	put_u64(reply, RDMA_NLDEV_ATTR_SYS_IMAGE_GUID, guid);
	put_u8(reply, RDMA_NLDEV_ATTR_DEV_NODE_TYPE, NODE_CA);
}

static bool is_port_up(uint32_t i)
{
	struct emu_link link = { .up = true };

	uv_front_lock();
	if (uv_front_find_port(i))
		emu_get_link(uv_front_find_port(i), &link);
	uv_front_unlock();
	return link.up;
}

/* Linux reports the netdev only if it is in the network namespace of the request. */
static void describe_port(struct rdma_reply *reply, uint32_t i)
{
	const char *ifname = uv_front.shared->port[i].ifname;
	const bool up = is_port_up(i);
	const uint32_t ifindex = ifname[0] ? if_nametoindex(ifname) : 0;

	rdma_reply_add(reply);
	put_device_name(reply, i);
	put_u32(reply, RDMA_NLDEV_ATTR_PORT_INDEX, PORT);
	put_u8(reply, RDMA_NLDEV_ATTR_PORT_STATE, up ? STATE_ACTIVE : STATE_DOWN);
	put_u8(reply, RDMA_NLDEV_ATTR_PORT_PHYS_STATE, up ? PHYS_UP : PHYS_DISABLED);
	if (!ifindex)
		return;
	put_u32(reply, RDMA_NLDEV_ATTR_NDEV_INDEX, ifindex);
	put_text(reply, RDMA_NLDEV_ATTR_NDEV_NAME, ifname);
}

/*
 * libibverbs chooses libmlx5 by the driver ID, because a sub-function has no PCI IDs.
 * Source: Linux, ib_uverbs_get_nl_info().
 */
static void describe_chardev(struct rdma_reply *reply, uint32_t i)
{
	char name[NAME_BYTES];

	snprintf(name, sizeof(name), "uverbs%u", i);
	rdma_reply_add(reply);
	put_u64(reply, RDMA_NLDEV_ATTR_CHARDEV, makedev(EMU_CDEV_MAJOR, EMU_CDEV_MINOR + i));
	put_u64(reply, RDMA_NLDEV_ATTR_CHARDEV_ABI, CDEV_ABI);
	put_text(reply, RDMA_NLDEV_ATTR_CHARDEV_NAME, name);
	put_u32(reply, RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID, RDMA_DRIVER_MLX5);
}

typedef void (*description)(struct rdma_reply *reply, uint32_t i);

static description find_description(uint16_t type)
{
	switch (type) {
	case GET:
		return describe_device;
	case PORT_GET:
		return describe_port;
	case GET_CHARDEV:
		return describe_chardev;
	}
	return NULL;
}

/* Ends a dump with a message that contains 0 or -errno (Linux netlink_dump_done). */
static void end_dump(struct rdma_reply *reply, int32_t result)
{
	reply->type = NLMSG_DONE;
	rdma_reply_add(reply);
	if (reply->used + sizeof(result) > sizeof(reply->bytes))
		return;
	memcpy(&reply->bytes[reply->used], &result, sizeof(result));
	reply->used += sizeof(result);
	reply->message->nlmsg_len += sizeof(result);
}

/* Lists all devices, or the port of one device. */
static int answer_dump(const struct nlmsghdr *request, size_t bytes, struct rdma_reply *reply)
{
	uint32_t device = 0, n = uv_front.shared->n_ports;

	if (request->nlmsg_type == GET_CHARDEV)
		return -EOPNOTSUPP;
	reply->flags = NLM_F_MULTI;
	if (request->nlmsg_type == PORT_GET) {
		if (!get_u32(request, bytes, RDMA_NLDEV_ATTR_DEV_INDEX, &device) || device >= n ||
		    uv_front_is_absent(device)) {
			end_dump(reply, -EINVAL);
			return 0;
		}
		n = device + 1;
	}
	for (; device < n; device++)
		if (!uv_front_is_absent(device))
			find_description(request->nlmsg_type)(reply, device);
	end_dump(reply, 0);
	return 0;
}

int rdma_device_answer(const struct nlmsghdr *request, size_t bytes, struct rdma_reply *reply)
{
	uint32_t device, port = PORT;

	reply->type = request->nlmsg_type;
	if (!find_description(request->nlmsg_type))
		return -EOPNOTSUPP;
	if ((request->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP)
		return answer_dump(request, bytes, reply);
	if (!get_u32(request, bytes, RDMA_NLDEV_ATTR_DEV_INDEX, &device))
		return -EINVAL;
	if (request->nlmsg_type == PORT_GET &&
	    !get_u32(request, bytes, RDMA_NLDEV_ATTR_PORT_INDEX, &port))
		return -EINVAL;
	if (device >= uv_front.shared->n_ports || uv_front_is_absent(device) || port != PORT)
		return -EINVAL;
	if (request->nlmsg_type == PORT_GET)
		reply->type = GET; /* as Linux' nldev_port_get_doit; a dump has PORT_GET */
	find_description(request->nlmsg_type)(reply, device);
	return 0;
}
