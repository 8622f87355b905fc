/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/remote/rpc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "emu/uverbs/base/libc.h"

enum { FIRST_FD = 100, HEADER_BYTES = offsetof(struct uv_rpc, fd) };

/** union control - room for the descriptors of a message */
union control {
	struct cmsghdr align;
	char room[CMSG_SPACE(UV_RPC_MAX_FDS * sizeof(int))];
};

static int send_all(int sock, const void *data, size_t bytes)
{
	while (bytes) {
		const ssize_t n = send(sock, data, bytes, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -EPIPE;
		data = (const char *)data + n;
		bytes -= (size_t)n;
	}
	return 0;
}

int uv_rpc_send(int sock, const struct uv_rpc *m)
{
	union control control = { .room = { 0 } };
	struct iovec iov = { (void *)(uintptr_t)m, HEADER_BYTES };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	ssize_t n;

	if (m->n_fds) {
		struct cmsghdr *c;

		msg.msg_control = &control;
		msg.msg_controllen = CMSG_SPACE(m->n_fds * sizeof(int));
		c = CMSG_FIRSTHDR(&msg);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(m->n_fds * sizeof(int));
		memcpy(CMSG_DATA(c), m->fd, m->n_fds * sizeof(int));
	}
	do
		n = sendmsg(sock, &msg, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return -EPIPE;
	n = send_all(sock, (const char *)m + n, HEADER_BYTES - (size_t)n);
	return n ? (int)n : send_all(sock, m->body, m->bytes);
}

int uv_rpc_raise_fd(int fd)
{
	const int high = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FD);

	if (high < 0)
		return fd;
	uv_real_close(fd);
	return high;
}

static void take_fds(struct uv_rpc *m, const struct msghdr *msg)
{
	const struct cmsghdr *c = CMSG_FIRSTHDR(msg);

	if (!c || c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
		return;
	m->n_fds = (uint32_t)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
	memcpy(m->fd, CMSG_DATA(c), m->n_fds * sizeof(int));
	for (uint32_t i = 0; i < m->n_fds; i++)
		m->fd[i] = uv_rpc_raise_fd(m->fd[i]);
}

static int receive_all(int sock, void *data, size_t bytes)
{
	while (bytes) {
		const ssize_t n = recv(sock, data, bytes, 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -EPIPE;
		data = (char *)data + n;
		bytes -= (size_t)n;
	}
	return 0;
}

static int receive_header(int sock, struct uv_rpc *m)
{
	union control control;
	struct iovec iov = { m, HEADER_BYTES };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = &control,
			      .msg_controllen = sizeof(control) };
	uint32_t n_fds;
	ssize_t n;
	int rc;

	do
		n = recvmsg(sock, &msg, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return n < 0 && errno == EAGAIN ? -EAGAIN : -EPIPE;
	rc = receive_all(sock, (char *)m + n, HEADER_BYTES - (size_t)n);
	n_fds = m->n_fds;
	m->n_fds = 0;
	take_fds(m, &msg);
	return rc ? rc : m->n_fds == n_fds && m->bytes <= UV_RPC_MAX_BYTES ? 0 : -EPIPE;
}

int uv_rpc_receive(int sock, struct uv_rpc *m)
{
	int rc;

	memset(m, 0, sizeof(*m));
	rc = receive_header(sock, m);
	if (!rc && m->bytes) {
		m->body = malloc(m->bytes);
		rc = m->body ? receive_all(sock, m->body, m->bytes) : -ENOMEM;
	}
	if (rc)
		uv_rpc_clear(m);
	return rc;
}

void uv_rpc_clear(struct uv_rpc *m)
{
	for (uint32_t i = 0; i < m->n_fds; i++)
		if (m->fd[i] >= 0)
			uv_real_close(m->fd[i]);
	m->n_fds = 0;
	free(m->body);
	m->body = NULL;
}
