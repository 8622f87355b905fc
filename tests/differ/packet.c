/* SPDX-License-Identifier: BSD-3-Clause */
#include "packet.h"

#include <stdlib.h>
#include <string.h>

#include "ct.h"
#include "frame_words.h"

enum { MACS_BYTES = 12, MIN_BYTES = 60 };

/* Returns the request with this name, or NULL. */
static const char *find_request(const struct packet *p, const char *name)
{
	const size_t n = strlen(name);

	for (const char *r = p->requests; *r; r += strcspn(r, " "), r += strspn(r, " "))
		if (!strncmp(r, name, n) && strchr(": ", r[n]))
			return r;
	return NULL;
}

static unsigned int get_request(const struct packet *p, const char *name)
{
	const char *r = find_request(p, name);

	return r ? (unsigned int)strtoul(r + strlen(name) + 1, NULL, 0) : 0;
}

static bool is_tunnel(const struct packet *p)
{
	return strstr(p->frame, "vxlan") || strstr(p->frame, "gre");
}

uint64_t packet_needs(const struct packet *p)
{
	const bool tunnel = is_tunnel(p), tso = find_request(p, "tso");
	uint64_t needs = 0;

	if (find_request(p, "ip"))
		needs |= RTE_ETH_TX_OFFLOAD_IPV4_CKSUM;
	if (find_request(p, "l4"))
		needs |= RTE_ETH_TX_OFFLOAD_UDP_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_CKSUM;
	/* inner checksums: net_mlx5 has no other offload for them */
	if (tunnel && *p->requests)
		needs |= RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM;
	if (find_request(p, "vlan"))
		needs |= RTE_ETH_TX_OFFLOAD_VLAN_INSERT;
	if (tso)
		needs |= !tunnel                     ? RTE_ETH_TX_OFFLOAD_TCP_TSO
			 : strstr(p->frame, "vxlan") ? RTE_ETH_TX_OFFLOAD_VXLAN_TNL_TSO
						     : RTE_ETH_TX_OFFLOAD_GRE_TNL_TSO;
	if (*p->segments)
		needs |= RTE_ETH_TX_OFFLOAD_MULTI_SEGS;
	return needs;
}

/* ---- the mbuf ------------------------------------------------------------------------ */

/* Returns the header that follows the extension headers of @ip. */
static const struct frame_layer *find_l4(const struct frame_layer *ip)
{
	const struct frame_layer *l = ip + 1;

	while (l->kind == FRAME_EXT)
		l++;
	return l;
}

static const struct frame_layer *find_ip(const struct frame *f, unsigned int nth)
{
	for (unsigned int i = 0; i < f->n_layers; i++)
		if ((f->layer[i].kind == FRAME_IP4 || f->layer[i].kind == FRAME_IP6) && !nth--)
			return &f->layer[i];
	return NULL;
}

/* Sets the lengths of the outer headers. Returns the offset of the first byte behind them. */
static unsigned int set_outer(struct rte_mbuf *m, const struct packet *p, const struct frame *f)
{
	const struct frame_layer *ip = find_ip(f, 0), *l4 = find_l4(ip);

	m->outer_l2_len = ip->off;
	m->outer_l3_len = (uint64_t)(l4->off - ip->off);
	m->ol_flags |=
		strstr(p->frame, "vxlan") ? RTE_MBUF_F_TX_TUNNEL_VXLAN : RTE_MBUF_F_TX_TUNNEL_GRE;
	m->ol_flags |= ip->kind == FRAME_IP4 ? RTE_MBUF_F_TX_OUTER_IPV4 : RTE_MBUF_F_TX_OUTER_IPV6;
	if (find_request(p, "outer"))
		m->ol_flags |= RTE_MBUF_F_TX_OUTER_IP_CKSUM;
	return l4->off;
}

static void set_requests(struct rte_mbuf *m, const struct packet *p, const struct frame *f)
{
	const bool tunnel = is_tunnel(p);
	const unsigned int from = tunnel ? set_outer(m, p, f) : 0;
	const struct frame_layer *ip = find_ip(f, tunnel), *l4;

	m->vlan_tci = (uint16_t)get_request(p, "vlan");
	if (find_request(p, "vlan"))
		m->ol_flags |= RTE_MBUF_F_TX_VLAN;
	if (!ip)
		return;
	l4 = find_l4(ip);
	m->l2_len = ip->off - from;
	m->l3_len = (uint64_t)(l4->off - ip->off);
	m->l4_len = l4->kind == FRAME_TCP || l4->kind == FRAME_UDP ? l4->bytes : 0;
	m->ol_flags |= ip->kind == FRAME_IP4 ? RTE_MBUF_F_TX_IPV4 : RTE_MBUF_F_TX_IPV6;
	if (find_request(p, "ip"))
		m->ol_flags |= RTE_MBUF_F_TX_IP_CKSUM;
	if (find_request(p, "l4"))
		m->ol_flags |=
			l4->kind == FRAME_TCP ? RTE_MBUF_F_TX_TCP_CKSUM : RTE_MBUF_F_TX_UDP_CKSUM;
	m->tso_segsz = (uint16_t)get_request(p, "tso");
	if (m->tso_segsz)
		m->ol_flags |= RTE_MBUF_F_TX_TCP_SEG;
}

/* Appends a segment with the next bytes of the frame. Returns NULL if the pool is empty. */
static struct rte_mbuf *add_segment(struct rte_mbuf *head, struct rte_mempool *pool,
				    const uint8_t *data, uint16_t bytes)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(pool);

	if (!m)
		return NULL;
	memcpy(rte_pktmbuf_append(m, bytes), data, bytes);
	if (head && rte_pktmbuf_chain(head, m)) {
		rte_pktmbuf_free(m);
		return NULL;
	}
	return m;
}

struct rte_mbuf *packet_make(const struct packet *p, const struct frame *f,
			     struct rte_mempool *pool)
{
	const char *s = p->segments;
	struct rte_mbuf *head = NULL;
	uint16_t at = 0;

	do {
		unsigned int n = 1, bytes = UINT16_MAX; /* the rest of the frame */

		if (*s)
			bytes = (unsigned int)strtoul(s, (char **)(uintptr_t)&s, 10);
		if (*s == '*') {
			n = bytes;
			bytes = (unsigned int)strtoul(s + 1, (char **)(uintptr_t)&s, 10);
		}
		s += *s == ',';
		for (; n; n--) {
			const uint16_t k = (uint16_t)RTE_MIN(bytes, (unsigned int)f->bytes - at);
			struct rte_mbuf *m = add_segment(head, pool, f->data + at, k);

			if (!m) {
				rte_pktmbuf_free(head);
				return NULL;
			}
			head = head ? head : m;
			at = (uint16_t)(at + k);
		}
	} while (*s || at < f->bytes);
	set_requests(head, p, f);
	return head;
}

/* ---- the wire ------------------------------------------------------------------------- */

static uint32_t insert_tag(uint8_t *wire, uint32_t bytes, unsigned int tci)
{
	memmove(wire + MACS_BYTES + 4, wire + MACS_BYTES, bytes - MACS_BYTES);
	write_be16(wire + MACS_BYTES, RTE_ETHER_TYPE_VLAN);
	write_be16(wire + MACS_BYTES + 2, tci);
	return bytes + 4;
}

/* Tells the maker which checksums the device corrects. */
static void correct_sums(const struct packet *p, struct frame *right)
{
	const bool tunnel = is_tunnel(p);
	const unsigned int inner = tunnel ? find_ip(right, 1)->off : 0;

	for (unsigned int i = 0; i < right->n_layers; i++) {
		struct frame_layer *l = &right->layer[i];
		const bool outer = l->off < inner;

		if (l->kind == FRAME_IP4 && find_request(p, outer ? "outer" : "ip"))
			l->bad_sum = false;
		if ((l->kind == FRAME_UDP || l->kind == FRAME_TCP) && !outer &&
		    find_request(p, "l4"))
			l->bad_sum = false;
	}
}

/*
 * Cuts segment @nth out of a TCP packet: every IPv4 header counts its identification up, and only
 * the last segment has FIN and PSH. All have CWR: Linux' mlx5e leaves packets with CWR to software
 * (it lacks NETIF_F_TSO_ECN), because the device does not clear it.
 */
static bool cut_segment(struct frame *f, unsigned int mss, unsigned int nth)
{
	enum { FIN_PSH = 0x09 };
	struct frame_layer *payload = &f->layer[f->n_layers - 1];
	uint8_t *tcp = f->data + payload[-1].off;
	const unsigned int from = nth * mss;
	unsigned int n, seq;

	if (nth && from >= payload->bytes)
		return false;
	n = RTE_MIN(mss, payload->bytes - from);
	if (from + n < payload->bytes)
		tcp[13] &= (uint8_t)~FIN_PSH;
	seq = (read_be16(tcp + 4) << 16 | read_be16(tcp + 6)) + from;
	write_be16(tcp + 4, seq >> 16);
	write_be16(tcp + 6, seq);
	for (unsigned int i = 0; i < f->n_layers; i++) {
		uint8_t *id = f->data + f->layer[i].off + 4;

		if (f->layer[i].kind == FRAME_IP4)
			write_be16(id, read_be16(id) + nth);
	}
	memmove(f->data + payload->off, f->data + payload->off + from, n);
	payload->bytes = (uint16_t)n;
	f->bytes = f->end = (uint16_t)(payload->off + n);
	return true;
}

uint32_t packet_expect(const struct packet *p, const struct frame *f, unsigned int nth,
		       uint8_t wire[FRAME_MAX])
{
	static struct frame right;
	uint32_t bytes;

	right = *f;
	correct_sums(p, &right);
	if (find_request(p, "tso") ? !cut_segment(&right, get_request(p, "tso"), nth) : nth)
		return 0;
	frame_finish(&right);
	bytes = right.bytes;
	memcpy(wire, right.data, bytes);
	if (find_request(p, "vlan"))
		bytes = insert_tag(wire, bytes, get_request(p, "vlan"));
	if (bytes < MIN_BYTES) {
		memset(wire + bytes, 0, MIN_BYTES - bytes);
		bytes = MIN_BYTES;
	}
	return bytes;
}
