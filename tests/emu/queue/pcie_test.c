/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The account of PCIe, against numbers that were computed by hand.
 */
#include <string.h>

#include "core_rig_post.h"
#include "prm/wqe.h"
#include "udp_frame.h"

enum { ROOM = 2048, N_FRAMES = 20 };

FIXTURE(pcie)
{
	struct core_rig r;
	struct core_rig_cq cq;
	struct core_rig_sq sq;
	uint8_t *mem;
	uint32_t lkey;
};

FIXTURE_SETUP(pcie)
{
	core_rig_open(&self->r, &(struct core_rig_config){ .wire = "loop,pause=on" });
	self->cq = core_rig_make_cq(&self->r, 6);
	self->sq = core_rig_make_sq(&self->r, 6, self->cq.cqn);
	self->mem = core_rig_alloc(&self->r, N_FRAMES * ROOM);
	self->lkey = core_rig_make_mkey(&self->r, self->mem, N_FRAMES * ROOM, false);
	for (unsigned i = 0; i < N_FRAMES; i++)
		udp_frame_write(self->mem + i * ROOM, 1514,
				&(struct udp_frame){ .fill = (uint8_t)i });
}

FIXTURE_TEARDOWN(pcie)
{
	core_rig_close(&self->r);
}

#define EXPECT_PCIE(member, value)                                                                 \
	EXPECT_EQ((uint64_t)(value), self->r.emu->pcie.member - before.member)

static void poll_all(struct core_rig *r)
{
	while (emu_poll(r->emu, 64))
		;
}

/* Three segments are one WQEBB. The RQ has 32 WQEs of 16 bytes. Each queue has its record read. */
TEST_F(pcie, counts_a_frame_of_one_send)
{
	struct core_rig_rx rx = core_rig_make_rx(&self->r, 5, ROOM);
	const struct emu_pcie_counters before = self->r.emu->pcie;

	core_rig_post_send(&self->r, &self->sq, self->lkey, self->mem, 60);
	poll_all(&self->r);
	EXPECT_NE(NULL, core_rig_take_cqe(&rx.cq));
	EXPECT_PCIE(sq_doorbells, 1);
	EXPECT_PCIE(cq_doorbells, 0);
	EXPECT_PCIE(blueflames, 0);
	EXPECT_PCIE(record_reads, 2);
	EXPECT_PCIE(send_wqe_reads, 1);
	EXPECT_PCIE(send_wqe_bytes, 64);
	EXPECT_PCIE(receive_wqe_reads, 1);
	EXPECT_PCIE(receive_wqe_bytes, 32 * 16);
	EXPECT_PCIE(data_reads, 1);
	EXPECT_PCIE(data_read_bytes, 60);
	EXPECT_PCIE(data_writes, 1);
	EXPECT_PCIE(data_write_bytes, 60);
	EXPECT_PCIE(cqe_writes, 2);
}

/* 1514 bytes: reads of 512, 512, 490 bytes; writes of 5 times 256 and 234 bytes. */
TEST_F(pcie, splits_a_long_frame_into_transfers)
{
	struct core_rig_rx rx = core_rig_make_rx(&self->r, 5, ROOM);
	const struct emu_pcie_counters before = self->r.emu->pcie;

	core_rig_post_send(&self->r, &self->sq, self->lkey, self->mem, 1514);
	poll_all(&self->r);
	EXPECT_NE(NULL, core_rig_take_cqe(&rx.cq));
	EXPECT_PCIE(data_reads, 3);
	EXPECT_PCIE(data_read_bytes, 1514);
	EXPECT_PCIE(data_writes, 6);
	EXPECT_PCIE(data_write_bytes, 1514);
}

/* Two segments and 20 pointers: 22 segments of 16 bytes are 6 WQEBBs, 384 bytes, one request. */
TEST_F(pcie, counts_a_multi_packet_wqe_of_pointers)
{
	struct core_rig_rx rx = core_rig_make_rx(&self->r, 5, ROOM);
	struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_ENHANCED_MPSW, PRM_CE_ALWAYS);
	const struct emu_pcie_counters before = self->r.emu->pcie;

	core_rig_add_eth(&p, 0);
	for (unsigned i = 0; i < 20; i++)
		core_rig_add_pointer(&p, self->lkey, self->mem + i * ROOM, 60);
	core_rig_end_wqe(&self->r, &p, true);
	poll_all(&self->r);
	EXPECT_NE(NULL, core_rig_take_cqe(&rx.cq));
	EXPECT_PCIE(sq_doorbells, 1);
	EXPECT_PCIE(send_wqe_reads, 1);
	EXPECT_PCIE(send_wqe_bytes, 384);
	EXPECT_PCIE(data_reads, 20);
	EXPECT_PCIE(data_read_bytes, 1200);
	EXPECT_PCIE(data_writes, 20);
	EXPECT_PCIE(cqe_writes, 21);
}

/* The second pointer leads nowhere: only the first frame was read and written. */
TEST_F(pcie, counts_no_data_of_an_invalid_lkey)
{
	struct core_rig_rx rx = core_rig_make_rx(&self->r, 5, ROOM);
	struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_ENHANCED_MPSW, PRM_CE_ALWAYS);
	const struct emu_pcie_counters before = self->r.emu->pcie;

	core_rig_add_eth(&p, 0);
	core_rig_add_pointer(&p, self->lkey, self->mem, 60);
	core_rig_add_pointer(&p, self->lkey + 1, self->mem, 600);
	core_rig_end_wqe(&self->r, &p, true);
	poll_all(&self->r);
	EXPECT_NE(NULL, core_rig_take_cqe(&rx.cq));
	EXPECT_PCIE(data_reads, 1);
	EXPECT_PCIE(data_read_bytes, 60);
	EXPECT_PCIE(data_writes, 1);
	EXPECT_PCIE(data_write_bytes, 60);
}

TEST_F(pcie, counts_no_data_of_a_buffer_that_cannot_be_written)
{
	struct core_rig_rx rx = core_rig_make_rx(&self->r, 5, ROOM);
	struct prm_data_seg *buffer = (struct prm_data_seg *)rx.rq.ring;
	const struct emu_pcie_counters before = self->r.emu->pcie;

	buffer->lkey = prm_be32_of(core_rig_make_mkey(&self->r, rx.buffers, ROOM, false));
	core_rig_post_send(&self->r, &self->sq, self->lkey, self->mem, 600);
	poll_all(&self->r);
	EXPECT_PCIE(data_reads, 2);
	EXPECT_PCIE(data_writes, 0);
	EXPECT_PCIE(data_write_bytes, 0);
}

/* Two segments, and 14 frames of 4 + 60 bytes: 58 segments are 15 WQEBBs, 960 bytes, 2 requests. */
TEST_F(pcie, counts_no_data_reads_of_inline_frames)
{
	struct core_rig_rx rx = core_rig_make_rx(&self->r, 5, ROOM);
	struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_ENHANCED_MPSW, PRM_CE_ALWAYS);
	const struct emu_pcie_counters before = self->r.emu->pcie;

	core_rig_add_eth(&p, 0);
	for (unsigned i = 0; i < 14; i++)
		core_rig_add_inline(&p, self->mem, 60);
	core_rig_end_wqe(&self->r, &p, true);
	poll_all(&self->r);
	EXPECT_NE(NULL, core_rig_take_cqe(&rx.cq));
	EXPECT_PCIE(send_wqe_reads, 2);
	EXPECT_PCIE(send_wqe_bytes, 960);
	EXPECT_PCIE(data_reads, 0);
	EXPECT_PCIE(data_read_bytes, 0);
	EXPECT_PCIE(data_write_bytes, 14 * 60);
}

/* Four frames find a buffer. The others wait, and emu reads the fifth again at each turn. */
TEST_F(pcie, counts_a_frame_that_waits_once)
{
	struct core_rig_rx rx = core_rig_make_rx(&self->r, 2, ROOM);
	const struct emu_pcie_counters before = self->r.emu->pcie;

	for (unsigned i = 0; i < 5; i++)
		core_rig_post_send(&self->r, &self->sq, self->lkey, self->mem, 60);
	for (unsigned i = 0; i < 5; i++)
		poll_all(&self->r);
	EXPECT_PCIE(data_reads, 4);
	core_rig_post_more(&rx.rq, 5);
	poll_all(&self->r);
	EXPECT_PCIE(data_reads, 5);
	EXPECT_PCIE(data_read_bytes, 300);
	EXPECT_PCIE(send_wqe_bytes, 5 * 64);
}

/* The same within one multi-packet WQE, whose fifth entry waits. */
TEST_F(pcie, counts_an_entry_that_waits_once)
{
	struct core_rig_rx rx = core_rig_make_rx(&self->r, 2, ROOM);
	struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_ENHANCED_MPSW, PRM_CE_ALWAYS);
	const struct emu_pcie_counters before = self->r.emu->pcie;

	core_rig_add_eth(&p, 0);
	for (unsigned i = 0; i < 5; i++)
		core_rig_add_pointer(&p, self->lkey, self->mem + i * ROOM, 60);
	core_rig_end_wqe(&self->r, &p, true);
	for (unsigned i = 0; i < 5; i++)
		poll_all(&self->r);
	EXPECT_PCIE(data_reads, 4);
	core_rig_post_more(&rx.rq, 5);
	poll_all(&self->r);
	EXPECT_PCIE(data_reads, 5);
	EXPECT_PCIE(data_read_bytes, 300);
}

/* The same with a frame of an inline header and two segments, which emu gathers. */
TEST_F(pcie, counts_a_gathered_frame_that_waits_once)
{
	struct core_rig_rx rx = core_rig_make_rx(&self->r, 0, ROOM);
	const struct emu_pcie_counters before = self->r.emu->pcie;

	for (unsigned i = 0; i < 2; i++) {
		struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_SEND, PRM_CE_ALWAYS);

		core_rig_add_header(&p, self->mem, 18);
		core_rig_add_pointer(&p, self->lkey, self->mem + 18, 600);
		core_rig_add_pointer(&p, self->lkey, self->mem + 618, 10);
		core_rig_end_wqe(&self->r, &p, true);
	}
	for (unsigned i = 0; i < 5; i++)
		poll_all(&self->r);
	EXPECT_PCIE(data_reads, 3);
	EXPECT_PCIE(data_read_bytes, 610);
	core_rig_post_more(&rx.rq, 2);
	poll_all(&self->r);
	EXPECT_PCIE(data_reads, 6);
	EXPECT_PCIE(data_read_bytes, 1220);
}

/* The same within one LSO WQE of five segments, which emu gathers again after it waited. */
TEST_F(pcie, counts_an_lso_wqe_that_waits_once)
{
	enum { HEADERS = 42, MSS = 100 };
	struct core_rig_rx rx = core_rig_make_rx(&self->r, 2, ROOM);
	struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_LSO, PRM_CE_ALWAYS);
	const struct emu_pcie_counters before = self->r.emu->pcie;

	core_rig_add_header(&p, self->mem, HEADERS);
	((struct prm_eth_seg *)(p.ctrl + 1))->mss = prm_be16_of(MSS);
	core_rig_add_pointer(&p, self->lkey, self->mem + HEADERS, 5 * MSS);
	core_rig_end_wqe(&self->r, &p, true);
	for (unsigned i = 0; i < 5; i++)
		poll_all(&self->r);
	EXPECT_PCIE(data_read_bytes, 5 * MSS);
	core_rig_post_more(&rx.rq, 5);
	poll_all(&self->r);
	EXPECT_EQ(5, self->r.emu->vport.tx_uc_packets);
	EXPECT_PCIE(data_read_bytes, 5 * MSS);
	EXPECT_PCIE(data_reads, 1);
}

/* The first segment finds no buffer: the reads do not count until it leaves. */
TEST_F(pcie, counts_an_lso_wqe_that_waits_from_the_start_once)
{
	enum { HEADERS = 42, MSS = 100 };
	struct core_rig_rx rx = core_rig_make_rx(&self->r, 0, ROOM);
	struct core_rig_wqe p;
	const struct emu_pcie_counters before = self->r.emu->pcie;

	core_rig_post_send(&self->r, &self->sq, self->lkey, self->mem, 60);
	poll_all(&self->r);
	p = core_rig_begin_wqe(&self->sq, PRM_WQE_LSO, PRM_CE_ALWAYS);
	core_rig_add_header(&p, self->mem, HEADERS);
	((struct prm_eth_seg *)(p.ctrl + 1))->mss = prm_be16_of(MSS);
	core_rig_add_pointer(&p, self->lkey, self->mem + HEADERS, MSS);
	core_rig_end_wqe(&self->r, &p, true);
	for (unsigned i = 0; i < 5; i++)
		poll_all(&self->r);
	EXPECT_PCIE(data_read_bytes, 60);
	core_rig_post_more(&rx.rq, 2);
	poll_all(&self->r);
	EXPECT_PCIE(data_read_bytes, 60 + MSS);
	EXPECT_PCIE(data_reads, 2);
}

/* The register got the only WQEBB, so that the device reads none from the ring. */
TEST_F(pcie, counts_no_read_of_a_copied_wqebb)
{
	struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_NOP, PRM_CE_ALWAYS);
	const struct emu_pcie_counters before = self->r.emu->pcie;

	core_rig_end_wqe(&self->r, &p, false);
	self->sq.dbr[PRM_DBR_SND] = prm_be32_of(self->sq.pi);
	emu_blueflame(self->r.emu, self->r.uar, PRM_UAR_BF, p.ctrl);
	poll_all(&self->r);
	EXPECT_NE(NULL, core_rig_take_cqe(&self->cq));
	EXPECT_PCIE(blueflames, 1);
	EXPECT_PCIE(sq_doorbells, 0);
	EXPECT_PCIE(send_wqe_reads, 0);
	EXPECT_PCIE(send_wqe_bytes, 0);
}

TEST_F(pcie, power_on_clears_the_account)
{
	core_rig_post_send(&self->r, &self->sq, self->lkey, self->mem, 60);
	poll_all(&self->r);
	EXPECT_NE(0, self->r.emu->pcie.send_wqe_bytes);
	emu_power_on(self->r.emu);
	EXPECT_EQ(0, self->r.emu->pcie.send_wqe_bytes);
	EXPECT_EQ(0, self->r.emu->pcie.sq_doorbells);
}
