/* SPDX-License-Identifier: BSD-3-Clause */
#include <endian.h>
#include <errno.h>
#include <linux/netlink.h>
#include <poll.h>
#include <rdma/rdma_netlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "verbs_rig.h"
#include "wait_limit.h"

/* Netlink of the kernel's RDMA subsystem: libibverbs asks it whether fork() needs its help. */

TEST(rdma_netlink, libibverbs_needs_no_help_at_fork)
{
	EXPECT_EQ(IBV_FORK_UNNEEDED, ibv_is_fork_initialized());
}

/* Sends a request without data, and reads the answer as net_mlx5 does: its length first. */
static ssize_t send_request(int fd, uint16_t type, void *answer, size_t room)
{
	struct nlmsghdr request = { .nlmsg_len = sizeof(request),
				    .nlmsg_type = type,
				    .nlmsg_flags = NLM_F_REQUEST,
				    .nlmsg_seq = 77 };
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	struct iovec v = { &request, sizeof(request) };
	struct msghdr msg = {
		.msg_name = &kernel, .msg_namelen = sizeof(kernel), .msg_iov = &v, .msg_iovlen = 1
	};
	struct pollfd ready = { fd, POLLIN, 0 };
	ssize_t bytes;

	EXPECT_EQ(sizeof(request), sendmsg(fd, &msg, 0));
	if (poll(&ready, 1, WAIT_LIMIT_MS) != 1)
		return -ETIMEDOUT;
	v = (struct iovec){ answer, room };
	bytes = recvmsg(fd, &msg, MSG_PEEK | MSG_TRUNC);
	EXPECT_EQ(bytes, recvmsg(fd, &msg, 0));
	return bytes;
}

struct answer {
	struct nlmsghdr header;
	char data[256];
};

/* Returns the value of an attribute of one byte, or -1. */
static int find_attribute(const struct answer *answer, uint16_t type)
{
	const char *end = (const char *)answer + answer->header.nlmsg_len;
	struct nlattr a;

	for (const char *p = answer->data; end - p >= NLA_HDRLEN + 1; p += NLA_ALIGN(a.nla_len)) {
		memcpy(&a, p, sizeof(a));
		if (a.nla_type == type)
			return p[NLA_HDRLEN];
		if (a.nla_len < NLA_HDRLEN)
			break;
	}
	return -1;
}

static uint32_t get_port(int fd)
{
	struct sockaddr_nl at = { 0 };
	socklen_t bytes = sizeof(at);

	EXPECT_EQ(0, getsockname(fd, (struct sockaddr *)&at, &bytes));
	EXPECT_NE(0, at.nl_pid);
	return at.nl_pid;
}

/* Linux' answer has more attributes than that of emu, and another error code. */
TEST(rdma_netlink, answers_have_the_number_of_the_request_and_the_port_of_the_socket)
{
	struct answer answer = { 0 };
	struct sockaddr_nl any = { .nl_family = AF_NETLINK };
	const int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_RDMA);
	struct nlmsgerr error;
	ssize_t bytes;

	ASSERT_GE(fd, 0);
	ASSERT_EQ(0, bind(fd, (struct sockaddr *)&any, sizeof(any)));
	bytes = send_request(fd, RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_SYS_GET), &answer,
			     sizeof(answer));
	EXPECT_EQ(77, answer.header.nlmsg_seq);
	EXPECT_EQ(get_port(fd), answer.header.nlmsg_pid);
	ASSERT_EQ(bytes, (ssize_t)answer.header.nlmsg_len);
	EXPECT_EQ(1, find_attribute(&answer, RDMA_NLDEV_SYS_ATTR_COPY_ON_FORK));

	ASSERT_EQ(36, send_request(fd, RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET), &answer,
				   sizeof(answer)));
	EXPECT_EQ(NLMSG_ERROR, answer.header.nlmsg_type);
	EXPECT_EQ(get_port(fd), answer.header.nlmsg_pid);
	memcpy(&error, answer.data, sizeof(error));
	EXPECT_GT(0, error.error);
	EXPECT_EQ(77, error.msg.nlmsg_seq);
	close(fd);
}

/* A request for the port of a device, with both attributes that Linux wants. */
struct port_request {
	struct nlmsghdr header;
	struct nlattr device_attr;
	uint32_t device;
	struct nlattr port_attr;
	uint32_t port;
};

enum { ATTR_BYTES = NLA_HDRLEN + sizeof(uint32_t) };

/* Sends a request by sendto(), as libmnl does, and waits for the answer. Return: its type, or 0 */
static uint16_t send_and_wait(int fd, const struct nlmsghdr *request, struct answer *answer)
{
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	struct pollfd ready = { fd, POLLIN, 0 };

	*answer = (struct answer){ 0 };
	EXPECT_EQ(request->nlmsg_len, sendto(fd, request, request->nlmsg_len, 0,
					     (struct sockaddr *)&kernel, sizeof(kernel)));
	if (poll(&ready, 1, WAIT_LIMIT_MS) != 1 || recv(fd, answer, sizeof(*answer), 0) < 0)
		return 0;
	EXPECT_EQ(request->nlmsg_seq, answer->header.nlmsg_seq);
	return answer->header.nlmsg_type;
}

static uint16_t ask_for_port(int fd, uint32_t device, uint32_t port, struct answer *answer)
{
	const struct port_request request = {
		{ .nlmsg_len = sizeof(request),
		  .nlmsg_type = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_PORT_GET),
		  .nlmsg_flags = NLM_F_REQUEST,
		  .nlmsg_seq = 78 },
		{ ATTR_BYTES, RDMA_NLDEV_ATTR_DEV_INDEX },
		device,
		{ ATTR_BYTES, RDMA_NLDEV_ATTR_PORT_INDEX },
		port,
	};

	return send_and_wait(fd, &request.header, answer);
}

/* Asks RDMA_NLDEV_CMD_@command about a device. @flags: besides NLM_F_REQUEST */
static uint16_t ask_about_device(int fd, unsigned command, unsigned flags, uint32_t device,
				 struct answer *answer)
{
	const struct {
		struct nlmsghdr header;
		struct nlattr attr;
		uint32_t device;
	} request = {
		{ .nlmsg_len = sizeof(request),
		  .nlmsg_type = (uint16_t)RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command),
		  .nlmsg_flags = (uint16_t)(NLM_F_REQUEST | flags),
		  .nlmsg_seq = 79 },
		{ ATTR_BYTES, RDMA_NLDEV_ATTR_DEV_INDEX },
		device,
	};

	return send_and_wait(fd, &request.header, answer);
}

static int get_error(const struct answer *answer)
{
	int error;

	memcpy(&error, answer->data, sizeof(error));
	return error;
}

TEST(rdma_netlink, describes_the_port_of_a_device)
{
	enum { NO_DEVICE = 1000, NO_PORT = 2, STATE_DOWN = 1, STATE_ACTIVE = 4 };
	struct sockaddr_nl any = { .nl_family = AF_NETLINK };
	const int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_RDMA);
	/* the type of Linux' answer is not that of the request */
	const uint16_t type = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET);
	struct answer answer;
	uint32_t device = 0;

	ASSERT_GE(fd, 0);
	ASSERT_EQ(0, bind(fd, (struct sockaddr *)&any, sizeof(any)));
	/* Linux gives a device that came back the next number */
	while (ask_for_port(fd, device, 1, &answer) != type && device < NO_DEVICE)
		device++;
	ASSERT_LT(device, NO_DEVICE);
	EXPECT_LE(STATE_DOWN, find_attribute(&answer, RDMA_NLDEV_ATTR_PORT_STATE));
	EXPECT_GE(STATE_ACTIVE, find_attribute(&answer, RDMA_NLDEV_ATTR_PORT_STATE));
	EXPECT_EQ(NLMSG_ERROR, ask_for_port(fd, NO_DEVICE, 1, &answer));
	EXPECT_EQ(-EINVAL, get_error(&answer));
	EXPECT_EQ(NLMSG_ERROR, ask_for_port(fd, device, NO_PORT, &answer));
	EXPECT_EQ(-EINVAL, get_error(&answer));
	close(fd);
}

/* Returns the bytes of an attribute, or NULL. */
static const char *find_bytes(const struct answer *answer, uint16_t type, size_t bytes)
{
	const char *end = (const char *)answer + answer->header.nlmsg_len;
	struct nlattr a;

	for (const char *p = answer->data; end - p >= NLA_HDRLEN; p += NLA_ALIGN(a.nla_len)) {
		memcpy(&a, p, sizeof(a));
		if (a.nla_type == type && a.nla_len == NLA_HDRLEN + bytes)
			return p + NLA_HDRLEN;
		if (a.nla_len < NLA_HDRLEN)
			break;
	}
	return NULL;
}

/* The description of netlink is that of verbs. */
TEST(rdma_netlink, describes_the_device_as_verbs_do)
{
	struct ibv_context *ctx = verbs_rig_open(true);
	struct ibv_device_attr attr;
	struct sockaddr_nl any = { .nl_family = AF_NETLINK };
	const int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_RDMA);
	struct answer answer = { 0 };
	const char *name = ctx ? ibv_get_device_name(ctx->device) : "", *found = NULL;
	uint64_t guid;

	ASSERT_NE(NULL, ctx);
	ASSERT_EQ(0, ibv_query_device(ctx, &attr));
	ASSERT_EQ(0, bind(fd, (struct sockaddr *)&any, sizeof(any)));
	for (uint32_t device = 0; device < 100; device++) {
		ASSERT_NE(0, ask_about_device(fd, RDMA_NLDEV_CMD_GET, 0, device, &answer));
		found = find_bytes(&answer, RDMA_NLDEV_ATTR_DEV_NAME, strlen(name) + 1);
		if (found && !strcmp(name, found))
			break;
	}
	ASSERT_STREQ(name, found);
	found = find_bytes(&answer, RDMA_NLDEV_ATTR_FW_VERSION, strlen(attr.fw_ver) + 1);
	EXPECT_STREQ(attr.fw_ver, found);
	found = find_bytes(&answer, RDMA_NLDEV_ATTR_NODE_GUID, sizeof(guid));
	ASSERT_NE(NULL, found);
	memcpy(&guid, found, sizeof(guid));
	EXPECT_EQ(be64toh(attr.node_guid), guid);
	found = find_bytes(&answer, RDMA_NLDEV_ATTR_SYS_IMAGE_GUID, sizeof(guid));
	ASSERT_NE(NULL, found);
	memcpy(&guid, found, sizeof(guid));
	EXPECT_EQ(be64toh(attr.sys_image_guid), guid);
	EXPECT_EQ(1, find_attribute(&answer, RDMA_NLDEV_ATTR_DEV_NODE_TYPE));
	close(fd);
	EXPECT_EQ(0, ibv_close_device(ctx));
}

/* `rdma link show mlx5_9/-`: a list of the ports of one device, which does not exist. */
TEST(rdma_netlink, lists_no_port_of_an_unknown_device)
{
	enum { NO_DEVICE = 1000, FIRST_FREE = 1 }; /* emu has one device here */
	struct sockaddr_nl any = { .nl_family = AF_NETLINK };
	const int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_RDMA);
	struct answer answer;

	ASSERT_GE(fd, 0);
	ASSERT_EQ(0, bind(fd, (struct sockaddr *)&any, sizeof(any)));
	for (unsigned i = 0; i < 2; i++) {
		const uint32_t device = i && emu_if_any() ? FIRST_FREE : NO_DEVICE;

		EXPECT_EQ(NLMSG_DONE, ask_about_device(fd, RDMA_NLDEV_CMD_PORT_GET, NLM_F_DUMP,
						       device, &answer));
		EXPECT_EQ(-EINVAL, get_error(&answer)); /* both messages have it in front */
	}
	close(fd);
}

/* The device that libibverbs finds is that of emu, also where the machine has RDMA devices. */
TEST(rdma_netlink, libibverbs_finds_the_devices_of_sysfs)
{
	int n = 0;
	struct ibv_device **list = ibv_get_device_list(&n);

	ASSERT_NE(NULL, list);
	ASSERT_GE(n, 1);
	EXPECT_STREQ("mlx5_0", ibv_get_device_name(list[0]));
	ibv_free_device_list(list);
}
