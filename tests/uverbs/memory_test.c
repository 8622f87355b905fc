/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "verbs_rig.h"

enum { PAGE = 4096, MIB_2 = 2 << 20 };

FIXTURE(memory)
{
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	uint8_t *map; /* mapping of @fd */
	uint8_t *buf; /* 4 MiB of it, aligned to 2 MiB */
	int fd;
};

FIXTURE_SETUP(memory)
{
	self->ctx = verbs_rig_open(true);
	ASSERT_NE(NULL, self->ctx);
	self->pd = ibv_alloc_pd(self->ctx);
	self->map = verbs_rig_map_shared(3 * MIB_2, &self->fd);
	ASSERT_NE(NULL, self->map);
	self->buf = self->map + (-(uintptr_t)self->map & (MIB_2 - 1));
}

FIXTURE_TEARDOWN(memory)
{
	EXPECT_EQ(0, ibv_dealloc_pd(self->pd));
	EXPECT_EQ(0, ibv_close_device(self->ctx));
	EXPECT_EQ(0, verbs_rig_read_counters().objects[DEVX_EMU_UMEM]);
	EXPECT_EQ(0, verbs_rig_read_counters().objects[DEVX_EMU_MKEY]);
	munmap(self->map, 3 * MIB_2);
	close(self->fd);
}

static int register_umem(struct ibv_context *ctx, void *at, size_t bytes, uint32_t access,
			 uint64_t bitmap)
{
	struct mlx5dv_devx_umem_in in = {
		.addr = at, .size = bytes, .access = access, .pgsz_bitmap = bitmap
	};
	struct mlx5dv_devx_umem *u = mlx5dv_devx_umem_reg_ex(ctx, &in);

	if (!u)
		return errno;
	EXPECT_NE(0, u->umem_id);
	return mlx5dv_devx_umem_dereg(u);
}

TEST_F(memory, umem_registers_mapped_memory)
{
	EXPECT_EQ(0, register_umem(self->ctx, self->buf, PAGE, IBV_ACCESS_LOCAL_WRITE, UINT64_MAX));
	EXPECT_EQ(0, register_umem(self->ctx, self->buf, 2 * MIB_2, 0, UINT64_MAX));
	EXPECT_EQ(0, register_umem(self->ctx, self->buf + 100, 5000, 0, PAGE));
}

TEST_F(memory, umem_access_follows_the_kernels_rules)
{
	EXPECT_EQ(EINVAL, register_umem(self->ctx, self->buf, PAGE, IBV_ACCESS_REMOTE_WRITE, PAGE));
	EXPECT_EQ(EINVAL, register_umem(self->ctx, self->buf, PAGE, IBV_ACCESS_MW_BIND, PAGE));
	EXPECT_EQ(0, register_umem(self->ctx, self->buf, PAGE,
				   IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE, PAGE));
}

TEST_F(memory, umem_needs_a_page_size_of_4k_or_more)
{
	EXPECT_EQ(EINVAL, register_umem(self->ctx, self->buf, PAGE, 0, PAGE / 2));
	EXPECT_EQ(EINVAL, register_umem(self->ctx, self->buf, PAGE, 0, (uint64_t)MIB_2 * 4));
	EXPECT_EQ(EINVAL, register_umem(self->ctx, self->buf, 0, 0, PAGE));
}

/* emu takes at most 2^24 pages, as many as a tail of its layouts has (lib/prm). */
TEST_F(memory, umem_with_more_pages_than_a_mailbox_has_no_memory)
{
	const size_t bytes = (1ull << 24) * PAGE + PAGE;
	uint8_t *at;
	int fd;

	NEEDS_EMU("because a kernel would take 64 GiB of memory");
	at = verbs_rig_map_shared(bytes, &fd);
	ASSERT_NE(NULL, at);
	EXPECT_EQ(ENOMEM, register_umem(self->ctx, at, bytes, 0, PAGE));
	munmap(at, bytes);
	close(fd);
}

TEST_F(memory, umem_over_unmapped_memory_fails_with_efault)
{
	int fd;
	uint8_t *gap = verbs_rig_map_shared(3 * PAGE, &fd);

	ASSERT_NE(NULL, gap);
	ASSERT_EQ(0, munmap(gap + PAGE, PAGE));
	EXPECT_EQ(EFAULT, register_umem(self->ctx, gap, 3 * PAGE, 0, PAGE));
	EXPECT_EQ(0, register_umem(self->ctx, gap, PAGE, 0, PAGE));
	ASSERT_EQ(0, mprotect(gap, PAGE, PROT_READ));
	EXPECT_EQ(EFAULT, register_umem(self->ctx, gap, PAGE, IBV_ACCESS_LOCAL_WRITE, PAGE));
	EXPECT_EQ(0, register_umem(self->ctx, gap, PAGE, 0, PAGE));
	munmap(gap, PAGE);
	munmap(gap + 2 * PAGE, PAGE);
	close(fd);
}

TEST_F(memory, iova_of_a_region_must_have_the_page_offset_of_its_address)
{
	struct ibv_mr *mr =
		ibv_reg_mr_iova(self->pd, self->buf + 100, 5000, 0x10064, IBV_ACCESS_LOCAL_WRITE);

	ASSERT_NE(NULL, mr);
	EXPECT_EQ(0, ibv_dereg_mr(mr));
	EXPECT_EQ(NULL, ibv_reg_mr_iova(self->pd, self->buf + 100, 5000, 0x10000,
					IBV_ACCESS_LOCAL_WRITE));
	EXPECT_EQ(EINVAL, errno);
}

TEST_F(memory, region_accepts_relaxed_ordering)
{
	struct ibv_mr *mr = ibv_reg_mr(self->pd, self->buf, MIB_2,
				       IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_RELAXED_ORDERING);

	ASSERT_NE(NULL, mr);
	EXPECT_EQ(0, ibv_dereg_mr(mr));
}

/* Linux may keep the memory key of the region. emu never does, so that no driver relies on it. */
TEST_F(memory, rereg_gives_another_key_and_keeps_the_region)
{
	struct ibv_mr *mr = ibv_reg_mr(self->pd, self->buf, PAGE, IBV_ACCESS_LOCAL_WRITE);
	const uint32_t was = mr->lkey;

	EXPECT_EQ(0, ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, self->buf, MIB_2, 0));
	if (emu_if_any())
		EXPECT_NE(was, mr->lkey);
	EXPECT_EQ_ON_EMU(1, verbs_rig_read_counters().objects[DEVX_EMU_PD]);
	EXPECT_EQ(0, ibv_dereg_mr(mr));
}

TEST_F(memory, rereg_keeps_what_it_does_not_change)
{
	struct ibv_pd *second = ibv_alloc_pd(self->ctx);
	struct ibv_mr *mr = ibv_reg_mr(self->pd, self->buf, PAGE, IBV_ACCESS_LOCAL_WRITE);

	ASSERT_NE(NULL, mr);
	EXPECT_EQ(0, ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, 0));
	ASSERT_EQ(0, mprotect(self->buf, 2 * PAGE, PROT_READ));
	/* a region that was still writable could not be in this memory */
	EXPECT_EQ(0,
		  ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, self->buf, 2 * PAGE, 0));
	EXPECT_EQ(0, ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_PD, second, NULL, 0, 0));
	EXPECT_EQ(EBUSY, ibv_dealloc_pd(second));
	EXPECT_NE(0, ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0,
				  IBV_ACCESS_LOCAL_WRITE));
	ASSERT_EQ(0, mprotect(self->buf, 2 * PAGE, PROT_READ | PROT_WRITE));
	EXPECT_EQ(0, ibv_dereg_mr(mr));
	EXPECT_EQ(0, ibv_dealloc_pd(second));
}

TEST_F(memory, stand_in_can_be_registered_as_a_dmabuf)
{
	const int fd = memfd_create("devx-emu-dmabuf", MFD_CLOEXEC);
	struct ibv_mr *mr;

	NEEDS_EMU("because only emu has a stand-in for dma-bufs");
	ASSERT_EQ(0, ftruncate(fd, 4 * PAGE));
	mr = ibv_reg_dmabuf_mr(self->pd, PAGE, 2 * PAGE, 0x100000, fd, IBV_ACCESS_LOCAL_WRITE);
	ASSERT_NE(NULL, mr);
	EXPECT_EQ(0, ibv_dereg_mr(mr));
	EXPECT_EQ(NULL,
		  ibv_reg_dmabuf_mr(self->pd, 3 * PAGE, 2 * PAGE, 0, fd, IBV_ACCESS_LOCAL_WRITE));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(NULL, ibv_reg_dmabuf_mr(self->pd, 0, PAGE, 0x100, fd, IBV_ACCESS_LOCAL_WRITE));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(NULL, ibv_reg_dmabuf_mr(self->pd, 0, PAGE, 0, -1, IBV_ACCESS_LOCAL_WRITE));
	EXPECT_EQ(EBADF, errno);
	close(fd);
}

TEST_F(memory, only_a_dmabuf_can_be_registered_as_one)
{
	char path[] = "/tmp/devx-dmabuf-XXXXXX";
	const int file = mkstemp(path), zero = open("/dev/zero", O_RDWR | O_CLOEXEC);
	const int other = memfd_create("buffer", MFD_CLOEXEC);
	const int fds[] = { file, zero, other, self->pd->context->cmd_fd };

	unlink(path);
	ASSERT_EQ(0, ftruncate(file, PAGE));
	ASSERT_EQ(0, ftruncate(other, PAGE));
	for (unsigned i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
		struct ibv_mr *mr =
			ibv_reg_dmabuf_mr(self->pd, 0, PAGE, 0, fds[i], IBV_ACCESS_LOCAL_WRITE);

		EXPECT_EQ(NULL, mr);
		EXPECT_EQ(EINVAL, errno);
	}
	close(other);
	close(zero);
	close(file);
}
