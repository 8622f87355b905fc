/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ct.h"
#include "devx_rig.h"
#include "devx_rig_faults.h"
#include "needs_emu.h"

/* Queues on memory of the caller (struct devx_ring_mem). */

enum { N_QUEUES = 4, GUARD = 0xa5 };

FIXTURE(ring_memory)
{
	struct devx_rig rig;
	size_t page;
	struct devx_ring_mem mem[N_QUEUES]; /* send CQ, SQ, receive CQ, RQ */
};

/* Allocates @bytes and a page of guard bytes behind them. */
static struct devx_ring_mem allocate_ring(const struct ct_fix_ring_memory *self, size_t bytes)
{
	struct devx_ring_mem mem = { aligned_alloc(self->page, bytes + self->page), bytes };

	memset(mem.addr, GUARD, bytes + self->page);
	return mem;
}

FIXTURE_SETUP(ring_memory)
{
	self->page = (size_t)sysconf(_SC_PAGESIZE);
	ASSERT_EQ(0, devx_rig_up(&self->rig));
	self->mem[0] = allocate_ring(self, devx_cq_bytes(DEVX_RIG_LOG2_CQ));
	self->mem[1] = allocate_ring(self, devx_sq_bytes(DEVX_RIG_LOG2_SQ));
	self->mem[2] = allocate_ring(self, devx_cq_bytes(DEVX_RIG_LOG2_CQ) + self->page);
	self->mem[3] = allocate_ring(self, devx_rq_bytes(DEVX_RIG_LOG2_RQ, 0));
}

FIXTURE_TEARDOWN(ring_memory)
{
	devx_rig_down(&self->rig);
	for (int i = 0; i < N_QUEUES; i++) {
		const uint8_t *guard = (uint8_t *)self->mem[i].addr + self->mem[i].bytes;

		for (size_t at = 0; at < self->page; at++)
			ASSERT_EQ(GUARD, guard[at]);
		free(self->mem[i].addr);
	}
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

/* Creates the queues of the rig again, on memory of the test. */
static int create_queues(struct ct_fix_ring_memory *self)
{
	struct devx_rig *rig = &self->rig;
	const struct devx_cq_attr send_cq = { DEVX_RIG_LOG2_CQ, .uar = &rig->uar,
					      .mem = self->mem[0] };
	const struct devx_sq_attr sq = { DEVX_RIG_LOG2_SQ, .cq = &rig->send_cq, .tis = &rig->tis,
					 .uar = &rig->uar, .mem = self->mem[1] };
	const struct devx_cq_attr recv_cq = { DEVX_RIG_LOG2_CQ, .uar = &rig->uar,
					      .mem = self->mem[2] };
	const struct devx_rq_attr rq = { DEVX_RIG_LOG2_RQ, .cq = &rig->recv_cq, .keep_vlan = true,
					 .mem = self->mem[3] };
	const struct devx_tir_attr tir = { .td = &rig->td, .rq = &rig->rq };
	struct devx_match match = { .dmac_mask = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } };
	int rc = devx_cq_create(&rig->send_cq, &rig->dev, &send_cq);

	memcpy(match.dmac, rig->port.mac, sizeof(match.dmac));
	if (!rc)
		rc = devx_sq_create(&rig->sq, &rig->dev, &sq);
	if (!rc)
		rc = devx_sq_ready(&rig->sq);
	if (!rc)
		rc = devx_cq_create(&rig->recv_cq, &rig->dev, &recv_cq);
	if (!rc)
		rc = devx_rq_create(&rig->rq, &rig->dev, &rq);
	if (!rc)
		rc = devx_rq_ready(&rig->rq);
	if (!rc)
		rc = devx_tir_create(&rig->tir, &rig->dev, &tir);
	return rc ? rc : devx_flow_create(&rig->rule, &rig->dev, &match, 0, &rig->tir);
}

TEST_F(ring_memory, frames_move_over_queues_on_memory_of_the_caller)
{
	enum { FRAMES = 3 << DEVX_RIG_LOG2_CQ, BYTES = 300 };
	struct devx_rig *rig = &self->rig;
	const struct prm_cqe *cqe;

	destroy_queues(rig);
	ASSERT_EQ(0, create_queues(self));
	EXPECT_EQ(self->mem[0].addr, (void *)rig->send_cq.cqes);
	EXPECT_EQ(self->mem[1].addr, (void *)rig->sq.wqebbs);
	EXPECT_EQ(self->mem[2].addr, (void *)rig->recv_cq.cqes);
	EXPECT_EQ(self->mem[3].addr, (void *)rig->rq.wqes);
	for (uint32_t seq = 0; seq < FRAMES; seq++) {
		uint8_t *to = devx_rig_get_recv_slot(rig, seq);

		devx_rig_write_frame(rig, devx_rig_get_send_slot(rig, seq), seq, BYTES);
		devx_rig_post_recv(rig, seq + 1);
		devx_sq_ring(&rig->sq, devx_rig_post_send(rig, devx_rig_get_send_slot(rig, seq),
							  BYTES, rig->mr.lkey));
		cqe = devx_rig_wait_cqe(&rig->recv_cq);
		ASSERT_NE(NULL, cqe);
		EXPECT_EQ(PRM_CQE_RESP_SEND, prm_cqe_opcode(cqe->op_own));
		devx_rig_drop_cqe(&rig->recv_cq);
		EXPECT_EQ(seq, devx_rig_read_seq(rig, to, BYTES));
		ASSERT_NE(NULL, devx_rig_wait_cqe(&rig->send_cq));
		devx_rig_drop_cqe(&rig->send_cq);
	}
	destroy_queues(rig);
	EXPECT_EQ(0, rig->dev.n_stuck);
	for (int i = 0; i < N_QUEUES; i++) /* still the caller's: mapped and writable */
		memset(self->mem[i].addr, GUARD, self->mem[i].bytes);
}

TEST_F(ring_memory, bytes_of_a_queue_are_whole_pages_and_include_the_record)
{
	const size_t page = self->page;

	EXPECT_EQ(page, devx_cq_bytes(0));
	EXPECT_EQ((64 << 10) + page, devx_cq_bytes(10));
	EXPECT_EQ((64 << 10) + page, devx_sq_bytes(10));
	EXPECT_EQ((16 << 10) + page, devx_rq_bytes(10, 0));
	EXPECT_EQ((64 << 10) + page, devx_rq_bytes(10, 2));
}

TEST_F(ring_memory, refused_destroy_tells_that_the_device_may_still_write)
{
	struct devx_rig *rig = &self->rig;
	struct devx_cq cq = { 0 };
	struct devx_rq rq = { 0 };

	NEEDS_EMU("because Linux 6.12 keeps the CQ even after its file is closed");
	ASSERT_EQ(0, devx_cq_create(&cq, &rig->dev,
				    &(struct devx_cq_attr){ DEVX_RIG_LOG2_CQ, .uar = &rig->uar,
							    .mem = self->mem[0] }));
	ASSERT_EQ(0, devx_rq_create(&rq, &rig->dev,
				    &(struct devx_rq_attr){ DEVX_RIG_LOG2_RQ, .cq = &cq,
							    .keep_vlan = true }));
	devx_cq_destroy(&cq); /* firmware refuses it and its umem, because the RQ uses the CQ */
	EXPECT_EQ(2, rig->dev.n_stuck);
	devx_rq_destroy(&rq);
	EXPECT_EQ(2, rig->dev.n_stuck);
}

/* Destroys @cq. Return: number of allocations that it frees */
static int64_t destroy_and_count(struct devx_cq *cq)
{
	const int64_t before = devx_rig_count_live();

	devx_cq_destroy(cq);
	return before - devx_rig_count_live();
}

static bool is_mapped_in_child(void *addr)
{
	const pid_t pid = fork();
	unsigned char resident;
	int status = -1;

	if (!pid)
		_exit(mincore(addr, 1, &resident) != 0);
	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

/* The kernel refuses each destroy, so libmlx5 keeps its handles: the same for each CQ. */
TEST_F(ring_memory, own_memory_is_freed_after_the_loss_of_the_device)
{
	struct devx_rig *rig = &self->rig;
	struct devx_cq_attr attr = { DEVX_RIG_LOG2_CQ, .uar = &rig->uar };
	struct devx_cq own = { 0 }, other = { 0 };
	void *addr;

	NEEDS_EMU("to let the device fail");
	ASSERT_EQ(0, devx_cq_create(&own, &rig->dev, &attr));
	attr.mem = self->mem[0];
	ASSERT_EQ(0, devx_cq_create(&other, &rig->dev, &attr));
	ASSERT_EQ(0, madvise(own.buf.addr, 1, MADV_DONTFORK)); /* as after ibv_fork_init() */
	addr = own.buf.addr;
	EXPECT_EQ(0, emu_if_any()->inject(0, DEVX_EMU_INJECT_DEVICE_FATAL, 0));
	EXPECT_EQ(destroy_and_count(&other) + 1, destroy_and_count(&own));
	EXPECT_EQ(0, rig->dev.n_stuck);
	EXPECT_TRUE(is_mapped_in_child(addr));
}

TEST_F(ring_memory, unmapped_memory_of_the_caller_is_refused)
{
	struct devx_rig *rig = &self->rig;
	struct devx_cq cq = { 0 };
	struct devx_ring_mem gone = { .bytes = devx_cq_bytes(DEVX_RIG_LOG2_CQ) };

	gone.addr =
		mmap(NULL, gone.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, gone.addr);
	munmap(gone.addr, gone.bytes);
	devx_rig_expect_error(
		&rig->dev, -EFAULT, "cannot register",
		devx_cq_create(
			&cq, &rig->dev,
			&(struct devx_cq_attr){ DEVX_RIG_LOG2_CQ, .uar = &rig->uar, .mem = gone }));
	EXPECT_EQ(NULL, cq.dev);
}
