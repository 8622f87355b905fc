/* SPDX-License-Identifier: BSD-3-Clause
 *
 * LSO: cuts one WQE into many TCP segments. ctrl | eth, all headers inline | data segments...
 *
 * Gathers the WQE once. Then writes the headers of each segment in front of its payload, over the
 * payload of the previous segment, which has been sent:
 *
 *     gather   |headers|mss.....|mss.....|rest|
 *     send     |headers|mss.....|
 *              then     |headers|mss.....|      mss bytes further on, and so on
 */
#include "emu/queue/wqe_lso.h"

#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <netinet/tcp.h>
#include <string.h>

#include "emu/packet/csum_insert.h"
#include "emu/packet/parse.h"
#include "emu/queue/wqe_send.h"

enum { ETH_DS = 1, FIRST_DATA_DS = 2, INLINE_IN_ETH = 2, HEADERS_MAX = 256 };

/** struct lso - an LSO WQE that is being cut into segments */
struct lso {
	uint8_t headers[HEADERS_MAX];
	uint32_t header_bytes, mss, payload;
	struct emu_parsed parsed;
};

/* Writes the headers of segment @i to @at, for @bytes bytes of payload. */
static void write_headers(const struct lso *l, uint8_t *at, uint32_t i, uint32_t bytes, bool last)
{
	const uint32_t l3_bytes = l->header_bytes - l->parsed.l3_off + bytes;
	uint8_t *l3 = at + l->parsed.l3_off;
	struct tcphdr tcp;

	memcpy(at, l->headers, l->header_bytes);
	if (l->parsed.l3 == PRM_CQE_L3_IPV4) {
		struct iphdr ip;

		memcpy(&ip, l3, sizeof(ip));
		ip.tot_len = htons((uint16_t)l3_bytes);
		ip.id = htons((uint16_t)(ntohs(ip.id) + i));
		memcpy(l3, &ip, sizeof(ip));
	} else {
		const uint16_t payload = htons((uint16_t)(l3_bytes - sizeof(struct ip6_hdr)));

		memcpy(l3 + offsetof(struct ip6_hdr, ip6_plen), &payload, sizeof(payload));
	}
	memcpy(&tcp, at + l->parsed.l4_off, sizeof(tcp));
	tcp.seq = htonl(ntohl(tcp.seq) + i * l->mss);
	if (!last)
		tcp.th_flags &= (uint8_t) ~(TH_FIN | TH_PUSH);
	memcpy(at + l->parsed.l4_off, &tcp, sizeof(tcp));
	emu_csum_insert(at, l->header_bytes + bytes, PRM_ETH_CS_L3 | PRM_ETH_CS_L4);
}

/* Returns the reason why the WQE cannot be cut into segments, or NULL. */
static const char *find_fault(const struct lso *l, const struct emu_gather *g)
{
	if (g->bytes > EMU_FRAME_MAX - EMU_ETH_VLAN)
		return "LSO: headers and payload are longer than 64 KiB";
	if (!l->mss)
		return "LSO: mss: 0 is invalid (valid: at least 1)";
	if (l->parsed.l4_proto != IPPROTO_TCP || !l->parsed.l4 || l->parsed.frag)
		return "LSO: the packet is no TCP segment";
	if (l->parsed.payload_off != l->header_bytes)
		return "LSO: the inline header does not end where the TCP header ends";
	return NULL;
}

static enum emu_wqe_result send_all(struct emu_tx *tx, const struct emu_wqe *w, struct lso *l,
				    struct emu_gather *g)
{
	const uint32_t n = l->payload ? (l->payload + l->mss - 1) / l->mss : 1;

	/* starts after the segments that a previous call sent before the wire was full */
	for (uint32_t i = w->sq->at_entry; i < n; i++) {
		const uint32_t done = i * l->mss;
		const uint32_t bytes = l->payload - done < l->mss ? l->payload - done : l->mss;
		struct emu_frame f = { g->start + done, l->header_bytes + bytes };

		write_headers(l, g->start + done, i, bytes, i + 1 == n);
		w->sq->at_entry = (uint16_t)i;
		if (emu_wqe_transmit(tx, w, &f) == EMU_WQE_RETRY)
			return EMU_WQE_RETRY;
	}
	return EMU_WQE_DONE;
}

enum emu_wqe_result emu_wqe_lso(struct emu_tx *tx, const struct emu_wqe *w)
{
	const struct prm_eth_seg *eth = emu_wqe_ds(w, ETH_DS);
	struct lso l = { 0 };
	struct emu_gather g;
	enum emu_wqe_result rc;
	const char *fault;

	if (w->n_ds < ETH_DS + 1 || !eth)
		return emu_wqe_refuse(tx, w, "ds: no Ethernet segment");
	l.mss = prm_be16_get(eth->mss);
	l.header_bytes = prm_be16_get(eth->inline_hdr_sz);
	if (l.header_bytes > HEADERS_MAX || l.header_bytes < EMU_ETH_HEADER)
		return emu_wqe_refuse(tx, w,
				      "LSO: inline_hdr_sz is invalid (valid: 14 to 256 bytes)");

	const unsigned data_ds =
		FIRST_DATA_DS + (l.header_bytes - INLINE_IN_ETH + PRM_DS_BYTES - 1) / PRM_DS_BYTES;

	if (data_ds > w->n_ds)
		return emu_wqe_refuse(tx, w,
				      "inline_hdr_sz: the inline header is longer than the WQE");
	emu_gather_begin(tx->emu, &g);
	emu_gather_wqe(tx->emu, &g, w,
		       ETH_DS * PRM_DS_BYTES + offsetof(struct prm_eth_seg, inline_hdr_start),
		       l.header_bytes);
	memcpy(l.headers, g.start, l.header_bytes);
	rc = emu_wqe_gather(tx, w, data_ds, &g);
	if (rc != EMU_WQE_DONE)
		return rc;
	l.payload = g.bytes - l.header_bytes;
	emu_parse_frame(&(struct emu_frame){ g.start, g.bytes }, &l.parsed);
	fault = find_fault(&l, &g);
	return fault ? emu_wqe_refuse(tx, w, fault) : send_all(tx, w, &l, &g);
}
