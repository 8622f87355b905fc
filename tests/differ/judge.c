/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Compares what net_mlx5 reports with the frame itself. This judges emu: net_mlx5 was written for
 * real adapters, and librte_net and rte_softrss() were not written by this project.
 */
#include <string.h>

#include <rte_ip.h>
#include <rte_net.h>
#include <rte_net_crc.h>
#include <rte_thash.h>

#include "outcome.h"
#include "report.h"

enum { MIN_BYTES = 60, VLAN_BYTES = 4, MACS_BYTES = 12, KEY_WORDS = 10 };

static void report_field(const struct config *c, const struct frame *f, const char *field,
			 uint64_t want, uint64_t got)
{
	if (want != got)
		report_difference(&(struct difference){ JUDGE_FRAME, c->name, f->text, field, want,
							got, NULL, NULL });
}

/*
 * Returns whether the filters of the configuration let the frame pass. net_mlx5 always takes the
 * multicast of IPv6, 33:33:*.
 */
static bool passes_filters(const struct config *c, const struct frame *f)
{
	static const char *const passing[] = { "\x02\xde", "\x02\xcc", "\xff\xff", "\x01\x00",
					       "\x33\x33" };
	const struct frame_layer *vlan = frame_find(f, FRAME_VLAN, 0);
	bool passes = !c->filters;

	for (unsigned int i = 0; i < RTE_DIM(passing); i++)
		passes |= !memcmp(f->data, passing[i], 2);
	if (!c->vlan_filter)
		return passes;
	/* the rules of net_mlx5 match a C-tag with a VLAN of the filter, and no untagged frame */
	return passes && vlan && vlan->protocol == RTE_ETHER_TYPE_VLAN &&
	       (f->data[vlan->off] & 0x0f) == 0 && f->data[vlan->off + 1] == 100;
}

static bool is_tunnel(const struct frame *f)
{
	return frame_find(f, FRAME_TUNNEL, 0) || frame_find(f, FRAME_IP4, 1) ||
	       frame_find(f, FRAME_IP6, 1) ||
	       (frame_find(f, FRAME_IP4, 0) && frame_find(f, FRAME_IP6, 0));
}

static void judge_bytes(const struct config *c, const struct frame *f, const struct outcome *o)
{
	const uint32_t stripped = o->flags & RTE_MBUF_F_RX_VLAN_STRIPPED ? VLAN_BYTES : 0;
	const uint32_t sent = RTE_MAX(f->bytes, (uint32_t)MIN_BYTES);
	uint8_t want[FRAME_MAX];

	report_field(c, f, "pkt_len", sent - stripped, o->bytes);
	if (o->bytes != sent - stripped)
		return;
	memcpy(want, f->data, MACS_BYTES);
	memcpy(want + MACS_BYTES, f->data + MACS_BYTES + stripped, sent - MACS_BYTES - stripped);
	if (f->bytes < sent)
		memset(want + f->bytes - stripped, 0, sent - f->bytes);
	report_field(c, f, "bytes", 0, (uint64_t)(memcmp(want, o->data, sent - stripped) != 0));
	if (c->rx_offloads & RTE_ETH_RX_OFFLOAD_KEEP_CRC)
		report_field(c, f, "CRC", rte_net_crc_calc(want, sent, RTE_NET_CRC32_ETH), o->crc);
}

/* net_mlx5 reports only right checksums. */
static void judge_sums(const struct config *c, const struct frame *f, const struct outcome *o)
{
	const struct frame_layer *ip = frame_find(f, FRAME_IP4, 0), *ip6, *l4;
	bool ip_good, l4_good;

	ip6 = frame_find(f, FRAME_IP6, 0);
	l4 = frame_find(f, FRAME_UDP, 0) ? frame_find(f, FRAME_UDP, 0)
					 : frame_find(f, FRAME_TCP, 0);
	ip_good = (ip && !ip->bad_sum) || ip6;
	l4_good = l4 && !l4->bad_sum && !(l4->no_sum && ip6);
	for (unsigned int i = 0; i < f->n_layers; i++)
		l4_good &= !f->layer[i].fragment;
	report_field(c, f, "RX_IP_CKSUM_GOOD", ip_good,
		     (o->flags & RTE_MBUF_F_RX_IP_CKSUM_MASK) == RTE_MBUF_F_RX_IP_CKSUM_GOOD);
	report_field(c, f, "RX_L4_CKSUM_GOOD", l4_good,
		     (o->flags & RTE_MBUF_F_RX_L4_CKSUM_MASK) == RTE_MBUF_F_RX_L4_CKSUM_GOOD);
}

static uint32_t get_l3_family(uint32_t packet_type)
{
	return RTE_ETH_IS_IPV4_HDR(packet_type) ? 4 : RTE_ETH_IS_IPV6_HDR(packet_type) ? 6 : 0;
}

/* An adapter knows TCP, UDP and fragments; all else in an IP packet is "not fragmented". */
static uint32_t get_l4_class(uint32_t packet_type)
{
	const uint32_t l4 = packet_type & RTE_PTYPE_L4_MASK;

	if (!get_l3_family(packet_type) || l4 == RTE_PTYPE_L4_TCP || l4 == RTE_PTYPE_L4_UDP ||
	    l4 == RTE_PTYPE_L4_FRAG)
		return l4;
	return RTE_PTYPE_L4_NONFRAG;
}

/* Returns an mbuf without a pool that holds the frame; librte_net reads it. */
static struct rte_mbuf make_view(const struct frame *f)
{
	struct rte_mbuf m = { .nb_segs = 1, .data_len = f->bytes, .pkt_len = f->bytes };

	m.buf_addr = (void *)(uintptr_t)f->data;
	return m;
}

static void judge_ptype(const struct config *c, const struct frame *f, const struct outcome *o)
{
	const struct rte_mbuf view = make_view(f);
	struct rte_net_hdr_lens lens;
	const uint32_t want = rte_net_get_ptype(&view, &lens, RTE_PTYPE_ALL_MASK);

	report_field(c, f, "L3 of packet_type", get_l3_family(want), get_l3_family(o->packet_type));
	report_field(c, f, "L4 of packet_type", get_l4_class(want), get_l4_class(o->packet_type));
}

/* Returns the RSS hash of the addresses and, with @ports, of the ports of a frame. */
static uint32_t hash_frame(const struct frame *f, const struct frame_layer *l4, bool ports)
{
	const struct frame_layer *ip = frame_find(f, FRAME_IP4, 0);
	const struct frame_layer *ip6 = frame_find(f, FRAME_IP6, 0);
	uint32_t tuple[KEY_WORDS], n = ip ? 2 : 8;

	memcpy(tuple, f->data + (ip ? ip->off + 12 : ip6->off + 8), n * sizeof(tuple[0]));
	if (ports)
		memcpy(&tuple[n++], f->data + l4->off, sizeof(tuple[0]));
	for (uint32_t i = 0; i < n; i++)
		tuple[i] = rte_be_to_cpu_32(tuple[i]);
	return rte_softrss(tuple, n, config_rss_key);
}

static void judge_hash(const struct config *c, const struct frame *f, const struct outcome *o)
{
	const struct frame_layer *l4 = frame_find(f, FRAME_UDP, 0);
	const bool is_ip = frame_find(f, FRAME_IP4, 0) || frame_find(f, FRAME_IP6, 0);
	bool ports;

	if (!c->rss_hf)
		return;
	l4 = l4 ? l4 : frame_find(f, FRAME_TCP, 0);
	ports = l4;
	for (unsigned int i = 0; i < f->n_layers; i++)
		ports &= !f->layer[i].fragment;
	report_field(c, f, "hash.rss", is_ip ? hash_frame(f, l4, ports) : 0, o->hash);
}

void outcome_judge(const struct config *c, const struct frame *f, const struct outcome *o)
{
	const bool is_broken = f->cut || strstr(f->text, "!version");

	report_field(c, f, "delivered", f->bytes <= config_limit(c) && passes_filters(c, f), o->n);
	if (!o->n)
		return;
	judge_bytes(c, f, o);
	if (is_tunnel(f) || is_broken)
		return;
	if (c->rx_offloads & RTE_ETH_RX_OFFLOAD_CHECKSUM)
		judge_sums(c, f, o);
	judge_ptype(c, f, o);
	judge_hash(c, f, o);
}
