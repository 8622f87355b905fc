/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Enhanced multi-packet send: ctrl | eth | one entry a packet, to the end of ds.
 *
 *     entry    byte_count | lkey | address                    16 bytes: a whole frame behind it
 *     entry    byte_count + bit 31 | frame, padded to 16      the whole frame is here
 *
 * The offloads of the Ethernet segment apply to every frame. The engine stops in the middle of a
 * WQE if its budget is used up, the wire is full or the rate limit says so. It continues at
 * sq->at_entry.
 */
#include "emu/queue/wqe_mpsw.h"

#include "emu/queue/pcie.h"
#include "emu/queue/wqe_frame.h"
#include "emu/queue/wqe_send.h"

enum { ETH_DS = 1, FIRST_ENTRY_DS = 2 };

/*
 * Reads the entry at segment @ds into @f. Points into host memory, without a copy, if the frame is
 * contiguous and has no offload. @next receives the segment of the next entry, and @host the
 * number of bytes that were in host memory.
 */
static enum emu_wqe_result take_entry(struct emu_tx *tx, const struct emu_wqe *w, unsigned ds,
				      const struct emu_offload *offload, struct emu_frame *f,
				      unsigned *next, uint32_t *host)
{
	const struct prm_data_seg *seg = emu_wqe_ds(w, ds);
	const uint32_t count = prm_be32_get(seg->byte_count);
	struct emu_gather g;

	if (count & PRM_INLINE_SEG) {
		f->bytes = count & PRM_ETH_INLINE_MASK;
		*host = 0;
		*next = ds + (sizeof(seg->byte_count) + f->bytes + PRM_DS_BYTES - 1) / PRM_DS_BYTES;
		if (*next > w->n_ds)
			return emu_wqe_refuse(tx, w, "an inline segment is longer than the WQE");
		emu_gather_begin(tx->emu, &g);
		emu_gather_wqe(tx->emu, &g, w, ds * PRM_DS_BYTES + sizeof(seg->byte_count),
			       f->bytes);
	} else {
		uint64_t run;

		f->bytes = count;
		*host = count;
		*next = ds + 1;
		emu_pcie_read_data(tx->emu, count);
		f->data = emu_mkey_at(tx->emu, prm_be32_get(seg->lkey), w->sq->pd,
				      prm_be64_get(seg->addr), count, false, &run);
		if (!f->data) {
			emu_pcie_forget_data(tx->emu, count);
			return emu_wqe_refuse_lkey(tx, w, seg);
		}
		if (run >= count && !emu_offload_any(offload))
			return EMU_WQE_DONE;
		emu_gather_begin(tx->emu, &g);
		if (!emu_gather_host(tx->emu, &g, w, seg))
			return emu_wqe_refuse_lkey(tx, w, seg);
	}
	emu_offload_apply(tx->emu, &g, offload);
	*f = (struct emu_frame){ g.start, g.bytes };
	return EMU_WQE_DONE;
}

enum emu_wqe_result emu_wqe_mpsw(struct emu_tx *tx, const struct emu_wqe *w)
{
	const struct prm_eth_seg *eth = emu_wqe_ds(w, ETH_DS);
	struct emu_sq *sq = w->sq;
	struct emu_offload offload;
	unsigned ds = sq->at_entry ? sq->at_entry : FIRST_ENTRY_DS, next;
	enum emu_wqe_result rc;

	if (w->n_ds < FIRST_ENTRY_DS + 1 || !eth)
		return emu_wqe_refuse(tx, w, "ds: a multi-packet WQE needs at least one entry");
	if (!emu_offload_of(eth, &offload))
		return emu_wqe_refuse(tx, w,
				      "Ethernet segment: unsupported offload (valid: cs_flags)");
	if (eth->trailer.raw || eth->mss.raw)
		return emu_wqe_refuse(
			tx, w, "a multi-packet WQE must not have an inline header, VLAN or mss");

	for (; ds < w->n_ds; ds = next) {
		struct emu_frame f;
		uint32_t host;

		sq->at_entry = ds;
		if (tx->moved >= tx->budget)
			return EMU_WQE_RETRY;
		if (take_entry(tx, w, ds, &offload, &f, &next, &host) != EMU_WQE_DONE)
			return EMU_WQE_FAILED;
		rc = emu_wqe_transmit(tx, w, &f);
		if (rc != EMU_WQE_DONE) {
			emu_pcie_forget_data(tx->emu, host);
			return rc;
		}
	}
	return EMU_WQE_DONE;
}
