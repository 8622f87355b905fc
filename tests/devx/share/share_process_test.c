/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <libgen.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ct.h"
#include "needs_emu.h"
#include "share_peer.h"
#include "share_rig.h"

/* A second process, devx_share_peer, that uses the device and the objects of this one. */

extern char **environ;

FIXTURE(share_process)
{
	struct devx_rig rig;
	int fd, memory_fd, socket[2];
	char *memory;
	struct devx_umem umem;
	struct devx_mr mr;
	struct devx_cq cq;
	struct devx_sq sq;
	struct share_peer_message m;
};

static int create_queues(struct ct_fix_share_process *self)
{
	struct devx_rig *rig = &self->rig;
	const struct devx_umem_ring cq_place = { &self->umem, self->memory + SHARE_PEER_SEND_CQ,
						 self->memory + SHARE_PEER_RECORDS +
							 DEVX_DBREC_BYTES },
				    sq_place = { &self->umem, self->memory + SHARE_PEER_SQ,
						 self->memory + SHARE_PEER_RECORDS };
	const struct devx_cq_attr cq = { .log2_n = DEVX_RIG_LOG2_CQ, .uar = &rig->other_uar };
	const struct devx_sq_attr sq = { .log2_n = DEVX_RIG_LOG2_SQ,
					 .cq = &self->cq,
					 .tis = &rig->tis,
					 .uar = &rig->other_uar };
	int rc = devx_umem_create(&self->umem, &rig->dev, self->memory, SHARE_PEER_FRAME);

	if (!rc)
		rc = devx_mr_create(&self->mr, &rig->dev, self->memory + SHARE_PEER_FRAME,
				    SHARE_PEER_PAGE);
	if (!rc)
		rc = devx_cq_create_in_umem(&self->cq, &rig->dev, &cq, &cq_place);
	if (!rc)
		rc = devx_sq_create_in_umem(&self->sq, &rig->dev, &sq, &sq_place);
	return rc ? rc : devx_sq_ready(&self->sq);
}

FIXTURE_SETUP(share_process)
{
	self->fd = self->socket[0] = self->socket[1] = -1;
	ASSERT_EQ(0, devx_rig_up(&self->rig));
	self->memory_fd = memfd_create("share", MFD_CLOEXEC);
	ASSERT_EQ(0, ftruncate(self->memory_fd, SHARE_PEER_BYTES));
	self->memory = mmap(NULL, SHARE_PEER_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
			    self->memory_fd, 0);
	ASSERT_EQ(0, create_queues(self));
	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, self->socket));
}

FIXTURE_TEARDOWN(share_process)
{
	devx_sq_destroy(&self->sq);
	devx_cq_destroy(&self->cq);
	devx_mr_destroy(&self->mr);
	devx_umem_destroy(&self->umem);
	EXPECT_EQ(0, self->rig.dev.n_stuck);
	devx_rig_down(&self->rig);
	munmap(self->memory, SHARE_PEER_BYTES);
	close(self->memory_fd);
	close(self->socket[0]);
	close(self->socket[1]);
	close(self->fd);
}

/* Exports everything that the message needs; the SQ only with an rdma-core that can. */
static void export_all(struct ct_fix_share_process *self)
{
	struct devx_dev *dev = &self->rig.dev;

	ASSERT_EQ(0, devx_dev_export(dev, &self->m.dev, &self->fd));
	ASSERT_EQ(0, devx_uar_export(dev, &self->rig.other_uar, &self->m.uar));
	ASSERT_EQ(0, devx_umem_export(dev, &self->umem, &self->m.umem));
	self->m.has_sq_obj = !devx_obj_export(dev, self->sq.obj, &self->m.sq_obj);
	self->m.sqn = self->sq.sqn;
	self->m.log2_sq = self->sq.log2_n;
	self->m.rqn = self->rig.rq.rqn;
	self->m.lkey = self->mr.lkey;
	self->m.frame = (uintptr_t)(self->memory + SHARE_PEER_FRAME);
}

static void send_message(const struct ct_fix_share_process *self)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(2 * sizeof(int))] = { 0 };
	struct iovec iov = { (void *)(uintptr_t)&self->m, sizeof(self->m) };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = control,
			      .msg_controllen = sizeof(control) };
	struct cmsghdr *h = CMSG_FIRSTHDR(&msg);
	const int fds[] = { self->fd, self->memory_fd };

	*h = (struct cmsghdr){ CMSG_LEN(sizeof(fds)), SOL_SOCKET, SCM_RIGHTS };
	memcpy(CMSG_DATA(h), fds, sizeof(fds));
	ASSERT_EQ((ssize_t)sizeof(self->m), sendmsg(self->socket[0], &msg, 0));
}

/* Runs the program devx_share_peer, which is beside this one. Return: its exit status, or -1 */
static int run_peer(const struct ct_fix_share_process *self)
{
	char path[4096] = { 0 }, *argv[] = { path, NULL };
	posix_spawn_file_actions_t actions;
	int status = -1;
	pid_t pid;

	if (readlink("/proc/self/exe", path, sizeof(path) - 32) < 0)
		return -1;
	strcat(dirname(path), "/devx_share_peer");
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, self->socket[1], SHARE_PEER_SOCKET);
	if (!posix_spawn(&pid, path, &actions, NULL, argv, environ))
		waitpid(pid, &status, 0);
	posix_spawn_file_actions_destroy(&actions);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(share_process, second_process_sends_and_imports)
{
	struct devx_rig *rig = &self->rig;
	const struct prm_cqe *cqe;
	int status;

	devx_rig_write_frame(rig, (uint8_t *)self->memory + SHARE_PEER_FRAME, 7,
			     SHARE_PEER_FRAME_BYTES);
	devx_rig_post_recv(rig, 1);
	export_all(self);
	send_message(self);
	status = run_peer(self);
	cqe = devx_rig_wait_cqe(&rig->recv_cq);
	ASSERT_NE(NULL, cqe);
	devx_rig_drop_cqe(&rig->recv_cq);
	EXPECT_EQ(7,
		  devx_rig_read_seq(rig, devx_rig_get_recv_slot(rig, 0), SHARE_PEER_FRAME_BYTES));
	EXPECT_NE(NULL, devx_rig_wait_cqe(&self->cq));
	share_rig_expect_frame(rig, rig, 1); /* the other process destroyed nothing */
	EXPECT_EQ(0, status);
}
