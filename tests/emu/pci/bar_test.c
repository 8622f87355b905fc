/* SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include <time.h>

#include "emu/queue/sq.h"
#include "../core_rig_post.h"
#include "pci_rig.h"
#include "prm/seg.h"

#define SEG(field) offsetof(struct prm_init_seg, field)

FIXTURE(bar)
{
	struct pci_rig rig;
};
FIXTURE_SETUP(bar)
{
	pci_rig_open(&self->rig);
}
FIXTURE_TEARDOWN(bar)
{
	pci_rig_close(&self->rig);
}

TEST_F(bar, segment_has_the_values_that_a_driver_reads)
{
	const uint32_t health = pci_rig_read32(&self->rig, SEG(health_counter));

	EXPECT_EQ(35u << 16 | 22, pci_rig_read32(&self->rig, SEG(fw_rev)));
	EXPECT_EQ((uint32_t)PRM_CMDIF_REV << 16 | 1012,
		  pci_rig_read32(&self->rig, SEG(cmdif_rev_fw_sub)));
	EXPECT_EQ(0x56, pci_rig_read32(&self->rig, SEG(cmdq_addr_l_sz)) & 0xff);
	EXPECT_EQ(0, pci_rig_read32(&self->rig, SEG(initializing)));
	EXPECT_EQ(0, pci_rig_read32(&self->rig, SEG(health)));
	EXPECT_NE(health, pci_rig_read32(&self->rig, SEG(health_counter)));
}

static uint64_t read_timer(struct ct_fix_bar *self, uint64_t high, uint64_t low)
{
	return (uint64_t)pci_rig_read32(&self->rig, high) << 32 | pci_rig_read32(&self->rig, low);
}

TEST_F(bar, segment_shows_the_clock_of_the_adapter)
{
	struct emu_adapter *a = self->rig.pci->adapter;
	uint64_t ns = emu_set_clock(a, EMU_CLOCK_HELD, 0);

	for (unsigned i = 0; i < 3; i++) {
		EXPECT_EQ(ns * 5 / 32,
			  read_timer(self, SEG(internal_timer_h), SEG(internal_timer_l)));
		EXPECT_EQ(0, read_timer(self, SEG(real_time_h), SEG(real_time_l)));
		ns = emu_set_clock(a, EMU_CLOCK_HELD, 1ull << 33);
	}
	EXPECT_EQ(0, emu_set_option(a, "ts_format", PRM_HCA_CAP_TS_FORMAT_REAL_TIME));
	EXPECT_EQ(ns, read_timer(self, SEG(internal_timer_h), SEG(internal_timer_l)));
	ns += ns / 1000;
	EXPECT_EQ((1700000000 + ns / 1000000000) << 32 | ns % 1000000000,
		  read_timer(self, SEG(real_time_h), SEG(real_time_l)));
}

/* ---- BlueFlame ------------------------------------------------------------------- */

/*
 * A WQE that is copied to a doorbell register (BlueFlame) arrives in parts of 8 bytes. Only the
 * copy asks for a CQE; the WQE in memory asks for none. A CQE shows that the server joined the
 * parts. Linux tests its write combining in the same way.
 */
enum { LOG_QUEUE = 6, N_COPIES = 32, PIECE = 8, PAUSE_NS = 20000 };

FIXTURE(blueflame)
{
	struct pci_rig rig;
	struct core_rig r;
	struct core_rig_cq cq;
	struct core_rig_sq sq;
};

FIXTURE_SETUP(blueflame)
{
	pci_rig_open(&self->rig);
	pci_rig_attach_core(&self->rig, &self->r);
	self->cq = core_rig_make_cq(&self->r, LOG_QUEUE);
	self->sq = core_rig_make_sq(&self->r, LOG_QUEUE, self->cq.cqn);
}

FIXTURE_TEARDOWN(blueflame)
{
	pci_rig_close(&self->rig);
	for (int m = 0; m < EMU_N_MISTAKES; m++)
		EXPECT_EQ(0, self->rig.mistakes.n[m]);
}

static struct prm_ctrl_seg *post_nop(struct ct_fix_blueflame *self, uint8_t ce)
{
	struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_NOP, ce);

	core_rig_end_wqe(&self->r, &p, false);
	return p.ctrl;
}

static void copy_in_parts(struct ct_fix_blueflame *self, const struct prm_ctrl_seg *ctrl)
{
	uint8_t copy[PRM_WQEBB_BYTES] = { 0 };

	memcpy(copy, ctrl, sizeof(*ctrl));
	copy[offsetof(struct prm_ctrl_seg, fm_ce_se)] |= PRM_CE_ALWAYS << PRM_CE_SHIFT;
	__atomic_store_n(&self->sq.dbr[PRM_DBR_SND].raw, prm_be32_of(self->sq.pi).raw,
			 __ATOMIC_RELEASE);
	for (uint32_t i = 0; i < sizeof(copy); i += PIECE) {
		pci_rig_write_uar(&self->rig, &self->r, PRM_UAR_BF + i, copy + i, PIECE);
		nanosleep(&(struct timespec){ .tv_nsec = PAUSE_NS }, NULL);
	}
}

/* Rings one more WQE and returns how many CQEs came before the CQE of this WQE. */
static unsigned count_completions(struct ct_fix_blueflame *self)
{
	const uint16_t last = self->sq.pi;
	const uint64_t give_up = emu_now_ns() + 10000000000;

	pci_rig_ring_sq(&self->rig, &self->r, &self->sq, post_nop(self, PRM_CE_ALWAYS));
	for (unsigned n = 0; emu_now_ns() < give_up;) {
		const struct prm_cqe *cqe = core_rig_take_cqe(&self->cq);

		if (cqe && prm_be16_get(cqe->wqe_counter) == last)
			return n;
		n += cqe != NULL;
	}
	ADD_FAILURE("no CQE of the last WQE in 10 s");
	return 0;
}

/* The server joins parts that follow soon. Under load some come too late, but not all. */
TEST_F(blueflame, parts_that_come_slowly_are_joined)
{
	for (unsigned i = 0; i < N_COPIES; i++)
		copy_in_parts(self, post_nop(self, PRM_CE_ERROR));
	EXPECT_LE(1, count_completions(self));
}

TEST_F(blueflame, parts_are_joined_again_after_many_doorbells)
{
	for (unsigned i = 0; i < 2 * PCI_ALONE; i++)
		count_completions(self);
	EXPECT_LE(PCI_ALONE, self->rig.pci->combine.alone);
	for (unsigned i = 0; i < N_COPIES; i++)
		copy_in_parts(self, post_nop(self, PRM_CE_ERROR));
	EXPECT_LE(1, count_completions(self));
}

TEST_F(blueflame, parts_of_the_next_client_are_joined)
{
	for (unsigned i = 0; i < 2 * PCI_ALONE; i++)
		count_completions(self);
	pci_rig_hang_up(&self->rig);
	EXPECT_EQ(0, self->rig.pci->combine.alone);
	pci_rig_connect(&self->rig);
}

/* Without write combining each part is a write of its own: only the first one rings. */
TEST_F(blueflame, parts_stay_apart_without_write_combining)
{
	self->rig.pci->no_write_combining = true;
	for (unsigned i = 0; i < N_COPIES; i++)
		copy_in_parts(self, post_nop(self, PRM_CE_ERROR));
	EXPECT_EQ(0, count_completions(self));
}

/* A read of BAR0 does not overtake earlier writes, as on PCI Express. */
TEST_F(blueflame, a_read_does_not_overtake_a_part)
{
	const struct emu_sq *sq =
		(struct emu_sq *)emu_obj_at(&self->r.emu->table[EMU_SQ], self->sq.sqn);

	for (unsigned i = 0; i < PCI_ALONE / 2; i++) {
		pci_rig_ring_sq(&self->rig, &self->r, &self->sq, post_nop(self, PRM_CE_ALWAYS));
		pci_rig_read32(&self->rig, 0);
		EXPECT_EQ(self->sq.pi, sq->pc);
	}
}
