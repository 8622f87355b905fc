/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "devx/dmabuf.h"

#include "ct.h"
#include "devx_rig.h"
#include "dmabuf.h"
#include "needs_emu.h"

/* Packet memory in a dma-buf (dmabuf.c, mkey_umem.c), with both ways of registration. */

enum { PAGE = 4096, N_PAGES = 16, BYTES = N_PAGES * PAGE };

FIXTURE(dmabuf)
{
	struct devx_rig rig;
	struct test_dmabuf buf;
};

FIXTURE_SETUP(dmabuf)
{
	ASSERT_EQ(0, devx_rig_up(&self->rig));
	ASSERT_TRUE(test_dmabuf_up(&self->buf, BYTES));
}

FIXTURE_TEARDOWN(dmabuf)
{
	EXPECT_EQ(0, self->rig.dev.n_stuck);
	test_dmabuf_down(&self->buf);
	devx_rig_down(&self->rig);
}

static const struct way {
	const char *name;
	bool umem; /* on emu, refuse the memory region as Linux 7 does on a device without RoCE */
} ways[] = {
	{ "as_the_kernel_decides", false },
	{ "as_a_umem", true },
};

static void refuse_next_mr(const struct way *way)
{
	if (way->umem)
		emu_if_any()->fail(DEVX_EMU_FAIL_IOCTL, 0, EOPNOTSUPP);
}

/* Returns the part of the dma-buf from @offset on, at the same offset of the device's addresses. */
static struct devx_dmabuf get_part(const struct test_dmabuf *buf, uint64_t offset)
{
	return (struct devx_dmabuf){ .fd = buf->fd,
				     .offset = offset,
				     .bytes = BYTES - offset,
				     .iova = (uintptr_t)buf->device + offset,
				     .access = DEVX_DMABUF_WRITE };
}

TEST_F_EACH(dmabuf, is_registered_at_the_given_iova, struct way, ways)
{
	const struct devx_dmabuf part = get_part(&self->buf, PAGE + 64);
	struct devx_mr mr = { 0 };

	if (row->umem)
		NEEDS_EMU("to refuse the memory region");
	refuse_next_mr(row);
	ASSERT_EQ(0, devx_mr_create_dmabuf(&mr, &self->rig.dev, &part));
	EXPECT_EQ(part.iova, mr.addr);
	EXPECT_EQ(part.bytes, mr.bytes);
	EXPECT_NE(0, mr.lkey);
	EXPECT_TRUE(mr.mr ? !mr.umem && !mr.mkey : mr.umem && mr.mkey);
	EXPECT_TRUE(mr.umem || !row->umem);
	printf("registered as %s\n", mr.mr ? "a memory region" : "a umem with an mkey");
	devx_mr_destroy(&mr);
}

/* Posts a receive buffer at @addr. */
static void post_recv(struct devx_rig *rig, uint64_t addr, uint32_t lkey)
{
	*devx_rq_get_wqe(&rig->rq, rig->rq.pi) =
		(struct prm_data_seg){ prm_be32_of(DEVX_RIG_SLOT_BYTES), prm_be32_of(lkey),
				       prm_be64_of(addr) };
	rig->rq.pi++;
	devx_rq_post(&rig->rq);
}

/* Waits for a CQE. Returns its opcode, and in @bytes its byte count; -1: none came. */
static int take_cqe(struct devx_cq *cq, unsigned *bytes)
{
	const struct prm_cqe *cqe = devx_rig_wait_cqe(cq);
	int opcode;

	*bytes = 0;
	if (!cqe)
		return -1;
	opcode = prm_cqe_opcode(cqe->op_own);
	*bytes = prm_be32_get(cqe->byte_cnt);
	devx_rig_drop_cqe(cq);
	return opcode;
}

/* A frame goes from one page of the dma-buf to another; the process cannot access the addresses. */
TEST_F_EACH(dmabuf, frames_move_without_the_cpu, struct way, ways)
{
	enum { FROM = 3 * PAGE + 100, TO = 7 * PAGE + 200, LENGTH = 1000 };
	const struct devx_dmabuf part = get_part(&self->buf, PAGE);
	struct devx_rig *rig = &self->rig;
	struct devx_mr mr = { 0 };
	unsigned bytes;

	if (row->umem)
		NEEDS_EMU("to refuse the memory region");
	refuse_next_mr(row);
	ASSERT_EQ(0, devx_mr_create_dmabuf(&mr, &rig->dev, &part));
	test_dmabuf_close_fd(&self->buf);
	for (uint32_t seq = 0; seq < 3; seq++) {
		SCOPED_TRACE("frame %u", seq);
		memset(self->buf.memory + TO, 0, LENGTH);
		devx_rig_write_frame(rig, self->buf.memory + FROM, seq, LENGTH);
		post_recv(rig, (uintptr_t)self->buf.device + TO, mr.lkey);
		devx_sq_ring(&rig->sq,
			     devx_rig_post_send(rig, self->buf.device + FROM, LENGTH, mr.lkey));
		ASSERT_EQ(PRM_CQE_REQ, take_cqe(&rig->send_cq, &bytes));
		ASSERT_EQ(PRM_CQE_RESP_SEND, take_cqe(&rig->recv_cq, &bytes));
		EXPECT_EQ(LENGTH, bytes);
		EXPECT_EQ(seq, devx_rig_read_seq(rig, self->buf.memory + TO, LENGTH));
	}
	devx_mr_destroy(&mr);
}

TEST_F_EACH(dmabuf, device_cannot_write_without_the_right, struct way, ways)
{
	struct devx_dmabuf part = get_part(&self->buf, 0);
	struct devx_rig *rig = &self->rig;
	struct devx_mr mr = { 0 };
	unsigned bytes;

	NEEDS_EMU("to reset the count of the mistake");
	part.access = 0;
	refuse_next_mr(row);
	ASSERT_EQ(0, devx_mr_create_dmabuf(&mr, &rig->dev, &part));
	devx_rig_write_frame(rig, self->buf.memory, 5, 100);
	post_recv(rig, part.iova + PAGE, mr.lkey);
	devx_sq_ring(&rig->sq, devx_rig_post_send(rig, self->buf.device, 100, mr.lkey));
	EXPECT_EQ(PRM_CQE_REQ, take_cqe(&rig->send_cq, &bytes)); /* it may read */
	EXPECT_EQ(PRM_CQE_RESP_ERR, take_cqe(&rig->recv_cq, &bytes));
	EXPECT_EQ(0, self->buf.memory[PAGE]);
	emu_if_any()->reset_mistakes();
	devx_mr_destroy(&mr);
}

/* ---- refusals ------------------------------------------------------------------------ */

static const struct bad_part {
	const char *name;
	uint64_t offset, bytes;
	const char *says;
} bad_parts[] = {
	{ "offset_at_the_end", BYTES, PAGE, "offset 0x10000 is outside" },
	{ "offset_far_outside", 1ull << 40, PAGE, "offset 0x10000000000 is outside" },
	{ "length_beyond_the_end", 2 * PAGE, BYTES, "valid: up to 57344 bytes at this offset" },
};

TEST_F_EACH(dmabuf, refuses_a_part_outside, struct bad_part, bad_parts)
{
	struct devx_dmabuf part = get_part(&self->buf, 0);
	static const struct devx_mr none;
	struct devx_mr mr = { 0 };

	part.offset = row->offset;
	part.bytes = row->bytes;
	devx_rig_expect_error(&self->rig.dev, -EINVAL, row->says,
			      devx_mr_create_dmabuf(&mr, &self->rig.dev, &part));
	EXPECT_MEMEQ(&none, &mr, sizeof(mr));
}

TEST_F(dmabuf, refuses_a_closed_descriptor)
{
	struct devx_dmabuf part = get_part(&self->buf, 0);
	struct devx_mr mr = { 0 };

	test_dmabuf_close_fd(&self->buf);
	devx_rig_expect_error(&self->rig.dev, -EBADF, "is not open",
			      devx_mr_create_dmabuf(&mr, &self->rig.dev, &part));
}

static const struct other_file {
	const char *name, *path; /* NULL: a memfd */
} other_files[] = {
	{ "device", "/dev/zero" },
	{ "directory", "/" },
	{ "memory_file", NULL },
};

TEST_F_EACH(dmabuf, refuses_a_file_that_is_no_dmabuf, struct other_file, other_files)
{
	struct devx_dmabuf part = get_part(&self->buf, 0);
	struct devx_mr mr = { 0 };

	part.bytes = 1;
	part.fd = row->path ? open(row->path, O_RDONLY | O_CLOEXEC)
			    : memfd_create("other", MFD_CLOEXEC);
	ASSERT_LE(0, part.fd);
	if (!row->path)
		ASSERT_EQ(0, ftruncate(part.fd, PAGE));
	devx_rig_expect_error(&self->rig.dev, -EINVAL, "is not a dma-buf",
			      devx_mr_create_dmabuf(&mr, &self->rig.dev, &part));
	close(part.fd);
}

/* emu answers like a kernel for an exporter that refuses every device access to its memory. */
TEST_F(dmabuf, refuses_an_exporter_without_support)
{
	struct devx_dmabuf part = get_part(&self->buf, 0);
	struct devx_mr mr = { 0 };
	char path[32];

	NEEDS_EMU("because udmabuf supports every device");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", self->buf.fd);
	part.fd = open(path, O_RDONLY | O_CLOEXEC); /* cannot be mapped for writing */
	ASSERT_LE(0, part.fd);
	devx_rig_expect_error(&self->rig.dev, -EOPNOTSUPP, "the exporter of fd",
			      devx_mr_create_dmabuf(&mr, &self->rig.dev, &part));
	close(part.fd);
}

/* An adapter would reach this memory. emu cannot, and the access ends as one to lost memory. */
TEST_F(dmabuf, of_an_exporter_without_mmap_is_registered)
{
	struct devx_dmabuf part = get_part(&self->buf, 0);
	struct devx_rig *rig = &self->rig;
	struct devx_mr mr = { 0 };
	unsigned bytes;

	NEEDS_EMU("to reset the count of the mistake");
	devx_rig_write_frame(rig, self->buf.memory, 1, 100);
	ASSERT_EQ(0, fcntl(self->buf.fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE));
	ASSERT_EQ(0, devx_mr_create_dmabuf(&mr, &rig->dev, &part));
	devx_sq_ring(&rig->sq, devx_rig_post_send(rig, self->buf.device, 100, mr.lkey));
	EXPECT_EQ(PRM_CQE_REQ_ERR, take_cqe(&rig->send_cq, &bytes));
	emu_if_any()->reset_mistakes();
	devx_mr_destroy(&mr);
}

/* No device here has the function: neither emu nor the adapter of a guest. */
TEST_F(dmabuf, data_direct_is_refused_by_name)
{
	struct devx_dmabuf part = get_part(&self->buf, 0);
	struct devx_mr mr = { 0 };
	char path[256];

	part.access |= DEVX_DMABUF_DATA_DIRECT;
	devx_rig_expect_error(&self->rig.dev, -ENOTSUP,
			      "Data Direct: ", devx_mr_create_dmabuf(&mr, &self->rig.dev, &part));
	devx_rig_expect_error(&self->rig.dev, -ENOTSUP, "Data Direct: ",
			      devx_dmabuf_get_direct_path(&self->rig.dev, path, sizeof(path)));
	printf("%s\n", self->rig.dev.refusal.text);
}
