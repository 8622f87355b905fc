/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "ct.h"
#include "devx_rig.h"
#include "needs_emu.h"

/* Rings and doorbell records of several queues in one umem of the caller (umem.c). */

enum { PAGE = DEVX_UMEM_RING_ALIGN, N_QUEUES = 4, GUARD = 0xa5 };

/*
 * The rings are on every other page, of which each fills a part. The records are on the last page,
 * 64 bytes apart from each other. All other bytes are guards.
 */
FIXTURE(umem)
{
	struct devx_rig rig;
	struct devx_umem_ring place[N_QUEUES]; /* send CQ, SQ, receive CQ, RQ */
};

FIXTURE_SETUP(umem)
{
	char *addr;

	ASSERT_EQ(0, devx_rig_up(&self->rig));
	addr = self->rig.umem.addr;
	memset(addr, GUARD, DEVX_RIG_UMEM_BYTES);
	for (int i = 0; i < N_QUEUES; i++) {
		self->place[i].umem = &self->rig.umem;
		self->place[i].ring = addr + 2 * (N_QUEUES - 1 - i) * PAGE;
		self->place[i].dbrec =
			addr + DEVX_RIG_UMEM_BYTES - PAGE + (2 * i + 1) * DEVX_DBREC_BYTES;
	}
}

FIXTURE_TEARDOWN(umem)
{
	devx_rig_down(&self->rig);
}

static void destroy_queues(struct devx_rig *rig)
{
	devx_flow_destroy(&rig->rule);
	devx_tir_destroy(&rig->tir);
	devx_rqt_destroy(&rig->rqt);
	devx_rq_destroy(&rig->rq);
	devx_cq_destroy(&rig->recv_cq);
	devx_sq_destroy(&rig->sq);
	devx_cq_destroy(&rig->send_cq);
}

/* Creates the queues of the rig again, in its umem. */
static int create_queues(struct ct_fix_umem *self)
{
	struct devx_rig *rig = &self->rig;
	const struct devx_cq_attr cq = { .log2_n = DEVX_RIG_LOG2_CQ, .uar = &rig->uar };
	const struct devx_sq_attr sq = {
		.log2_n = DEVX_RIG_LOG2_SQ, .cq = &rig->send_cq, .tis = &rig->tis, .uar = &rig->uar
	};
	const struct devx_rq_attr rq = { .log2_n = DEVX_RIG_LOG2_RQ,
					 .cq = &rig->recv_cq,
					 .keep_vlan = true };
	const struct devx_tir_attr tir = { .td = &rig->td, .rq = &rig->rq };
	struct devx_match match = { .dmac_mask = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } };
	int rc = devx_cq_create_in_umem(&rig->send_cq, &rig->dev, &cq, &self->place[0]);

	memcpy(match.dmac, rig->port.mac, sizeof(match.dmac));
	if (!rc)
		rc = devx_sq_create_in_umem(&rig->sq, &rig->dev, &sq, &self->place[1]);
	if (!rc)
		rc = devx_sq_ready(&rig->sq);
	if (!rc)
		rc = devx_cq_create_in_umem(&rig->recv_cq, &rig->dev, &cq, &self->place[2]);
	if (!rc)
		rc = devx_rq_create_in_umem(&rig->rq, &rig->dev, &rq, &self->place[3]);
	if (!rc)
		rc = devx_rq_ready(&rig->rq);
	if (!rc)
		rc = devx_tir_create(&rig->tir, &rig->dev, &tir);
	return rc ? rc : devx_flow_create(&rig->rule, &rig->dev, &match, 0, &rig->tir);
}

static void exchange_frame(struct devx_rig *rig, uint32_t seq, unsigned bytes)
{
	uint8_t *from = devx_rig_get_send_slot(rig, seq);
	const struct prm_cqe *cqe;

	devx_rig_write_frame(rig, from, seq, bytes);
	devx_rig_post_recv(rig, seq + 1);
	devx_sq_ring(&rig->sq, devx_rig_post_send(rig, from, bytes, rig->mr.lkey));
	cqe = devx_rig_wait_cqe(&rig->recv_cq);
	ASSERT_NE(NULL, cqe);
	EXPECT_EQ(PRM_CQE_RESP_SEND, prm_cqe_opcode(cqe->op_own));
	devx_rig_drop_cqe(&rig->recv_cq);
	EXPECT_EQ(seq, devx_rig_read_seq(rig, devx_rig_get_recv_slot(rig, seq), bytes));
	ASSERT_NE(NULL, devx_rig_wait_cqe(&rig->send_cq));
	devx_rig_drop_cqe(&rig->send_cq);
}

/* Expects the guard in every byte that belongs to no ring and to no record. */
static void expect_guards(const struct ct_fix_umem *self)
{
	static const size_t ring_bytes[N_QUEUES] = { 64 << DEVX_RIG_LOG2_CQ, 64 << DEVX_RIG_LOG2_SQ,
						     64 << DEVX_RIG_LOG2_CQ,
						     16 << DEVX_RIG_LOG2_RQ };
	const uint8_t *addr = self->rig.umem.addr;
	uint8_t used[DEVX_RIG_UMEM_BYTES] = { 0 };

	for (int i = 0; i < N_QUEUES; i++) {
		memset(used + ((uint8_t *)self->place[i].ring - addr), 1, ring_bytes[i]);
		memset(used + ((uint8_t *)self->place[i].dbrec - addr), 1, DEVX_DBREC_BYTES);
	}
	for (size_t i = 0; i < sizeof(used); i++)
		if (!used[i])
			ASSERT_EQ(GUARD, addr[i]);
}

TEST_F(umem, frames_move_over_queues_that_share_a_umem)
{
	enum { FRAMES = 3 << DEVX_RIG_LOG2_CQ, BYTES = 300, GENERATIONS = 2 };
	struct devx_rig *rig = &self->rig;

	for (int i = 0; i < GENERATIONS; i++) { /* the second one finds the bytes of the first */
		SCOPED_TRACE("generation %d", i);
		destroy_queues(rig);
		ASSERT_EQ(0, create_queues(self));
		EXPECT_EQ(self->place[0].ring, (void *)rig->send_cq.cqes);
		EXPECT_EQ(self->place[1].ring, (void *)rig->sq.wqebbs);
		EXPECT_EQ(self->place[2].ring, (void *)rig->recv_cq.cqes);
		EXPECT_EQ(self->place[3].ring, (void *)rig->rq.wqes);
		EXPECT_EQ(self->place[1].dbrec, (void *)rig->sq.dbrec);
		for (uint32_t seq = 0; seq < FRAMES; seq++)
			exchange_frame(rig, seq, BYTES);
	}
	destroy_queues(rig);
	EXPECT_EQ(0, rig->dev.n_stuck);
	EXPECT_NE(NULL, rig->umem.umem);
	expect_guards(self);
}

TEST_F(umem, destroy_of_a_umem_with_a_queue_in_it_is_refused_and_counted)
{
	struct devx_rig *rig = &self->rig;
	struct devx_umem umem = rig->umem;
	struct devx_cq cq = { 0 };

	NEEDS_EMU("to leave a umem behind");
	ASSERT_EQ(0, devx_cq_create_in_umem(&cq, &rig->dev,
					    &(struct devx_cq_attr){ .log2_n = 5, .uar = &rig->uar },
					    &self->place[0]));
	devx_umem_destroy(&umem);
	EXPECT_EQ(1, rig->dev.n_stuck);
	EXPECT_EQ(NULL, umem.umem);
	devx_cq_destroy(&cq);
	EXPECT_EQ(1, rig->dev.n_stuck);
	rig->umem.umem = NULL; /* closing the device destroys it */
}

/* Offsets of ring and record in the umem of the rig; the ring has 1024 bytes. */
static const struct bad_place {
	const char *name;
	ptrdiff_t ring, dbrec;
} bad_places[] = {
	{ "ring_unaligned", 64, PAGE },
	{ "ring_at_the_end", DEVX_RIG_UMEM_BYTES, 0 },
	{ "ring_before_the_start", -PAGE, 0 },
	{ "record_unaligned", 0, PAGE + 8 },
	{ "record_at_the_end", 0, DEVX_RIG_UMEM_BYTES },
	{ "record_before_the_start", 0, -DEVX_DBREC_BYTES },
};

TEST_F_EACH(umem, create_refuses, struct bad_place, bad_places)
{
	struct devx_rig *rig = &self->rig;
	char *addr = rig->umem.addr;
	const struct devx_umem_ring place = { &rig->umem, addr + row->ring, addr + row->dbrec };
	struct devx_cq cq = { 0 };

	devx_rig_expect_error(
		&rig->dev, -EINVAL, "inside the umem of 32768 bytes",
		devx_cq_create_in_umem(&cq, &rig->dev,
				       &(struct devx_cq_attr){ .log2_n = 4, .uar = &rig->uar },
				       &place));
	EXPECT_EQ(NULL, cq.dev);
	for (size_t i = 0; i < DEVX_RIG_UMEM_BYTES; i++)
		ASSERT_EQ(GUARD, (uint8_t)addr[i]);
}

TEST_F(umem, ring_that_is_longer_than_its_umem_is_refused)
{
	struct devx_rig *rig = &self->rig;
	const struct devx_cq_attr attr = { .log2_n = 5, .uar = &rig->uar };
	struct devx_umem small = rig->umem;
	const struct devx_umem_ring place = { &small, small.addr, small.addr };
	struct devx_cq cq = { 0 };

	small.bytes = 1024;
	devx_rig_expect_error(&rig->dev, -EINVAL, "a ring of 2048 bytes",
			      devx_cq_create_in_umem(&cq, &rig->dev, &attr, &place));
}

TEST_F(umem, queue_needs_a_registered_umem_of_its_device)
{
	struct devx_rig *rig = &self->rig;
	const struct devx_rq_attr attr = { .log2_n = 4, .cq = &rig->recv_cq, .keep_vlan = true };
	struct devx_dev other = { 0 };
	struct devx_umem foreign = rig->umem, gone = { 0 };
	struct devx_umem_ring place = self->place[0];
	const struct devx_umem *bad[] = { NULL, &gone, &foreign };
	struct devx_rq rq = { 0 };

	foreign.dev = &other;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		place.umem = bad[i];
		devx_rig_expect_error(&rig->dev, -EINVAL, "no umem",
				      devx_rq_create_in_umem(&rq, &rig->dev, &attr, &place));
	}
}

static const struct bad_umem {
	const char *name;
	ptrdiff_t addr;
	size_t bytes;
} bad_umems[] = {
	{ "unaligned", 64, PAGE },
	{ "empty", 0, 0 },
	{ "part_of_a_page", 0, PAGE + 64 },
};

TEST_F_EACH(umem, registration_refuses, struct bad_umem, bad_umems)
{
	struct devx_rig *rig = &self->rig;
	struct devx_umem umem = { 0 };

	devx_rig_expect_error(
		&rig->dev, -EINVAL, "whole pages of",
		devx_umem_create(&umem, &rig->dev, (char *)rig->umem.addr + row->addr, row->bytes));
	EXPECT_EQ(NULL, umem.dev);
}

TEST_F(umem, unmapped_memory_cannot_be_registered_as_umem)
{
	struct devx_rig *rig = &self->rig;
	struct devx_umem umem = { 0 };
	void *gone = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_NE(MAP_FAILED, gone);
	munmap(gone, PAGE);
	devx_rig_expect_error(&rig->dev, -EFAULT, "cannot register 4096 bytes of queue memory",
			      devx_umem_create(&umem, &rig->dev, gone, PAGE));
	EXPECT_EQ(NULL, umem.dev);
}

static const struct bad_align {
	const char *name;
	size_t align;
} bad_aligns[] = {
	{ "zero", 0 },
	{ "below_4k", 2048 },
	{ "no_power_of_two", 3 * PAGE },
};

TEST_F_EACH(umem, alignment_is_refused, struct bad_align, bad_aligns)
{
	struct devx_rig *rig = &self->rig;
	struct devx_umem umem = { 0 };

	devx_rig_expect_error(
		&rig->dev, -EINVAL, "a power of two, at least 4096",
		devx_umem_create_aligned(&umem, &rig->dev, rig->umem.addr, PAGE, row->align));
	EXPECT_EQ(NULL, umem.dev);
}

/* ---- memory that Linux can translate in pages of 2 MiB --------------------------------------- */

enum { HUGE_BYTES = 2 << 20 };

/* Creates a CQ whose ring is at @offset, and destroys it. Return: as devx_cq_create_in_umem() */
static int try_cq_at(struct devx_rig *rig, const struct devx_umem *umem, size_t offset)
{
	char *addr = umem->addr;
	const struct devx_umem_ring place = { umem, addr + offset, addr + 3 * DEVX_DBREC_BYTES };
	const struct devx_cq_attr attr = { .log2_n = 4, .uar = &rig->uar };
	struct devx_cq cq = { 0 };
	const int rc = devx_cq_create_in_umem(&cq, &rig->dev, &attr, &place);

	devx_cq_destroy(&cq);
	return rc;
}

FIXTURE(huge_umem)
{
	struct devx_rig rig;
	struct devx_umem umem;
	void *memory;
};

FIXTURE_SETUP(huge_umem)
{
	ASSERT_EQ(0, devx_rig_up(&self->rig));
	self->memory = aligned_alloc(HUGE_BYTES, HUGE_BYTES);
	ASSERT_NE(NULL, self->memory);
	memset(self->memory, 0, HUGE_BYTES);
}

FIXTURE_TEARDOWN(huge_umem)
{
	devx_umem_destroy(&self->umem);
	devx_rig_down(&self->rig);
	free(self->memory);
}

TEST_F(huge_umem, strict_device_accepts_rings_at_each_4k)
{
	const struct devx_emu_ctl *emu = emu_if_any();

	NEEDS_EMU("to make the device strict");
	emu->option("umem_strict", 1);
	EXPECT_EQ(0, devx_umem_create(&self->umem, &self->rig.dev, self->memory, HUGE_BYTES));
	EXPECT_EQ(0, try_cq_at(&self->rig, &self->umem, PAGE));
	EXPECT_EQ(0, try_cq_at(&self->rig, &self->umem, HUGE_BYTES - PAGE));
	EXPECT_EQ(1, emu->option("umem_strict", 0));
}

TEST_F(huge_umem, strict_device_finds_pages_as_large_as_the_alignment)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	struct devx_rig *rig = &self->rig;

	NEEDS_EMU("to make the device strict");
	emu->option("umem_strict", 1);
	EXPECT_EQ(0, devx_umem_create_aligned(&self->umem, &rig->dev, self->memory, HUGE_BYTES,
					      HUGE_BYTES / 2));
	EXPECT_EQ(0, try_cq_at(rig, &self->umem, HUGE_BYTES / 2));
	devx_rig_expect_error(&rig->dev, -EREMOTEIO, "CREATE_CQ",
			      try_cq_at(rig, &self->umem, HUGE_BYTES / 4));
	EXPECT_EQ(1, emu->option("umem_strict", 0));
}

/* Such a kernel refuses the attribute with the page sizes, and accepts the umem without it. */
TEST_F(huge_umem, kernel_without_page_sizes_registers_the_memory)
{
	static const int refusals[] = { EPROTONOSUPPORT, EOPNOTSUPP };
	const struct devx_emu_ctl *emu = emu_if_any();

	NEEDS_EMU("to make an ioctl fail");
	for (int i = 0; i < 2; i++) {
		emu->fail(DEVX_EMU_FAIL_IOCTL, 0, refusals[i]);
		EXPECT_EQ(0,
			  devx_umem_create(&self->umem, &self->rig.dev, self->memory, HUGE_BYTES));
		EXPECT_EQ(-1, emu->fail_pending(DEVX_EMU_FAIL_IOCTL));
		EXPECT_EQ(0, try_cq_at(&self->rig, &self->umem, PAGE));
		devx_umem_destroy(&self->umem);
	}
}
