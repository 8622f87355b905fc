/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SEND: one WQE, one frame. ctrl | eth [inline header...] | data segments...
 */
#include "emu/queue/wqe.h"

#include "emu/base/dev.h"
#include "emu/packet/frame.h"
#include "emu/queue/pacing.h"
#include "emu/queue/pcie.h"
#include "emu/queue/port.h"

enum { ETH_DS = 1, FIRST_DATA_DS = 2, INLINE_IN_ETH = 2 };
/*
 * PRM-MISSING: emu adds no tag to a frame shorter than 18 bytes. (net_mlx5 sends no frame of 18
 * bytes or less, because some offloads may fail, mlx5_tx_packet_multi_send; no source names them.)
 */
enum { TAGGED_MIN = EMU_ETH_HEADER + 4 };

/* Minimum of inline header bytes for each min_wqe_inline_mode; CREATE_SQ has checked the mode. */
static const uint8_t min_inline_bytes[] = {
	[PRM_MIN_WQE_INLINE_MODE_NONE] = 0,
	[PRM_MIN_WQE_INLINE_MODE_L2] = 14,
	[PRM_MIN_WQE_INLINE_MODE_IP] = 34,
	[PRM_MIN_WQE_INLINE_MODE_TCP_UDP] = 42,
};

enum emu_wqe_result emu_wqe_transmit(struct emu_tx *tx, const struct emu_wqe *w,
				     struct emu_frame *f)
{
	struct emu_sq *sq = w->sq;

	/*
	 * PRM-MISSING: emu refuses a frame that is shorter than an Ethernet header (no source
	 * says what a device does; drivers do not send one).
	 */
	if (f->bytes < EMU_ETH_HEADER)
		return emu_wqe_refuse(tx, w,
				      "the frame is shorter than an Ethernet header (14 bytes)");
	if (f->bytes < EMU_ETH_MIN)
		emu_frame_pad(tx->emu, f);
	if (sq->rate && emu_pace_must_wait(tx->emu, sq))
		return EMU_WQE_RETRY;
	if (!emu_port_tx(tx->emu, f, sq))
		return EMU_WQE_RETRY;
	if (sq->rate)
		emu_pace_charge(tx->emu, sq, f->bytes);
	sq->n_packets++;
	sq->n_bytes += f->bytes;
	tx->moved++;
	return EMU_WQE_DONE;
}

/*
 * The common case: one contiguous data segment. Points @f at host memory, without a copy. Returns
 * false if the frame must be gathered.
 */
static bool borrow_frame(struct emu_tx *tx, const struct emu_wqe *w, const struct prm_data_seg *seg,
			 struct emu_frame *f)
{
	const uint32_t bytes = prm_be32_get(seg->byte_count);
	uint64_t run;

	if (bytes & PRM_INLINE_SEG || !bytes)
		return false;
	f->data = emu_mkey_at(tx->emu, prm_be32_get(seg->lkey), w->sq->pd, prm_be64_get(seg->addr),
			      bytes, false, &run);
	f->bytes = bytes;
	return f->data && run >= bytes;
}

/* Counts the bytes of a sent frame, without the padding that emu_wqe_transmit() adds. */
static enum emu_wqe_result send_borrowed(struct emu_tx *tx, const struct emu_wqe *w,
					 struct emu_frame *f)
{
	const uint32_t bytes = f->bytes;
	const enum emu_wqe_result rc = emu_wqe_transmit(tx, w, f);

	if (rc == EMU_WQE_DONE)
		emu_pcie_read_data(tx->emu, bytes);
	return rc;
}

/*
 * PRM-MISSING: byte_count 0 means 0 bytes, not 2 GiB (VPP sends it on adapters). Linux and
 * net_mlx5 skip such segments (mlx5e_txwqe_build_dsegs, mlx5_tx_mseg_build), so it is a mistake.
 */
static void count_empty_segment(struct emu_tx *tx, const struct emu_wqe *w)
{
	emu_count_mistake(tx->emu, EMU_MISTAKE_empty_segment,
			  "SQ 0x%x WQE 0x%x: a data segment has 0 bytes (valid: at least 1)",
			  w->sq->obj.id, w->sq->cc);
}

enum emu_wqe_result emu_wqe_gather(struct emu_tx *tx, const struct emu_wqe *w, unsigned ds,
				   struct emu_gather *g)
{
	while (ds < w->n_ds) {
		const struct prm_data_seg *seg = emu_wqe_ds(w, ds);
		const uint32_t count = prm_be32_get(seg->byte_count);

		if (count & PRM_INLINE_SEG) {
			const uint32_t bytes = count & PRM_ETH_INLINE_MASK;
			const uint32_t off = ds * PRM_DS_BYTES + sizeof(seg->byte_count);

			ds += (sizeof(seg->byte_count) + bytes + PRM_DS_BYTES - 1) / PRM_DS_BYTES;
			if (ds > w->n_ds)
				return emu_wqe_refuse(tx, w,
						      "an inline segment is longer than the WQE");
			emu_gather_wqe(tx->emu, g, w, off, bytes);
		} else {
			if (!count)
				count_empty_segment(tx, w);
			else if (!emu_gather_host(tx->emu, g, w, seg))
				return emu_wqe_refuse_lkey(tx, w, seg);
			emu_pcie_read_data(tx->emu, count);
			ds++;
		}
	}
	return EMU_WQE_DONE;
}

enum emu_wqe_result emu_wqe_send(struct emu_tx *tx, const struct emu_wqe *w)
{
	const struct prm_eth_seg *eth = emu_wqe_ds(w, ETH_DS);
	struct emu_offload offload;
	struct emu_frame f;
	struct emu_gather g;
	uint32_t header = 0;
	enum emu_wqe_result rc;

	if (w->n_ds < ETH_DS + 1 || !eth)
		return emu_wqe_refuse(tx, w, "ds: no Ethernet segment");
	if (!emu_offload_of(eth, &offload))
		return emu_wqe_refuse(tx, w,
				      "Ethernet segment: unsupported offload (valid: cs_flags, "
				      "VLAN insertion)");
	if (!offload.insert_vlan)
		header = prm_be16_get(eth->inline_hdr_sz) & PRM_ETH_INLINE_MASK;
	if (header < min_inline_bytes[w->sq->min_inline])
		return emu_wqe_refuse(
			tx, w, "inline_hdr_sz: less than min_wqe_inline_mode of the SQ requires");

	if (!header && !emu_offload_any(&offload) && w->n_ds == FIRST_DATA_DS + 1 &&
	    borrow_frame(tx, w, emu_wqe_ds(w, FIRST_DATA_DS), &f))
		return send_borrowed(tx, w, &f);

	const uint32_t past = header > INLINE_IN_ETH ? header - INLINE_IN_ETH : 0;
	const unsigned data_ds = FIRST_DATA_DS + (past + PRM_DS_BYTES - 1) / PRM_DS_BYTES;

	if (data_ds > w->n_ds)
		return emu_wqe_refuse(tx, w,
				      "inline_hdr_sz: the inline header is longer than the WQE");
	const struct emu_pcie_mark mark = emu_pcie_mark_data(tx->emu);

	emu_gather_begin(tx->emu, &g);
	emu_gather_wqe(tx->emu, &g, w,
		       ETH_DS * PRM_DS_BYTES + offsetof(struct prm_eth_seg, inline_hdr_start),
		       header);
	rc = emu_wqe_gather(tx, w, data_ds, &g);
	if (rc != EMU_WQE_DONE)
		return rc;
	if (offload.insert_vlan && g.bytes < TAGGED_MIN)
		return emu_wqe_refuse(tx, w, "VLAN insertion: the frame is shorter than 18 bytes");
	emu_offload_apply(tx->emu, &g, &offload);
	f = (struct emu_frame){ g.start, g.bytes };
	rc = emu_wqe_transmit(tx, w, &f);
	if (rc == EMU_WQE_RETRY)
		emu_pcie_return_to(tx->emu, mark);
	return rc;
}
