/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Interposed socket(), and sendmsg() on its result: netlink of the kernel's RDMA subsystem
 * (NETLINK_RDMA).
 *
 * The program gets a NETLINK_USERSOCK socket, which every kernel has. The front sends an answer to
 * that socket from a socket of its own. So poll(), recvmsg() and MSG_PEEK work as on an answer of
 * the kernel.
 *
 * The front answers RDMA_NLDEV_CMD_SYS_GET as Linux 5.12 and later: fork copies registered pages.
 * rdma_device.c answers requests about devices and ports. The front refuses all others.
 *
 * Source: Linux include/uapi/rdma/rdma_netlink.h, drivers/infiniband/core/nldev.c, netlink.c.
 */
#include <errno.h>
#include <linux/netlink.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <rdma/rdma_netlink.h>

#include "emu/uverbs/base/fds.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/device/dev.h"
#include "emu/uverbs/preload/rdma_device.h"
#include "emu/uverbs/preload/rdma_netlink.h"

enum {
	SYS_GET = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_SYS_GET),
	REQUEST_BYTES = 4096, /* libnl and net_mlx5 send less */
};

EXPORT int socket(int domain, int type, int protocol)
{
	int fd;

	if (domain != AF_NETLINK || protocol != NETLINK_RDMA || !uv_is_launched())
		return REAL(socket)(domain, type, protocol);
	fd = REAL(socket)(AF_NETLINK, type, NETLINK_USERSOCK);
	uv_fd_mark(fd);
	return fd;
}

/* Returns the netlink address of the program's socket @fd; 0: it has none. */
static uint32_t get_port(int fd)
{
	struct sockaddr_nl at = { 0 };
	socklen_t bytes = sizeof(at);

	return getsockname(fd, (struct sockaddr *)&at, &bytes) ? 0 : at.nl_pid;
}

/* Puts a message into the receive queue of the program's socket @fd. Return: 0 or -errno */
static int deliver_message(int fd, const void *message, size_t bytes)
{
	const struct sockaddr_nl to = { .nl_family = AF_NETLINK, .nl_pid = get_port(fd) };
	int sock, rc = 0;

	sock = REAL(socket)(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_USERSOCK);
	if (sock < 0)
		return -errno;
	if (REAL(sendto)(sock, message, bytes, 0, (const struct sockaddr *)&to, sizeof(to)) < 0)
		rc = -errno;
	uv_real_close(sock);
	return rc;
}

/* Answers SYS_GET with the only attribute that libibverbs reads; Linux sends more. */
static void describe_system(struct rdma_reply *reply)
{
	const uint8_t copy_on_fork = 1;

	reply->type = SYS_GET;
	rdma_reply_add(reply);
	rdma_reply_put(reply, RDMA_NLDEV_SYS_ATTR_COPY_ON_FORK, &copy_on_fork,
		       sizeof(copy_on_fork));
}

/* @error: 0 for success, or -errno */
static int send_result(int fd, const struct nlmsghdr *request, int error)
{
	struct {
		struct nlmsghdr header;
		struct nlmsgerr result;
	} answer = {
		.header = { .nlmsg_len = sizeof(answer),
			    .nlmsg_type = NLMSG_ERROR,
			    .nlmsg_seq = request->nlmsg_seq,
			    .nlmsg_pid = get_port(fd) },
		.result = { .error = error, .msg = *request },
	};

	return deliver_message(fd, &answer, sizeof(answer));
}

/* Ignores a message without NLM_F_REQUEST, as Linux does. */
static int answer_request(int fd, const struct nlmsghdr *request, size_t bytes)
{
	struct rdma_reply reply = { .seq = request->nlmsg_seq, .pid = get_port(fd) };
	int rc = 0;

	if (bytes < sizeof(*request) || !(request->nlmsg_flags & NLM_F_REQUEST))
		return 0;
	if (request->nlmsg_type == SYS_GET)
		describe_system(&reply);
	else
		rc = rdma_device_answer(request, bytes, &reply);
	if (rc)
		return send_result(fd, request, rc);
	rc = deliver_message(fd, reply.bytes, reply.used);
	if (!rc && request->nlmsg_flags & NLM_F_ACK && !(reply.flags & NLM_F_MULTI))
		rc = send_result(fd, request, 0);
	return rc;
}

/* Copies at most @room bytes of the message. Returns the number of bytes copied. */
static size_t copy_message(const struct msghdr *msg, char *to, size_t room)
{
	size_t used = 0;

	for (size_t i = 0; i < msg->msg_iovlen && used < room; i++) {
		const struct iovec *v = &msg->msg_iov[i];
		const size_t n = v->iov_len < room - used ? v->iov_len : room - used;

		memcpy(to + used, v->iov_base, n);
		used += n;
	}
	return used;
}

ssize_t uv_rdma_netlink_send(int fd, const struct msghdr *msg)
{
	union {
		struct nlmsghdr head;
		char bytes[REQUEST_BYTES];
	} request = { .bytes = "" };
	size_t bytes;
	int rc;

	if (!uv_fd_is_marked(fd) || !uv_netlink_is(fd, NETLINK_USERSOCK))
		return -ENOTTY;
	bytes = copy_message(msg, request.bytes, sizeof(request));
	rc = answer_request(fd, &request.head, bytes);
	return rc ? rc : (ssize_t)bytes;
}

bool uv_netlink_is(int fd, int protocol)
{
	int domain = 0, found = -1;
	socklen_t bytes = sizeof(int);

	return !getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &bytes) && domain == AF_NETLINK &&
	       !getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &found, &bytes) && found == protocol;
}
