/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_UVERBS_PASS_FD_H
#define TESTS_UVERBS_PASS_FD_H

#include <string.h>
#include <sys/socket.h>

/* pass_fd_send - send a descriptor over a Unix socket. Return: 0 or -1 with errno */
static inline int pass_fd_send(int sock, int fd)
{
	char data = 0, room[CMSG_SPACE(sizeof(fd))] = { 0 };
	struct iovec iov = { &data, 1 };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = room,
			      .msg_controllen = sizeof(room) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&msg);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	return sendmsg(sock, &msg, 0) == 1 ? 0 : -1;
}

/* pass_fd_receive - wait for a descriptor. Return: the descriptor, or -1 */
static inline int pass_fd_receive(int sock)
{
	char data, room[CMSG_SPACE(sizeof(int))];
	struct iovec iov = { &data, 1 };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = room,
			      .msg_controllen = sizeof(room) };
	int fd;

	if (recvmsg(sock, &msg, 0) != 1 || !CMSG_FIRSTHDR(&msg))
		return -1;
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof(fd));
	return fd;
}

#endif
