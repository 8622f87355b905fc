/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Seeds of traffic: core_rig.c creates queues on a function with the guest memory of fuzz.h. A seed
 * has the commands that succeeded, the memory afterwards, a doorbell and a poll.
 */
#include "seed.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../core_rig_post.h"
#include "../core_rig_qp.h"
#include "../core_rig_steer.h"
#include "../udp_frame.h"
#include "emu/pci/state.h"
#include "fuzz.h"

/** struct seed_rig - a core_rig and the function on which it works */
struct seed_rig {
	struct emu_pci *pci;
	struct core_rig r;
	struct core_rig_tape tape;
	uint8_t *mem;
};

static void open_seed_rig(struct seed_rig *rig)
{
	const struct emu_pci_config config = {
		.profile = "cx6dx", .wire = "loop", .mac = { 2, 0, 0, 0, 0, 1 }, .mtu = 1500
	};
	const struct vfu_dma_map map = { sizeof(map),
					 VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE, 0,
					 FUZZ_MEM_AT, FUZZ_MEM_BYTES };
	const int fd = memfd_create("guest", MFD_CLOEXEC);
	struct prm_enable_hca_in in = { 0 };
	struct prm_enable_hca_out out;
	char why[256];

	rig->pci = emu_pci_create(&config, why, sizeof(why));
	if (!rig->pci || fd < 0 || ftruncate(fd, FUZZ_MEM_BYTES))
		abort();
	rig->mem = mmap((void *)FUZZ_MEM_AT, FUZZ_MEM_BYTES, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0);
	if (rig->mem != (void *)FUZZ_MEM_AT || pci_dma_map(rig->pci, &map, fd))
		abort();
	close(fd);
	rig->r = (struct core_rig){ .adapter = rig->pci->adapter,
				    .emu = rig->pci->emu,
				    .tape = &rig->tape,
				    .pool = rig->mem + CORE_RIG_PAGE, /* page 0 stays unused */
				    .pool_left = FUZZ_QUEUE - CORE_RIG_PAGE };
	CORE_RIG_OK(&rig->r, enable_hca, &in, &out);
	core_rig_fill_context(&rig->r);
}

/* Adds every recorded command in order, and the present contents of the memory. */
static void write_seed(struct seed *s, struct seed_rig *rig)
{
	for (unsigned i = 0; i < rig->tape.n; i++)
		seed_add_command(s, rig->tape.cmd[i].in, rig->tape.cmd[i].bytes);
	seed_add_memory(s, rig->mem, FUZZ_QUEUE);
}

static void close_seed_rig(struct seed_rig *rig)
{
	pci_reset(rig->pci, "the seed is written");
	pci_dma_drop_all(rig->pci);
	emu_pci_destroy(rig->pci);
	munmap(rig->mem, FUZZ_MEM_BYTES);
}

/* ---- traffic ------------------------------------------------------------------------ */

enum { FRAME = 200, LOG_RX = 4, LOG_TX = 5, HEADERS = 54 };

static const void *post_everything(struct core_rig *r, struct core_rig_sq *sq, uint8_t *frame,
				   uint32_t lkey)
{
	struct prm_eth_seg *eth;
	struct core_rig_wqe p;

	udp_frame_write(frame, FRAME, &(struct udp_frame){ .fill = 1 });
	p = core_rig_begin_wqe(sq, PRM_WQE_SEND, PRM_CE_ALWAYS);
	core_rig_add_eth(&p, PRM_ETH_CS_L3 | PRM_ETH_CS_L4);
	core_rig_add_pointer(&p, lkey, frame, FRAME);
	core_rig_end_wqe(r, &p, false);

	p = core_rig_begin_wqe(sq, PRM_WQE_SEND, PRM_CE_ALWAYS);
	core_rig_add_header(&p, frame, 18);
	core_rig_add_pointer(&p, lkey, frame + 18, 50);
	core_rig_add_inline(&p, frame + 68, 40);
	core_rig_end_wqe(r, &p, false);

	p = core_rig_begin_wqe(sq, PRM_WQE_NOP, PRM_CE_ALWAYS);
	core_rig_end_wqe(r, &p, false);

	p = core_rig_begin_wqe(sq, PRM_WQE_ENHANCED_MPSW, PRM_CE_ALWAYS);
	core_rig_add_eth(&p, 0);
	core_rig_add_pointer(&p, lkey, frame, 64);
	core_rig_add_inline(&p, frame, 61);
	core_rig_add_pointer(&p, lkey, frame, 100);
	core_rig_end_wqe(r, &p, false);

	memcpy(frame + FRAME, frame, HEADERS); /* becomes the TCP header that LSO repeats */
	frame[FRAME + 23] = 6;
	frame[FRAME + 46] = 0x50;
	p = core_rig_begin_wqe(sq, PRM_WQE_LSO, PRM_CE_ALWAYS);
	eth = p.sq ? (struct prm_eth_seg *)(p.ctrl + 1) : NULL;
	core_rig_add_header(&p, frame + FRAME, HEADERS);
	eth->mss = prm_be16_of(40);
	core_rig_add_pointer(&p, lkey, frame, 150);
	core_rig_end_wqe(r, &p, false);
	return p.ctrl;
}

void seed_build_traffic(struct seed *s)
{
	static const uint8_t key[40] = "any hash will do, if it is of 40 bytes";
	static struct seed_rig rig;
	struct core_rig *r = &rig.r;
	struct core_rig_rx rx;
	struct core_rig_cq cq;
	struct core_rig_sq sq;
	const void *ctrl;
	uint8_t *frame;
	uint32_t lkey;

	open_seed_rig(&rig);
	rx = core_rig_make_rx(r, LOG_RX, 256);
	core_rig_steer_all(r, core_rig_make_rss_tir(r, core_rig_make_rqt(r, &rx.rq.rqn, 1), 0xf,
						    key, true, false));
	cq = core_rig_make_cq(r, LOG_TX);
	sq = core_rig_make_sq(r, LOG_TX, cq.cqn);
	frame = core_rig_alloc(r, CORE_RIG_PAGE);
	lkey = core_rig_make_mkey(r, frame, CORE_RIG_PAGE, false);
	ctrl = post_everything(r, &sq, frame, lkey);
	sq.dbr[PRM_DBR_SND] = prm_be32_of(sq.pi);
	write_seed(s, &rig);
	seed_add_doorbell(s, r->uar, PRM_UAR_BF, ctrl, 8);
	seed_add_poll(s, 64);
	close_seed_rig(&rig);
}

/* ---- UMR ---------------------------------------------------------------------------- */

enum { N_DS = 9, PAGES = 8, UMR_WQEBBS = 3 };

static uint32_t create_mkey(struct core_rig *r, bool physical)
{
	struct prm_create_mkey_in in = { 0 };
	struct prm_mkc *mkc = prm_sub(&in, memory_key_mkey_entry);
	struct prm_create_mkey_out out;

	prm_set(mkc, qpn, PRM_MKC_QPN_ANY);
	prm_set(mkc, pd, r->pd);
	prm_set(mkc, lr, physical);
	prm_set(mkc, length64, physical);
	prm_set(mkc, free, !physical);
	prm_set(mkc, umr_en, !physical);
	prm_set(mkc, access_mode_1_0, !physical);
	prm_set(mkc, log_page_size, physical ? 0 : 12);
	prm_set(mkc, translations_octword_size, physical ? 0 : PAGES / 2);
	CORE_RIG_OK(r, create_mkey, &in, &out);
	return (uint32_t)prm_get(&out, mkey_index);
}

#define MASK(bit) (1ull << PRM_UMR_MASK_##bit)

static void post_umr(struct core_rig_sq *sq, uint32_t mkey, bool give, const prm_be64 *list,
		     uint32_t pa_key)
{
	uint8_t *at = sq->ring + sq->pi * PRM_WQEBB_BYTES;
	struct prm_ctrl_seg *ctrl = (struct prm_ctrl_seg *)at;
	struct prm_umr_seg *umr = (struct prm_umr_seg *)(at + PRM_DS_BYTES);
	struct prm_mkc *mkc = (struct prm_mkc *)(at + 4 * PRM_DS_BYTES);
	struct prm_data_seg *seg = (struct prm_data_seg *)(at + 8 * PRM_DS_BYTES);

	*ctrl = (struct prm_ctrl_seg){ .opmod_idx_opcode = prm_ctrl_dw0(0, sq->pi, PRM_WQE_UMR),
				       .qpn_ds = prm_ctrl_dw1(sq->sqn, N_DS),
				       .fm_ce_se = PRM_CE_ALWAYS << PRM_CE_SHIFT,
				       .imm = prm_be32_of(mkey << 8) };
	umr->xlt_octowords = prm_be16_of(give ? PAGES / 2 : 0);
	umr->mkey_mask =
		prm_be64_of(give ? MASK(LEN) | MASK(START_ADDR) | MASK(LR) | MASK(LW) | MASK(FREE)
				 : MASK(FREE));
	prm_set(mkc, free, !give);
	prm_set(mkc, lr, 1);
	prm_set(mkc, lw, 1);
	prm_set(mkc, len, PAGES * CORE_RIG_PAGE - 100);
	*seg = (struct prm_data_seg){ prm_be32_of(give ? PAGES * 8 : 0), prm_be32_of(pa_key),
				      prm_be64_of((uintptr_t)list) };
	sq->pi += UMR_WQEBBS;
}

void seed_build_umr(struct seed *s)
{
	static struct seed_rig rig;
	struct core_rig *r = &rig.r;
	struct core_rig_cq cq;
	struct core_rig_sq sq;
	prm_be64 *list;
	uint8_t *pages;
	uint32_t mkey, pa_key;

	open_seed_rig(&rig);
	r->uid = 0; /* uid of the kernel */
	cq = core_rig_make_cq(r, LOG_TX);
	sq = core_rig_make_umr_qp(r, LOG_TX, cq.cqn);
	pa_key = create_mkey(r, true) << 8;
	mkey = create_mkey(r, false);
	list = core_rig_alloc(r, CORE_RIG_PAGE);
	pages = core_rig_alloc(r, PAGES * CORE_RIG_PAGE);
	for (unsigned i = 0; i < PAGES; i++)
		list[i] = prm_be64_of((uintptr_t)(pages + i * CORE_RIG_PAGE) | PRM_MTT_READ |
				      PRM_MTT_WRITE);
	post_umr(&sq, mkey, true, list, pa_key);
	post_umr(&sq, mkey, false, list, pa_key);
	sq.dbr[PRM_DBR_SND] = prm_be32_of(sq.pi);
	write_seed(s, &rig);
	seed_add_doorbell(s, r->uar, PRM_UAR_BF, sq.ring, 8);
	seed_add_poll(s, 64);
	close_seed_rig(&rig);
}
