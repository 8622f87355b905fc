/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Registered memory counts against RLIMIT_MEMLOCK; runs under devx-emu --memlock, and without
 * CAP_IPC_LOCK on a real kernel. Each test lowers the limit of this process to LIMIT.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>

#include "ct.h"
#include "devx_rig.h"
#include "needs_emu.h"

enum { PAGE = 4096, LIMIT = 16 * PAGE };

FIXTURE(memlock)
{
	struct devx_dev dev;
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	uint8_t *mem; /* 32 pages */
};

static void set_limit(rlim_t bytes)
{
	struct rlimit limit;

	EXPECT_EQ(0, getrlimit(RLIMIT_MEMLOCK, &limit));
	limit.rlim_cur = bytes;
	EXPECT_EQ(0, setrlimit(RLIMIT_MEMLOCK, &limit));
}

FIXTURE_SETUP(memlock)
{
	struct ibv_device **list = ibv_get_device_list(NULL);

	set_limit(LIMIT);
	ASSERT_EQ(0, devx_dev_open(&self->dev, devx_rig_get_ibdev()));
	self->ctx = ibv_open_device(list[0]);
	ibv_free_device_list(list);
	self->pd = ibv_alloc_pd(self->ctx);
	self->mem = aligned_alloc(PAGE, 32 * PAGE);
}

FIXTURE_TEARDOWN(memlock)
{
	EXPECT_EQ(0, ibv_dealloc_pd(self->pd));
	EXPECT_EQ(0, ibv_close_device(self->ctx));
	devx_dev_close(&self->dev);
	free(self->mem);
}

/* Registers @bytes at @off as a memory region. Return: 0, or errno */
static int register_mr(struct ct_fix_memlock *self, size_t off, size_t bytes)
{
	struct ibv_mr *mr = ibv_reg_mr(self->pd, self->mem + off, bytes, IBV_ACCESS_LOCAL_WRITE);

	return mr ? ibv_dereg_mr(mr) : errno;
}

TEST_F(memlock, more_than_the_limit_is_refused_in_a_line_that_names_it)
{
	struct devx_mr mr = { 0 };
	struct devx_buf buf = { 0 };

	devx_rig_expect_error(&self->dev, -ENOMEM, "RLIMIT_MEMLOCK",
			      devx_mr_create(&mr, &self->dev, self->mem, LIMIT + PAGE));
	devx_rig_expect_error(&self->dev, -ENOMEM, "RLIMIT_MEMLOCK",
			      devx_buf_create(&buf, &self->dev, LIMIT, NULL));
	ASSERT_EQ(0, devx_mr_create(&mr, &self->dev, self->mem, LIMIT));
	EXPECT_EQ(ENOMEM, register_mr(self, LIMIT, 1));
	devx_mr_destroy(&mr);
	EXPECT_EQ(0, register_mr(self, 0, LIMIT));
}

TEST_F(memlock, pages_count_whole_and_once_for_each_registration)
{
	EXPECT_EQ(0, register_mr(self, 1, LIMIT - 1));
	EXPECT_EQ(ENOMEM, register_mr(self, 1, LIMIT)); /* touches one page more */

	struct ibv_mr *mr = ibv_reg_mr(self->pd, self->mem, LIMIT / 2, IBV_ACCESS_LOCAL_WRITE);
	struct mlx5dv_devx_umem *umem =
		mlx5dv_devx_umem_reg(self->ctx, self->mem, LIMIT / 2, IBV_ACCESS_LOCAL_WRITE);

	ASSERT_NE(NULL, mr);
	ASSERT_NE(NULL, umem);
	EXPECT_EQ(ENOMEM, register_mr(self, 0, 1));
	EXPECT_EQ(NULL, ibv_create_cq(self->ctx, 16, NULL, NULL, 0));
	EXPECT_EQ(ENOMEM, errno);
	EXPECT_EQ(0, ibv_dereg_mr(mr));
	EXPECT_EQ(0, register_mr(self, 0, LIMIT / 2));
	EXPECT_EQ(0, mlx5dv_devx_umem_dereg(umem));
	EXPECT_EQ(0, register_mr(self, 0, LIMIT));
}

TEST_F(memlock, failed_registration_counts_nothing)
{
	uint8_t *gone = mmap(NULL, LIMIT, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	munmap(gone, LIMIT);
	for (int i = 0; i < 3; i++) {
		EXPECT_EQ(NULL, ibv_reg_mr(self->pd, gone, LIMIT, IBV_ACCESS_LOCAL_WRITE));
		EXPECT_EQ(EFAULT, errno);
	}
	EXPECT_EQ(0, register_mr(self, 0, LIMIT));
}

TEST_F(memlock, limit_of_0_is_a_missing_permission)
{
	set_limit(0);
	EXPECT_EQ(EPERM, register_mr(self, 0, 1));
	EXPECT_EQ(EPERM, register_mr(self, 0, 0)); /* Linux looks at the limit before the length */
	set_limit(LIMIT);
}

TEST_F(memlock, dmabuf_counts_nothing)
{
	NEEDS_EMU("because a memfd is a dma-buf only there");
	const int fd = memfd_create("devx-emu-dmabuf", MFD_CLOEXEC);
	struct ibv_mr *mr;

	ASSERT_EQ(0, ftruncate(fd, 2 * LIMIT));
	mr = ibv_reg_dmabuf_mr(self->pd, 0, 2 * LIMIT, 0, fd, IBV_ACCESS_LOCAL_WRITE);
	ASSERT_NE(NULL, mr);
	EXPECT_EQ(0, register_mr(self, 0, LIMIT));
	EXPECT_EQ(0, ibv_dereg_mr(mr));
	close(fd);
}

/* DEVX_EMU_CAPS is read at each registration. */
TEST_F(memlock, ipc_lock_lifts_the_limit)
{
	NEEDS_EMU("to grant a capability");
	EXPECT_EQ(ENOMEM, register_mr(self, 0, 2 * LIMIT));
	setenv("DEVX_EMU_CAPS", "net_raw,ipc_lock", 1);
	EXPECT_EQ(0, register_mr(self, 0, 2 * LIMIT));
	unsetenv("DEVX_EMU_CAPS");
}
