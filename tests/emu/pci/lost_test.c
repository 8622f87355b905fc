/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A client takes guest memory away while queues and commands use it, or ends in the middle of both.
 * The server says so in one line and takes the next client.
 */
#include <string.h>
#include <unistd.h>

#include "../core_rig_post.h"
#include "../udp_frame.h"
#include "pci_rig.h"
#include "prm/seg.h"

enum { FRAME = 1000, LOG_QUEUE = 6 };

FIXTURE(pci_lost)
{
	struct pci_rig rig;
	struct core_rig r;
	struct core_rig_sq sq;
	uint8_t ctrl[8]; /* the doorbell of the SQ, which has one WQE */
};

FIXTURE_SETUP(pci_lost)
{
	pci_rig_open(&self->rig);
}

FIXTURE_TEARDOWN(pci_lost)
{
	pci_rig_close(&self->rig);
}

/* Posts a frame and writes the doorbell record, but does not ring. */
static void prepare_traffic(struct ct_fix_pci_lost *self)
{
	struct core_rig *r = &self->r;
	struct core_rig_cq cq;
	struct core_rig_wqe p;
	uint8_t *frame;

	pci_rig_attach_core(&self->rig, r);
	emu_uar_attach(r->emu, r->uar, NULL); /* a page of the rig in guest memory */
	core_rig_make_rx(r, LOG_QUEUE, 2048);
	cq = core_rig_make_cq(r, LOG_QUEUE);
	self->sq = core_rig_make_sq(r, LOG_QUEUE, cq.cqn);
	frame = core_rig_alloc(r, FRAME);
	udp_frame_write(frame, FRAME, &(struct udp_frame){ .fill = 7 });
	p = core_rig_begin_wqe(&self->sq, PRM_WQE_SEND, PRM_CE_ALWAYS);
	core_rig_add_eth(&p, 0);
	core_rig_add_pointer(&p, core_rig_make_mkey(r, frame, FRAME, false), frame, FRAME);
	core_rig_end_wqe(r, &p, false);
	self->sq.dbr[PRM_DBR_SND] = prm_be32_of(self->sq.pi);
	memcpy(self->ctrl, p.ctrl, sizeof(self->ctrl));
}

static unsigned count_lines(const char *said, const char *key)
{
	unsigned n = 0;

	for (const char *p = strstr(said, key); p; p = strstr(p + 1, key))
		n++;
	return n;
}

/* Expects that the next client gets its frame back. */
static void expect_next_client(struct ct_fix_pci_lost *self)
{
	const struct emu_counters zero = { 0 };
	struct emu_counters c;

	EXPECT_EQ(0, ftruncate(self->rig.mem_fd, PCI_RIG_MEM_BYTES));
	pci_rig_connect(&self->rig);
	emu_read_counters(self->rig.pci->emu, 0, &c);
	EXPECT_MEMEQ(zero.n_objects, c.n_objects, sizeof(c.n_objects));
	prepare_traffic(self);
	pci_rig_write_uar(&self->rig, &self->r, PRM_UAR_BF, self->ctrl, sizeof(self->ctrl));
	for (int i = 0; i < 1000 && !c.vport.rx_uc_packets; i++) {
		pci_rig_expect_alive(&self->rig);
		emu_read_counters(self->rig.pci->emu, 0, &c);
	}
	EXPECT_EQ(1, c.vport.rx_uc_packets);
}

TEST_F(pci_lost, truncated_memory_fails_queues_and_not_the_server)
{
	prepare_traffic(self);
	EXPECT_EQ(0, ftruncate(self->rig.mem_fd, 0));
	for (int i = 0; i < 3; i++) {
		pci_rig_write_uar(&self->rig, &self->r, PRM_UAR_BF, self->ctrl, 8);
		pci_rig_expect_alive(&self->rig);
	}
	pci_rig_hang_up(&self->rig);
	EXPECT_EQ(1, count_lines(self->rig.said, "the client truncated its file"));
	EXPECT_LT(0, self->rig.mistakes.n[EMU_MISTAKE_memory_lost]);
	expect_next_client(self);
}

TEST_F(pci_lost, truncated_command_queue_is_reported)
{
	pci_rig_map_memory(&self->rig);
	pci_rig_write32(&self->rig, offsetof(struct prm_init_seg, cmdq_addr_l_sz), PCI_RIG_MEM_AT);
	EXPECT_EQ(0, ftruncate(self->rig.mem_fd, 0));
	pci_rig_write32(&self->rig, offsetof(struct prm_init_seg, cmd_dbell), 1);
	pci_rig_write32(&self->rig, offsetof(struct prm_init_seg, cmd_dbell), 1);
	pci_rig_expect_alive(&self->rig);
	pci_rig_hang_up(&self->rig);
	EXPECT_EQ(1, count_lines(self->rig.said, "the client truncated its file"));
	EXPECT_EQ(2, count_lines(self->rig.said, "command entry 0: not mapped"));
	expect_next_client(self);
}

TEST_F(pci_lost, unmapped_memory_fails_queues_as_on_an_adapter)
{
	const struct vfu_dma_unmap all = { sizeof(all), VFIO_DMA_UNMAP_FLAG_ALL, 0, 0 };

	prepare_traffic(self);
	EXPECT_EQ(0, pci_rig_ask(&self->rig, VFU_DMA_UNMAP, &all, sizeof(all), NULL, 0));
	pci_rig_write_uar(&self->rig, &self->r, PRM_UAR_BF, self->ctrl, sizeof(self->ctrl));
	pci_rig_expect_alive(&self->rig);
	pci_rig_hang_up(&self->rig);
	EXPECT_EQ(0, self->rig.mistakes.n[EMU_MISTAKE_memory_lost]);
	expect_next_client(self);
}

/* The rest of a message, the answer and the completions are never read. */
TEST_F(pci_lost, client_may_leave_inside_a_message_with_queues_running)
{
	const struct vfu_header half = { .id = 1, .command = VFU_REGION_WRITE, .bytes = 64 };

	prepare_traffic(self);
	pci_rig_write_uar(&self->rig, &self->r, PRM_UAR_BF, self->ctrl, sizeof(self->ctrl));
	EXPECT_EQ((ssize_t)sizeof(half), write(self->rig.fd, &half, sizeof(half)));
	pci_rig_hang_up(&self->rig);
	EXPECT_EQ(1, count_lines(self->rig.said, "in the middle of a message"));
	EXPECT_EQ(1, count_lines(self->rig.said, "while its driver was running"));
	expect_next_client(self);
}
