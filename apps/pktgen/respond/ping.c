/* SPDX-License-Identifier: BSD-3-Clause */
#include "respond/ping.h"

#include <netinet/icmp6.h>
#include <netinet/in.h>
#include <string.h>

#include <rte_ether.h>
#include <rte_icmp.h>
#include <rte_ip.h>

#include "respond/icmp6.h"

enum {
	IP4_HEADER_BYTES = sizeof(struct rte_ipv4_hdr),
	ICMP_HEADER_BYTES = sizeof(struct rte_icmp_hdr),
	TTL = 64, /* the default of RFC 1700 */
	CHECKSUM_OF_GOOD = 0xffff,
};

/* Finds the message of an intact IPv4 packet for the port. Returns its length, or 0. */
static unsigned read_ip4(const struct addresses *a, const struct ethernet *l,
			 struct rte_ipv4_hdr *ip, const uint8_t **message)
{
	const uint8_t *at = l->frame + l->l3;
	unsigned header, total;

	if (l->type != RTE_ETHER_TYPE_IPV4 || l->n_bytes < l->l3 + IP4_HEADER_BYTES)
		return 0;
	memcpy(ip, at, IP4_HEADER_BYTES);
	header = (at[0] & 15) * 4u;
	total = rte_be_to_cpu_16(ip->total_length);
	if (at[0] >> 4 != 4 || header < IP4_HEADER_BYTES || total < header + ICMP_HEADER_BYTES ||
	    total > l->n_bytes - l->l3 || rte_raw_cksum(at, header) != CHECKSUM_OF_GOOD)
		return 0;
	if ((rte_be_to_cpu_16(ip->fragment_offset) &
	     (RTE_IPV4_HDR_MF_FLAG | RTE_IPV4_HDR_OFFSET_MASK)) ||
	    ip->next_proto_id != IPPROTO_ICMP ||
	    !addresses_own(a, &l->vlan, (const uint8_t *)&ip->dst_addr, IP4_BYTES) ||
	    addresses_own(a, &l->vlan, (const uint8_t *)&ip->src_addr, IP4_BYTES) ||
	    !address_is_host((const uint8_t *)&ip->src_addr, IP4_BYTES))
		return 0;
	*message = at + header;
	return total - header;
}

static void write_ip4(uint8_t *at, const struct rte_ipv4_hdr *request, unsigned n)
{
	struct rte_ipv4_hdr h = {
		.version_ihl = RTE_IPV4_VHL_DEF,
		.type_of_service = request->type_of_service,
		.total_length = rte_cpu_to_be_16((uint16_t)(IP4_HEADER_BYTES + n)),
		.packet_id = request->packet_id,
		.fragment_offset = request->fragment_offset,
		.time_to_live = TTL,
		.next_proto_id = IPPROTO_ICMP,
		.src_addr = request->dst_addr,
		.dst_addr = request->src_addr,
	};

	h.hdr_checksum = rte_ipv4_cksum(&h);
	memcpy(at, &h, sizeof(h));
}

static unsigned make_reply4(const struct addresses *a, const struct ethernet *l, uint8_t *reply,
			    unsigned room)
{
	struct rte_icmp_hdr h;
	struct rte_ipv4_hdr ip;
	const uint8_t *message;
	uint8_t *echo = reply + l->l3 + IP4_HEADER_BYTES;
	const unsigned n = read_ip4(a, l, &ip, &message);

	if (!n || l->l3 + IP4_HEADER_BYTES + n > room)
		return 0;
	memcpy(&h, message, sizeof(h));
	if (h.icmp_type != RTE_IP_ICMP_ECHO_REQUEST || h.icmp_code ||
	    rte_raw_cksum(message, n) != CHECKSUM_OF_GOOD)
		return 0;
	h.icmp_type = RTE_IP_ICMP_ECHO_REPLY;
	h.icmp_cksum = 0;
	ethernet_write_answer(l, reply, l->frame + MAC_BYTES, a->mac);
	write_ip4(reply + l->l3, &ip, n);
	memcpy(echo, message, n);
	memcpy(echo, &h, sizeof(h));
	h.icmp_cksum = (uint16_t)~rte_raw_cksum(echo, n);
	memcpy(echo, &h, sizeof(h));
	return ethernet_pad(reply, l->l3 + IP4_HEADER_BYTES + n);
}

static unsigned make_reply6(const struct addresses *a, const struct ethernet *l, uint8_t *reply,
			    unsigned room)
{
	uint8_t *echo = reply + l->l3 + IP6_HEADER_BYTES;
	struct icmp6 m;

	if (!icmp6_read(&m, l) || l->l3 + IP6_HEADER_BYTES + m.n_bytes > room ||
	    m.message[0] != ICMP6_ECHO_REQUEST || m.message[1] ||
	    !addresses_own(a, &l->vlan, m.to, IP6_BYTES) ||
	    addresses_own(a, &l->vlan, m.from, IP6_BYTES) || !address_is_host(m.from, IP6_BYTES))
		return 0;
	ethernet_write_answer(l, reply, l->frame + MAC_BYTES, a->mac);
	memcpy(echo, m.message, m.n_bytes);
	echo[0] = ICMP6_ECHO_REPLY;
	icmp6_write_headers(reply + l->l3, m.to, m.from, TTL, m.n_bytes);
	return l->l3 + IP6_HEADER_BYTES + m.n_bytes;
}

unsigned ping_make_reply(const struct addresses *a, const struct ethernet *l, uint8_t *reply,
			 unsigned room)
{
	unsigned n;

	if (!ethernet_is_to(l, a->mac))
		return 0;
	n = make_reply4(a, l, reply, room);
	return n ? n : make_reply6(a, l, reply, room);
}
