/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A client takes memory away that the device uses. The memory comes from a pool of mmap(), so that
 * single pages of it can be unmapped.
 */
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core_rig_post.h"
#include "emu/host.h"
#include "emu/queue/rq.h"
#include "emu/queue/sq.h"
#include "prm/cqe.h"
#include "prm/wqe.h"
#include "udp_frame.h"

enum { POOL_BYTES = 512 * CORE_RIG_PAGE, FRAME = 1000, LOG_RING = 6 };

FIXTURE(lost)
{
	struct core_rig r;
	uint8_t *pool;
	struct core_rig_cq cq;
	struct core_rig_sq sq; /* the ring fills its first page; the record is in the second */
	struct core_rig_rx rx;
	uint8_t *mem; /* two pages, in a file */
	uint32_t lkey;
	int fd;
};

FIXTURE_SETUP(lost)
{
	struct core_rig *r = &self->r;

	emu_fault_catch(sigaction);
	self->pool =
		mmap(NULL, POOL_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)self->pool);
	core_rig_open(r, &(struct core_rig_config){ .wire = "loop", .no_context = true });
	r->pool = self->pool;
	r->pool_left = POOL_BYTES;
	core_rig_fill_context(r);
	self->cq = core_rig_make_cq(r, LOG_RING);
	self->sq = core_rig_make_sq(r, LOG_RING, self->cq.cqn);
	self->rx = core_rig_make_rx(r, LOG_RING + 2, CORE_RIG_PAGE);
	self->fd = memfd_create("lost", MFD_CLOEXEC);
	ASSERT_EQ(0, ftruncate(self->fd, 2 * CORE_RIG_PAGE));
	self->mem = mmap(NULL, 2 * CORE_RIG_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, self->fd, 0);
	self->lkey = core_rig_make_mkey(r, self->mem, 2 * CORE_RIG_PAGE, false);
	udp_frame_write(self->mem, FRAME, &(struct udp_frame){ .fill = 1 });
}

FIXTURE_TEARDOWN(lost)
{
	core_rig_close(&self->r);
	munmap(self->pool, POOL_BYTES);
	munmap(self->mem, 2 * CORE_RIG_PAGE);
	close(self->fd);
}

static void expect_error(struct core_rig_cq *cq, uint8_t opcode, uint8_t syndrome)
{
	const struct prm_err_cqe *cqe = (const struct prm_err_cqe *)core_rig_take_cqe(cq);

	ASSERT_NE(NULL, cqe);
	EXPECT_EQ(opcode, prm_cqe_opcode(cqe->op_own));
	EXPECT_EQ(syndrome, cqe->syndrome);
}

static void expect_one_mistake(const struct core_rig *r, const char *text)
{
	EXPECT_EQ(1, r->mistakes.n[EMU_MISTAKE_memory_lost]);
	EXPECT_EQ(1, core_rig_count_mistakes(r));
	EXPECT_SUBSTR(text, r->mistakes.first[EMU_MISTAKE_memory_lost]);
}

static uint8_t get_sq_state(struct core_rig *r, uint32_t sqn)
{
	return ((struct emu_sq *)emu_obj_at(&r->emu->table[EMU_SQ], sqn))->state;
}

static uint8_t get_rq_state(struct core_rig *r, uint32_t rqn)
{
	return ((struct emu_rq *)emu_obj_at(&r->emu->table[EMU_RQ], rqn))->state;
}

static void post_frame(struct ct_fix_lost *self)
{
	core_rig_post_send(&self->r, &self->sq, self->lkey, self->mem, FRAME);
}

/* ---- packets ----------------------------------------------------------------------------- */

static void post_gathered(struct ct_fix_lost *self)
{
	struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_SEND, PRM_CE_ALWAYS);

	core_rig_add_eth(&p, 0);
	core_rig_add_pointer(&p, self->lkey, self->mem, 64);
	core_rig_add_pointer(&p, self->lkey, self->mem + 64, FRAME - 64);
	core_rig_end_wqe(&self->r, &p, true);
}

static void post_multi(struct ct_fix_lost *self)
{
	struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_ENHANCED_MPSW, PRM_CE_ALWAYS);

	core_rig_add_eth(&p, 0);
	core_rig_add_pointer(&p, self->lkey, self->mem, FRAME);
	core_rig_end_wqe(&self->r, &p, true);
}

static void post_lso(struct ct_fix_lost *self)
{
	struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_LSO, PRM_CE_ALWAYS);
	uint8_t header[54] = "\x02\0\0\0\0\x01\x02\0\0\0\0\x02\x08\x00\x45";

	header[14 + offsetof(struct iphdr, protocol)] = IPPROTO_TCP;
	header[34 + 12] = 5 << 4; /* length of the TCP header */
	core_rig_add_header(&p, header, sizeof(header));
	core_rig_add_pointer(&p, self->lkey, self->mem, FRAME);
	core_rig_end_wqe(&self->r, &p, true);
}

static void unmap_packet(struct ct_fix_lost *self)
{
	munmap(self->mem, CORE_RIG_PAGE);
}
static void truncate_packet(struct ct_fix_lost *self)
{
	EXPECT_EQ(0, ftruncate(self->fd, 0));
}
static void protect_packet(struct ct_fix_lost *self)
{
	mprotect(self->mem, CORE_RIG_PAGE, PROT_NONE);
}

static const struct taken {
	const char *name;
	void (*post)(struct ct_fix_lost *self);
	void (*take)(struct ct_fix_lost *self);
} packets[] = {
	{ "send_unmapped", post_frame, unmap_packet },
	{ "send_truncated", post_frame, truncate_packet },
	{ "send_protected", post_frame, protect_packet },
	{ "gathered_unmapped", post_gathered, unmap_packet },
	{ "gathered_truncated", post_gathered, truncate_packet },
	{ "multi_packet_unmapped", post_multi, unmap_packet },
	{ "multi_packet_truncated", post_multi, truncate_packet },
	{ "lso_unmapped", post_lso, unmap_packet },
};

TEST_F_EACH(lost, packet_to_send_ends_with_a_protection_error, struct taken, packets)
{
	struct core_rig *r = &self->r;

	row->post(self);
	row->take(self);
	emu_poll(r->emu, 16);
	expect_error(&self->cq, PRM_CQE_REQ_ERR, PRM_SYND_LOCAL_PROT);
	expect_one_mistake(r, "mkey 0x");
	EXPECT_EQ(PRM_WQ_STATE_ERR, get_sq_state(r, self->sq.sqn));
	EXPECT_EQ(0, r->emu->vport.tx_uc_packets + r->emu->vport.rx_uc_packets);
	EXPECT_EQ(NULL, core_rig_take_cqe(&self->rx.cq));
}

TEST_F(lost, packet_leaves_the_rest_of_its_mkey_usable)
{
	struct core_rig *r = &self->r;

	post_frame(self);
	unmap_packet(self);
	emu_poll(r->emu, 16);
	expect_error(&self->cq, PRM_CQE_REQ_ERR, PRM_SYND_LOCAL_PROT);
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_modify_sq(r, self->sq.sqn, PRM_WQ_STATE_ERR, PRM_WQ_STATE_RST));
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_modify_sq(r, self->sq.sqn, PRM_WQ_STATE_RST, PRM_WQ_STATE_RDY));
	self->sq.pi = 0;
	udp_frame_write(self->mem + CORE_RIG_PAGE, FRAME, &(struct udp_frame){ .fill = 2 });
	core_rig_post_send(r, &self->sq, self->lkey, self->mem + CORE_RIG_PAGE, FRAME);
	emu_poll(r->emu, 16);
	EXPECT_NE(NULL, core_rig_take_cqe(&self->rx.cq));
	EXPECT_MEMEQ(self->mem + CORE_RIG_PAGE, self->rx.buffers, FRAME);
	EXPECT_EQ(1, core_rig_count_mistakes(r));
}

TEST_F(lost, second_page_of_a_packet_sends_no_part_of_it)
{
	struct core_rig *r = &self->r;
	uint8_t *at = self->mem + CORE_RIG_PAGE - FRAME / 2;

	udp_frame_write(at, FRAME, &(struct udp_frame){ .fill = 1 });
	core_rig_post_send(r, &self->sq, self->lkey, at, FRAME);
	EXPECT_EQ(0, ftruncate(self->fd, CORE_RIG_PAGE));
	emu_poll(r->emu, 16);
	expect_error(&self->cq, PRM_CQE_REQ_ERR, PRM_SYND_LOCAL_PROT);
	EXPECT_EQ(0, r->emu->vport.tx_uc_packets + r->emu->vport.rx_uc_packets);
}

TEST_F(lost, receive_buffer_fails_the_receiver_and_not_the_sender)
{
	struct core_rig *r = &self->r;
	const struct prm_cqe *cqe;

	post_frame(self);
	post_frame(self);
	munmap(self->rx.buffers, CORE_RIG_PAGE);
	emu_poll(r->emu, 16);
	expect_error(&self->rx.cq, PRM_CQE_RESP_ERR, PRM_SYND_LOCAL_PROT);
	expect_error(&self->rx.cq, PRM_CQE_RESP_ERR, PRM_SYND_WR_FLUSH);
	expect_one_mistake(r, "mkey 0x");
	EXPECT_EQ(PRM_WQ_STATE_ERR, get_rq_state(r, self->rx.rq.rqn));
	for (int i = 0; i < 2; i++) {
		cqe = core_rig_take_cqe(&self->cq);
		ASSERT_NE(NULL, cqe);
		EXPECT_EQ(PRM_CQE_REQ, prm_cqe_opcode(cqe->op_own));
	}
	EXPECT_EQ(2, r->emu->vport.tx_uc_packets);
	EXPECT_EQ(2, r->emu->vport.rx_error);
}

/* ---- rings and doorbell records ------------------------------------------------------------ */

static void expect_event(struct ct_fix_lost *self, uint8_t type)
{
	const struct emu_eq *eq = (struct emu_eq *)self->r.emu->table[EMU_EQ].slot[0];
	const struct prm_eqe *eqe = emu_span_ptr(&eq->ring, 0);

	ASSERT_LT(0, eq->pi);
	EXPECT_EQ(type, eqe[0].type);
}

static void watch_events(struct ct_fix_lost *self)
{
	struct emu_eq *eq = (struct emu_eq *)self->r.emu->table[EMU_EQ].slot[0];

	eq->event_mask = 1ull << PRM_EVENT_WQ_CATAS_ERROR | 1ull << PRM_EVENT_CQ_ERROR;
}

TEST_F(lost, ring_of_an_sq_ends_with_an_error_cqe_and_an_event)
{
	struct core_rig *r = &self->r;

	watch_events(self);
	post_frame(self);
	munmap(self->sq.ring, CORE_RIG_PAGE);
	emu_poll(r->emu, 16);
	expect_error(&self->cq, PRM_CQE_REQ_ERR, PRM_SYND_LOCAL_QP_OP);
	expect_one_mistake(r, "its ring at 0x");
	EXPECT_EQ(PRM_WQ_STATE_ERR, get_sq_state(r, self->sq.sqn));
	expect_event(self, PRM_EVENT_WQ_CATAS_ERROR);
}

TEST_F(lost, record_of_an_sq_moves_it_to_err)
{
	struct core_rig *r = &self->r;

	watch_events(self);
	post_frame(self);
	munmap(self->sq.ring + CORE_RIG_PAGE, CORE_RIG_PAGE);
	EXPECT_EQ(0, emu_poll(r->emu, 16));
	expect_one_mistake(r, "its doorbell record at 0x");
	EXPECT_EQ(PRM_WQ_STATE_ERR, get_sq_state(r, self->sq.sqn));
	expect_event(self, PRM_EVENT_WQ_CATAS_ERROR);
	/* a reset does not bring the record back */
	core_rig_modify_sq(r, self->sq.sqn, PRM_WQ_STATE_ERR, PRM_WQ_STATE_RST);
	core_rig_modify_sq(r, self->sq.sqn, PRM_WQ_STATE_RST, PRM_WQ_STATE_RDY);
	emu_doorbell(r->emu, r->uar, PRM_UAR_BF, r->uar_page[PRM_UAR_BF / 8]);
	EXPECT_EQ(0, emu_poll(r->emu, 16));
}

TEST_F(lost, ring_of_an_rq_ends_with_an_error_cqe_and_an_event)
{
	struct core_rig *r = &self->r;

	watch_events(self);
	post_frame(self);
	munmap(self->rx.rq.ring, CORE_RIG_PAGE);
	emu_poll(r->emu, 16);
	expect_error(&self->rx.cq, PRM_CQE_RESP_ERR, PRM_SYND_LOCAL_PROT);
	expect_one_mistake(r, "its ring at 0x");
	EXPECT_EQ(PRM_WQ_STATE_ERR, get_rq_state(r, self->rx.rq.rqn));
	expect_event(self, PRM_EVENT_WQ_CATAS_ERROR);
	EXPECT_EQ(1, r->emu->vport.tx_uc_packets);
}

/* The packet lies in the ring of another queue: the loss of that queue alone does not end it. */
TEST_F(lost, packet_in_the_ring_of_another_queue_ends_with_an_error)
{
	struct core_rig *r = &self->r;
	const uint32_t lkey = core_rig_make_mkey(r, self->rx.rq.ring, CORE_RIG_PAGE, false);

	core_rig_post_send(r, &self->sq, lkey, self->rx.rq.ring, FRAME);
	munmap(self->rx.rq.ring, CORE_RIG_PAGE);
	emu_poll(r->emu, 16);
	expect_error(&self->cq, PRM_CQE_REQ_ERR, PRM_SYND_LOCAL_PROT);
	EXPECT_EQ(PRM_WQ_STATE_ERR, get_sq_state(r, self->sq.sqn));
	EXPECT_EQ(2, r->mistakes.n[EMU_MISTAKE_memory_lost]); /* the ring, and the mkey */
}

TEST_F(lost, record_of_an_rq_moves_it_to_err)
{
	struct core_rig *r = &self->r;

	watch_events(self);
	post_frame(self);
	munmap(self->rx.rq.ring + CORE_RIG_PAGE, CORE_RIG_PAGE);
	emu_poll(r->emu, 16);
	expect_one_mistake(r, "its doorbell record at 0x");
	EXPECT_EQ(PRM_WQ_STATE_ERR, get_rq_state(r, self->rx.rq.rqn));
	expect_event(self, PRM_EVENT_WQ_CATAS_ERROR);
	EXPECT_EQ(1, r->emu->vport.tx_uc_packets);
}

static const struct part {
	const char *name;
	bool of_receiver;
	size_t page; /* page in the memory of the CQ: the ring, or the doorbell record */
} parts[] = {
	{ "ring_of_the_send_cq", false, 0 },
	{ "ring_of_the_receive_cq", true, 0 },
};

TEST_F_EACH(lost, ring_of_a_cq_fails_it_and_its_queues, struct part, parts)
{
	struct core_rig *r = &self->r;
	struct core_rig_cq *cq = row->of_receiver ? &self->rx.cq : &self->cq;
	const struct emu_cq *obj = emu_obj_at(&r->emu->table[EMU_CQ], cq->cqn);

	watch_events(self);
	post_frame(self);
	munmap((uint8_t *)cq->cqe + row->page * CORE_RIG_PAGE, CORE_RIG_PAGE);
	emu_poll(r->emu, 16);
	expect_one_mistake(r, "CQ 0x");
	EXPECT_EQ(PRM_CQC_STATUS_CQ_WRITE_FAIL, obj->status);
	expect_event(self, PRM_EVENT_CQ_ERROR);
	EXPECT_EQ(PRM_WQ_STATE_ERR, row->of_receiver ? get_rq_state(r, self->rx.rq.rqn)
						     : get_sq_state(r, self->sq.sqn));
	EXPECT_EQ(PRM_WQ_STATE_RDY, row->of_receiver ? get_sq_state(r, self->sq.sqn)
						     : get_rq_state(r, self->rx.rq.rqn));
}

/* The engine reads the record when the CQ looks full. */
TEST_F(lost, record_of_a_cq_fails_it_and_its_queues)
{
	struct core_rig *r = &self->r;
	const struct emu_cq *obj = emu_obj_at(&r->emu->table[EMU_CQ], self->cq.cqn);

	watch_events(self);
	munmap((uint8_t *)self->cq.cqe + CORE_RIG_PAGE, CORE_RIG_PAGE);
	for (unsigned i = 0; i < 2; i++) {
		for (unsigned k = 0; k < self->sq.n * 3 / 4; k++)
			post_frame(self);
		emu_poll(r->emu, 256);
	}
	expect_one_mistake(r, "its doorbell record at 0x");
	EXPECT_EQ(PRM_CQC_STATUS_CQ_WRITE_FAIL, obj->status);
	expect_event(self, PRM_EVENT_CQ_ERROR);
	EXPECT_EQ(PRM_WQ_STATE_ERR, get_sq_state(r, self->sq.sqn));
}

static uint64_t make_doorbell(const struct ct_fix_lost *self)
{
	const struct prm_ctrl_seg ctrl = { .opmod_idx_opcode = prm_ctrl_dw0(0, 0, PRM_WQE_SEND),
					   .qpn_ds = prm_ctrl_dw1(self->sq.sqn, 3) };
	uint64_t word;

	memcpy(&word, &ctrl, sizeof(word));
	return word;
}

TEST_F(lost, ring_of_an_eq_loses_its_events)
{
	struct core_rig *r = &self->r;
	struct emu_eq *eq = (struct emu_eq *)r->emu->table[EMU_EQ].slot[0];

	watch_events(self);
	munmap(eq->ring.flat, CORE_RIG_PAGE);
	munmap(self->sq.ring, CORE_RIG_PAGE);
	self->sq.dbr[PRM_DBR_SND] = prm_be32_of(1);
	r->uar_page[PRM_UAR_BF / sizeof(uint64_t)] = make_doorbell(self);
	emu_poll(r->emu, 16);
	EXPECT_EQ(2, r->mistakes.n[EMU_MISTAKE_memory_lost]); /* the SQ, and the EQ */
	EXPECT_EQ(PRM_EQC_STATUS_EQ_WRITE_FAILURE, prm_get(&eq->ctx, status));
	EXPECT_EQ(0, eq->pi);
}
