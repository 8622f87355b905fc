/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "devx/dmabuf.h"

#include "ct.h"
#include "cuda.h"
#include "devx_rig.h"
#include "needs_emu.h"

/*
 * Packet memory of a GPU. An adapter reaches it without the CPU. emu is a thread of this process.
 * Therefore frames move on emu only if the exporter of the dma-buf supports mmap().
 */

enum { BYTES = 2 << 20, PAGE = 4096, FROM = 0x1000, TO = 0x21000, FRAME = 1000 };

FIXTURE(gpu)
{
	struct devx_rig rig;
	struct cuda cuda;
	uint64_t addr; /* address of the memory in the space that CPU and GPU share */
	int fd;
};

FIXTURE_SETUP(gpu)
{
	char why[256];

	self->fd = -1;
	ASSERT_EQ(0, devx_rig_up(&self->rig));
	if (!cuda_open(&self->cuda, why, sizeof(why)))
		SKIP("%s", why);
	ASSERT_EQ(0, self->cuda.allocate(&self->addr, BYTES));
	self->fd = cuda_export(&self->cuda, self->addr, BYTES);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(gpu)
{
	close(self->fd);
	if (self->addr)
		EXPECT_EQ(0, self->cuda.free(self->addr));
	cuda_close(&self->cuda);
	EXPECT_EQ(0, self->rig.dev.n_stuck);
	devx_rig_down(&self->rig);
}

/* Registers what @fd exports: @bytes that CPU and GPU find at @addr. */
static int register_export(struct devx_rig *rig, struct devx_mr *mr, int fd, uint64_t addr,
			   uint64_t bytes)
{
	return devx_mr_create_dmabuf(
		mr, &rig->dev,
		&(struct devx_dmabuf){
			.fd = fd, .bytes = bytes, .iova = addr, .access = DEVX_DMABUF_WRITE });
}

static int register_memory(struct ct_fix_gpu *self, struct devx_mr *mr)
{
	return register_export(&self->rig, mr, self->fd, self->addr, BYTES);
}

static struct devx_emu_counters get_counters(void)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	struct devx_emu_counters now = { 0 };

	if (emu)
		emu->counters(0, &now, sizeof(now));
	return now;
}

/* Expects no object that was not there @before. */
static void expect_nothing_left(const struct devx_emu_counters *before)
{
	const struct devx_emu_counters after = get_counters();

	EXPECT_EQ(before->handles, after.handles);
	EXPECT_EQ(before->objects[DEVX_EMU_MKEY], after.objects[DEVX_EMU_MKEY]);
	EXPECT_EQ(before->objects[DEVX_EMU_UMEM], after.objects[DEVX_EMU_UMEM]);
}

/* Returns whether the device of this test reaches the memory. */
static bool is_reachable(int fd)
{
	void *at = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (at != MAP_FAILED)
		munmap(at, BYTES);
	return at != MAP_FAILED || !emu_if_any();
}

TEST_F(gpu, memory_of_a_gpu_is_registered_and_released)
{
	const struct devx_emu_counters before = get_counters();
	struct devx_mr mr = { 0 };

	for (int i = 0; i < 3; i++) {
		ASSERT_EQ(0, register_memory(self, &mr));
		EXPECT_EQ(self->addr, mr.addr);
		EXPECT_NE(0, mr.lkey);
		devx_mr_destroy(&mr);
	}
	expect_nothing_left(&before);
}

/* Parts of an allocation: CUDA exports whole pages of the host. */
static const struct part {
	const char *name;
	uint64_t offset, bytes;
} parts[] = {
	{ "first_page", 0, PAGE },
	{ "one_page_of_many", 5 * PAGE, PAGE },
	{ "64_KiB", 0x10000, 0x10000 },
	{ "all_but_a_page", PAGE, BYTES - PAGE },
};

TEST_F_EACH(gpu, exported_part_is_registered, struct part, parts)
{
	const struct devx_emu_counters before = get_counters();
	const int fd = cuda_export(&self->cuda, self->addr + row->offset, row->bytes);
	struct devx_mr mr = { 0 };

	ASSERT_LE(0, fd);
	EXPECT_EQ(row->bytes, lseek(fd, 0, SEEK_END));
	ASSERT_EQ(0, register_export(&self->rig, &mr, fd, self->addr + row->offset, row->bytes));
	close(fd); /* the registration keeps the memory */
	EXPECT_EQ(self->addr + row->offset, mr.addr);
	devx_mr_destroy(&mr);
	expect_nothing_left(&before);
}

static const struct mapped {
	const char *name;
	unsigned n_parts;
} mapped[] = { { "one_part", 1 }, { "several_parts_one_behind_the_other", 3 } };

TEST_F_EACH(gpu, memory_of_cuMemMap_is_registered, struct mapped, mapped)
{
	const struct devx_emu_counters before = get_counters();
	const uint64_t bytes = (uint64_t)row->n_parts * BYTES;
	struct devx_mr mr = { 0 };
	uint64_t addr = 0;
	int fd;

	if (!self->cuda.create)
		SKIP("libcuda.so.1 has no virtual memory management");
	ASSERT_EQ(0, cuda_map_parts(&self->cuda, &addr, row->n_parts, BYTES));
	fd = cuda_export(&self->cuda, addr, bytes);
	ASSERT_LE(0, fd);
	EXPECT_EQ(bytes, lseek(fd, 0, SEEK_END));
	ASSERT_EQ(0, register_export(&self->rig, &mr, fd, addr, bytes));
	close(fd);
	devx_mr_destroy(&mr);
	EXPECT_EQ(0, cuda_unmap_parts(&self->cuda, addr, row->n_parts, BYTES));
	expect_nothing_left(&before);
}

/* CUDA may give the addresses to other memory then, so a program ends the registration first. */
TEST_F(gpu, registration_outlives_the_allocation)
{
	const struct devx_emu_counters before = get_counters();
	struct devx_mr mr = { 0 };
	uint64_t addr;
	int fd;

	ASSERT_EQ(0, register_memory(self, &mr));
	EXPECT_EQ(0, self->cuda.free(self->addr));
	self->addr = 0;
	EXPECT_EQ(BYTES, lseek(self->fd, 0, SEEK_END));
	devx_mr_destroy(&mr);
	expect_nothing_left(&before);

	/* the driver exports and frees as before */
	ASSERT_EQ(0, self->cuda.allocate(&addr, BYTES));
	fd = cuda_export(&self->cuda, addr, BYTES);
	ASSERT_LE(0, fd);
	close(fd);
	EXPECT_EQ(0, self->cuda.free(addr));
}

static const struct refused {
	const char *name;
	uint64_t offset, bytes;
	int type;
	uint64_t flags;
} refused_exports[] = {
	{ "address_within_a_page", 64, PAGE, CUDA_DMA_BUF_FD, 0 },
	{ "length_of_0", 0, 0, CUDA_DMA_BUF_FD, 0 },
	{ "length_of_half_a_page", 0, PAGE / 2, CUDA_DMA_BUF_FD, 0 },
	{ "beyond_the_memory", 0, 1ull << 40, CUDA_DMA_BUF_FD, 0 },
	{ "other_type", 0, PAGE, 0, 0 },
	{ "unknown_flag", 0, PAGE, CUDA_DMA_BUF_FD, 1ull << 40 },
};

TEST_F_EACH(gpu, CUDA_refuses_to_export, struct refused, refused_exports)
{
	int fd = -1;

	EXPECT_NE(0, self->cuda.get_handle(&fd, self->addr + row->offset, row->bytes, row->type,
					   row->flags));
	EXPECT_EQ(-1, fd);
}

/* Memory of the host needs no dma-buf: a device reaches it by its own addresses. */
TEST_F(gpu, CUDA_refuses_to_export_memory_of_the_host)
{
	void *at = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t addr;

	ASSERT_NE(MAP_FAILED, at);
	ASSERT_EQ(0, self->cuda.register_host(at, BYTES, CUDA_HOST_MAPPED));
	ASSERT_EQ(0, self->cuda.get_device_pointer(&addr, at, 0));
	EXPECT_EQ(-1, cuda_export(&self->cuda, addr, BYTES));
	EXPECT_EQ(0, self->cuda.unregister_host(at));
	munmap(at, BYTES);
}

static const struct bad_part {
	const char *name;
	uint64_t offset, bytes;
	int fd; /* 0: that of the memory */
	int rc;
	const char *says;
} bad_parts[] = {
	{ "offset_outside", BYTES, 4096, 0, -EINVAL, "is outside fd" },
	{ "length_too_large", 4096, BYTES, 0, -EINVAL, "do not fit fd" },
	{ "address_off_page", 64, 4096, 0, -EINVAL, "differ within a page" },
	{ "closed_descriptor", 0, 4096, 999, -EBADF, "fd 999 is not open" },
};

TEST_F_EACH(gpu, bad_part_of_gpu_memory_is_refused, struct bad_part, bad_parts)
{
	const struct devx_dmabuf part = { .fd = row->fd ? row->fd : self->fd,
					  .offset = row->offset,
					  .bytes = row->bytes,
					  .iova = self->addr,
					  .access = DEVX_DMABUF_WRITE };
	struct devx_mr mr = { 0 };

	devx_rig_expect_error(&self->rig.dev, row->rc, row->says,
			      devx_mr_create_dmabuf(&mr, &self->rig.dev, &part));
}

TEST_F(gpu, frames_move_in_gpu_memory)
{
	struct devx_rig *rig = &self->rig;
	uint8_t frame[FRAME], got[FRAME];
	const struct prm_cqe *cqe;
	struct devx_mr mr = { 0 };

	if (!is_reachable(self->fd))
		SKIP("the exporter refuses mmap() of its dma-buf, so emu moves no frame there");
	ASSERT_EQ(0, register_memory(self, &mr));
	for (uint32_t seq = 0; seq < 3; seq++) {
		devx_rig_write_frame(rig, frame, seq, FRAME);
		ASSERT_EQ(0, self->cuda.copy_to_gpu(self->addr + FROM, frame, FRAME));
		*devx_rq_get_wqe(&rig->rq, rig->rq.pi++) =
			(struct prm_data_seg){ prm_be32_of(FRAME), prm_be32_of(mr.lkey),
					       prm_be64_of(self->addr + TO) };
		devx_rq_post(&rig->rq);
		devx_sq_ring(&rig->sq,
			     devx_rig_post_send(rig, (const void *)(uintptr_t)(self->addr + FROM),
						FRAME, mr.lkey));
		cqe = devx_rig_wait_cqe(&rig->recv_cq);
		ASSERT_TRUE(cqe);
		EXPECT_EQ(PRM_CQE_RESP_SEND, prm_cqe_opcode(cqe->op_own));
		devx_rig_drop_cqe(&rig->recv_cq);
		cqe = devx_rig_wait_cqe(&rig->send_cq);
		ASSERT_TRUE(cqe);
		devx_rig_drop_cqe(&rig->send_cq);
		ASSERT_EQ(0, self->cuda.copy_from_gpu(got, self->addr + TO, FRAME));
		EXPECT_EQ(seq, devx_rig_read_seq(rig, got, FRAME));
	}
	devx_mr_destroy(&mr);
}
