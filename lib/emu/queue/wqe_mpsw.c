/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Enhanced multi-packet send: ctrl | eth | one entry per packet, to the end of ds.
 *
 *     entry    byte_count | lkey | address                    16 bytes: the frame is in host memory
 *     entry    byte_count + bit 31 | frame, padded to 16      the frame is in the entry
 *
 * The offloads of the Ethernet segment apply to every frame. The engine stops in the middle of a
 * WQE if its budget is used up, the wire is full or the rate limit is reached. It continues at
 * sq->at_entry.
 */
#include "emu/queue/wqe.h"

#include "emu/queue/pcie.h"

enum { ETH_DS = 1, FIRST_ENTRY_DS = 2 };
enum { PREFETCH_ENTRIES = 4 };

/* An entry that is being read. @host: bytes of its frame in host memory; 0 if it is in the WQE */
struct entry {
	uint32_t count, host;
	unsigned ds, next; /* its first segment, and that of the next entry */
};

/*
 * Reads an entry whose frame is in the WQE. @f points into the ring if the frame is contiguous and
 * has no offload, else to a copy.
 */
static enum emu_wqe_result take_inline(struct emu_tx *tx, const struct emu_wqe *w, struct entry *e,
				       const struct emu_offload *offload, struct emu_frame *f)
{
	const uint32_t off = e->ds * PRM_DS_BYTES + sizeof(e->count);
	struct emu_gather g;
	uint64_t run;

	f->bytes = e->count & PRM_ETH_INLINE_MASK;
	e->host = 0;
	e->next = e->ds + (sizeof(e->count) + f->bytes + PRM_DS_BYTES - 1) / PRM_DS_BYTES;
	if (e->next > w->n_ds)
		return emu_wqe_refuse(tx, w, "an inline segment is longer than the WQE");
	f->data = emu_wqe_at(w, off, &run);
	if (run >= f->bytes && !emu_offload_any(offload))
		return EMU_WQE_DONE;
	emu_gather_begin(tx->emu, &g);
	emu_gather_wqe(tx->emu, &g, w, off, f->bytes);
	emu_offload_apply(tx->emu, &g, offload);
	*f = (struct emu_frame){ g.start, g.bytes };
	return EMU_WQE_DONE;
}

/*
 * Fetches the frame of a later entry into the cache. @seg is the entry at @ds, and @data is its
 * host address. Two frames of one mkey are as far apart in host memory as their addresses. For a
 * frame of another mkey, or one in the WQE, the guess is wrong but harmless.
 */
static void prefetch_frame(const struct emu_wqe *w, unsigned ds, const struct prm_data_seg *seg,
			   const uint8_t *data)
{
	const struct prm_data_seg *later;

	if (ds + PREFETCH_ENTRIES >= w->n_ds)
		return;
	later = emu_wqe_ds(w, ds + PREFETCH_ENTRIES);
	__builtin_prefetch((const void *)((uintptr_t)data + prm_be64_get(later->addr) -
					  prm_be64_get(seg->addr)));
}

/*
 * Reads an entry whose frame is in host memory. Copies the frame as take_inline() does.
 *
 * PRM-CONTRADICTION: an SQ whose min_wqe_inline_mode is not 0 does not execute such an entry.
 * (net_mlx5, mlx5_select_tx_function, and Linux' mlx5e_tx_skb_supports_mpwqe then use no
 * multi-packet WQEs; Linux' mlx5e_xmit_xdp_frame_mpwqe does not check. No adapter is known that has
 * both.)
 */
static enum emu_wqe_result take_host(struct emu_tx *tx, const struct emu_wqe *w, struct entry *e,
				     const struct emu_offload *offload, struct emu_frame *f)
{
	const struct prm_data_seg *seg = emu_wqe_ds(w, e->ds);
	struct emu_gather g;
	uint64_t run;

	if (w->sq->min_inline)
		return emu_wqe_refuse(tx, w,
				      "min_wqe_inline_mode of the SQ requires inline headers, but "
				      "an entry has none");
	f->bytes = e->host = e->count;
	e->next = e->ds + 1;
	emu_pcie_read_data(tx->emu, e->count);
	f->data = emu_mkey_at(tx->emu, prm_be32_get(seg->lkey), w->sq->pd, prm_be64_get(seg->addr),
			      e->count, false, &run);
	if (!f->data) {
		emu_pcie_forget_data(tx->emu, e->count);
		return emu_wqe_refuse_lkey(tx, w, seg);
	}
	prefetch_frame(w, e->ds, seg, f->data);
	if (run >= e->count && !emu_offload_any(offload))
		return EMU_WQE_DONE;
	emu_gather_begin(tx->emu, &g);
	if (!emu_gather_host(tx->emu, &g, w, seg))
		return emu_wqe_refuse_lkey(tx, w, seg);
	emu_offload_apply(tx->emu, &g, offload);
	*f = (struct emu_frame){ g.start, g.bytes };
	return EMU_WQE_DONE;
}

enum emu_wqe_result emu_wqe_mpsw(struct emu_tx *tx, const struct emu_wqe *w)
{
	const struct prm_eth_seg *eth = emu_wqe_ds(w, ETH_DS);
	struct emu_sq *sq = w->sq;
	struct emu_offload offload;
	struct entry e = { .ds = sq->at_entry ? sq->at_entry : FIRST_ENTRY_DS };
	enum emu_wqe_result rc;

	if (w->n_ds < FIRST_ENTRY_DS + 1 || !eth)
		return emu_wqe_refuse(tx, w, "ds: a multi-packet WQE needs at least one entry");
	if (!emu_offload_of(eth, &offload))
		return emu_wqe_refuse(tx, w,
				      "Ethernet segment: unsupported offload (valid: cs_flags)");
	if (eth->trailer.raw || eth->mss.raw)
		return emu_wqe_refuse(
			tx, w, "a multi-packet WQE must not have an inline header, VLAN or mss");

	for (; e.ds < w->n_ds; e.ds = e.next) {
		const struct prm_data_seg *seg = emu_wqe_ds(w, e.ds);
		struct emu_frame f;

		sq->at_entry = e.ds;
		if (tx->moved >= tx->budget)
			return EMU_WQE_RETRY;
		e.count = prm_be32_get(seg->byte_count);
		rc = e.count & PRM_INLINE_SEG ? take_inline(tx, w, &e, &offload, &f)
					      : take_host(tx, w, &e, &offload, &f);
		if (rc != EMU_WQE_DONE)
			return rc;
		rc = emu_wqe_transmit(tx, w, &f);
		if (rc != EMU_WQE_DONE) {
			emu_pcie_forget_data(tx->emu, e.host);
			return rc;
		}
	}
	return EMU_WQE_DONE;
}
