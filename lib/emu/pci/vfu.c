/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/pci/vfu.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { SEND_TIMEOUT_MS = 2000 };

void vfu_close_fds(struct vfu_message *m)
{
	for (unsigned i = 0; i < m->n_fds; i++)
		if (m->fd[i] >= 0)
			close(m->fd[i]);
	m->n_fds = 0;
	m->fds_lost = false;
}

void vfu_conn_init(struct vfu_conn *c, int fd)
{
	*c = (struct vfu_conn){ .fd = fd };
}

void vfu_conn_close(struct vfu_conn *c)
{
	vfu_close_fds(&c->m);
	close(c->fd);
	c->fd = -1;
}

static void keep_fds(struct vfu_message *m, struct msghdr *msg)
{
	for (struct cmsghdr *h = CMSG_FIRSTHDR(msg); h; h = CMSG_NXTHDR(msg, h)) {
		const size_t n = (h->cmsg_len - CMSG_LEN(0)) / sizeof(int);

		if (h->cmsg_level != SOL_SOCKET || h->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t i = 0; i < n; i++) {
			int fd;

			memcpy(&fd, CMSG_DATA(h) + i * sizeof(fd), sizeof(fd));
			if (m->n_fds < VFU_MAX_FDS) {
				m->fd[m->n_fds++] = fd;
			} else {
				close(fd);
				m->fds_lost = true;
			}
		}
	}
	m->fds_lost |= !!(msg->msg_flags & MSG_CTRUNC);
}

/* Reads at most @bytes. Returns their number; 0: none has arrived; -1: the connection ended. */
static ssize_t receive_bytes(struct vfu_conn *c, void *to, size_t bytes)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(VFU_MAX_FDS * sizeof(int))];
	struct iovec iov = { to, bytes };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = control,
			      .msg_controllen = sizeof(control) };
	ssize_t n;

	do
		n = recvmsg(c->fd, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n > 0)
		keep_fds(&c->m, &msg);
	if (n < 0 && errno == EAGAIN)
		return 0;
	return n > 0 ? n : -1;
}

static bool check_header(const struct vfu_header *h, char *why, size_t why_bytes)
{
	if ((h->flags & VFU_TYPE_MASK) != 0)
		snprintf(why, why_bytes, "message with flags 0x%x (valid: requests, type 0)",
			 h->flags);
	else if (h->bytes < sizeof(*h) || h->bytes - sizeof(*h) > VFU_MAX_BODY)
		snprintf(why, why_bytes, "message of %u bytes (valid: %zu to %zu)", h->bytes,
			 sizeof(*h), sizeof(*h) + VFU_MAX_BODY);
	else
		return true;
	return false;
}

enum vfu_progress vfu_conn_read(struct vfu_conn *c, char *why, size_t why_bytes)
{
	const size_t head = sizeof(c->m.header);
	ssize_t n;

	while (c->got < head) {
		n = receive_bytes(c, (char *)&c->m.header + c->got, head - c->got);
		if (n <= 0)
			return n ? VFU_GONE : VFU_WAIT;
		c->got += (size_t)n;
		if (c->got == head && !check_header(&c->m.header, why, why_bytes))
			return VFU_BROKEN;
	}
	while (c->got < c->m.header.bytes) {
		n = receive_bytes(c, c->m.body + (c->got - head), c->m.header.bytes - c->got);
		if (n <= 0)
			return n ? VFU_GONE : VFU_WAIT;
		c->got += (size_t)n;
	}
	c->m.bytes = c->got - head;
	c->got = 0;
	return VFU_COMPLETE;
}

/* Waits at most SEND_TIMEOUT_MS: a client that never reads must not block the server. */
static bool wait_writable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	int n;

	do
		n = poll(&p, 1, SEND_TIMEOUT_MS);
	while (n < 0 && errno == EINTR);
	return n > 0 && !(p.revents & (POLLERR | POLLHUP));
}

bool vfu_conn_answer(struct vfu_conn *c, int error)
{
	struct vfu_message *m = &c->m;
	struct vfu_header reply = { .id = m->header.id, .command = m->header.command };
	struct iovec iov[2] = { { &reply, sizeof(reply) }, { m->body, error ? 0 : m->bytes } };
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = 2 };
	size_t left = sizeof(reply) + iov[1].iov_len;

	if (m->header.flags & VFU_NO_REPLY)
		return true;
	reply.bytes = (uint32_t)left;
	reply.flags = VFU_REPLY | (error ? VFU_ERROR : 0);
	reply.error = (uint32_t)error;
	while (left) {
		ssize_t n = sendmsg(c->fd, &msg, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n < 0 && errno == EAGAIN && wait_writable(c->fd))
			continue;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		left -= (size_t)n;
		for (int i = 0; i < 2; i++) {
			const size_t k = (size_t)n < iov[i].iov_len ? (size_t)n : iov[i].iov_len;

			iov[i].iov_base = (char *)iov[i].iov_base + k;
			iov[i].iov_len -= k;
			n -= (ssize_t)k;
		}
	}
	return true;
}
