/* SPDX-License-Identifier: BSD-3-Clause
 *
 * LSO: cuts one WQE into many TCP or UDP segments.
 *
 *     ctrl | eth, all headers inline | data segments...
 *
 * The headers of a tunneled packet include the inner TCP or UDP header. The engine gathers the WQE
 * once. Then it writes the headers of each segment in front of its payload, over the payload of the
 * previous segment, which has been sent:
 *
 *     gather   |headers|mss.....|mss.....|rest|
 *     send     |headers|mss.....|
 *              then     |headers|mss.....|      mss bytes further on, and so on
 */
#include "emu/queue/wqe.h"

#include <string.h>

#include "emu/base/profile.h"
#include "emu/packet/csum.h"
#include "emu/packet/segment.h"
#include "emu/queue/pcie.h"

enum { ETH_DS = 1, FIRST_DATA_DS = 2, INLINE_IN_ETH = 2 };

/** struct lso - an LSO WQE that is being cut into segments */
struct lso {
	struct emu_template template;
	uint32_t payload;
	uint8_t cs_flags;
};

/* PRM-MISSING: segments get only the checksums that cs_flags requests. (Drivers request them.) */
static enum emu_wqe_result send_all(struct emu_tx *tx, const struct emu_wqe *w, struct lso *l,
				    struct emu_gather *g)
{
	const struct emu_template *t = &l->template;
	const uint32_t n = l->payload ? (l->payload + t->mss - 1) / t->mss : 1;

	/* skips the segments that an earlier call sent before it had to stop */
	for (uint32_t i = w->sq->at_entry; i < n; i++) {
		const uint32_t done = i * t->mss;
		const uint32_t bytes = l->payload - done < t->mss ? l->payload - done : t->mss;
		struct emu_frame f = { g->start + done, t->header_bytes + bytes };

		emu_segment_write(t, g->start + done, i, bytes, i + 1 == n);
		if (l->cs_flags)
			emu_csum_insert(g->start + done, f.bytes, &tx->emu->vxlan, l->cs_flags);
		w->sq->at_entry = i;
		if (emu_wqe_transmit(tx, w, &f) == EMU_WQE_RETRY)
			return EMU_WQE_RETRY;
	}
	return EMU_WQE_DONE;
}

/* Reads the Ethernet segment. Returns the reason why it is invalid, or NULL. */
static const char *read_segment(const struct prm_eth_seg *eth, struct lso *l)
{
	struct emu_offload offload;

	if (!emu_offload_of(eth, &offload) || offload.insert_vlan)
		return "LSO: unsupported offload (valid: cs_flags)";
	l->cs_flags = offload.cs_flags;
	l->template.mss = prm_be16_get(eth->mss);
	l->template.header_bytes = prm_be16_get(eth->inline_hdr_sz);
	if (l->template.header_bytes > EMU_HEADERS_MAX || l->template.header_bytes < EMU_ETH_HEADER)
		return "LSO: inline_hdr_sz is invalid (valid: 14 to 256 bytes)";
	return NULL;
}

enum emu_wqe_result emu_wqe_lso(struct emu_tx *tx, const struct emu_wqe *w)
{
	const struct prm_eth_seg *eth = emu_wqe_ds(w, ETH_DS);
	struct lso l = { 0 };
	struct emu_gather g;
	enum emu_wqe_result rc;
	const struct emu_pcie_mark mark = emu_pcie_mark_data(tx->emu);
	const char *fault;
	unsigned data_ds;

	if (w->n_ds < ETH_DS + 1 || !eth)
		return emu_wqe_refuse(tx, w, "ds: no Ethernet segment");
	fault = read_segment(eth, &l);
	if (fault)
		return emu_wqe_refuse(tx, w, fault);
	data_ds = FIRST_DATA_DS +
		  (l.template.header_bytes - INLINE_IN_ETH + PRM_DS_BYTES - 1) / PRM_DS_BYTES;
	if (data_ds > w->n_ds)
		return emu_wqe_refuse(tx, w,
				      "inline_hdr_sz: the inline header is longer than the WQE");
	emu_gather_begin(tx->emu, &g);
	g.start += EMU_ETH_MIN; /* emu_frame_pad() moves a short segment to the bytes in front */
	emu_gather_wqe(tx->emu, &g, w,
		       ETH_DS * PRM_DS_BYTES + offsetof(struct prm_eth_seg, inline_hdr_start),
		       l.template.header_bytes);
	memcpy(l.template.headers, g.start, l.template.header_bytes);
	rc = emu_wqe_gather(tx, w, data_ds, &g);
	if (rc != EMU_WQE_DONE)
		return rc;
	if (w->sq->at_entry)
		emu_pcie_return_to(tx->emu, mark);
	l.payload = g.bytes - l.template.header_bytes;
	if (l.payload > 1u << emu_eth_cap(tx->emu, max_lso_cap))
		return emu_wqe_refuse(tx, w, "LSO: the payload is longer than max_lso_cap allows");
	fault = emu_template_parse(&l.template, &tx->emu->vxlan);
	if (fault)
		return emu_wqe_refuse(tx, w, fault);
	rc = send_all(tx, w, &l, &g);
	if (rc == EMU_WQE_RETRY && !w->sq->at_entry)
		emu_pcie_return_to(tx->emu, mark);
	return rc;
}
