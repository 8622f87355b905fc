/* SPDX-License-Identifier: BSD-3-Clause */
#include "respond/icmp6.h"

#include <netinet/in.h>
#include <stddef.h>
#include <string.h>

#include <rte_ether.h>
#include <rte_ip.h>

enum { CHECKSUM = 2 }; /* offset of the checksum in an ICMPv6 message */

static bool has_right_checksum(const struct rte_ipv6_hdr *ip, const uint8_t *message, unsigned n)
{
	uint32_t sum = rte_ipv6_phdr_cksum(ip, 0);

	sum += rte_raw_cksum(message, n);
	return (uint16_t)((sum >> 16) + sum) == 0xffff;
}

bool icmp6_read(struct icmp6 *m, const struct ethernet *l)
{
	const uint8_t *at = l->frame + l->l3;
	struct rte_ipv6_hdr ip;

	if (l->type != RTE_ETHER_TYPE_IPV6 || l->n_bytes < l->l3 + IP6_HEADER_BYTES)
		return false;
	memcpy(&ip, at, sizeof(ip));
	*m = (struct icmp6){
		.from = at + offsetof(struct rte_ipv6_hdr, src_addr),
		.to = at + offsetof(struct rte_ipv6_hdr, dst_addr),
		.message = at + IP6_HEADER_BYTES,
		.n_bytes = rte_be_to_cpu_16(ip.payload_len),
		.hop_limit = ip.hop_limits,
	};
	return at[0] >> 4 == 6 && ip.proto == IPPROTO_ICMPV6 && m->n_bytes >= ICMP6_HEADER_BYTES &&
	       m->n_bytes <= l->n_bytes - l->l3 - IP6_HEADER_BYTES &&
	       has_right_checksum(&ip, m->message, m->n_bytes);
}

void icmp6_write_headers(uint8_t *ip, const uint8_t *from, const uint8_t *to, uint8_t hop_limit,
			 unsigned n_bytes)
{
	uint8_t *message = ip + IP6_HEADER_BYTES;
	struct rte_ipv6_hdr h = {
		.vtc_flow = RTE_BE32(6u << 28),
		.payload_len = rte_cpu_to_be_16((uint16_t)n_bytes),
		.proto = IPPROTO_ICMPV6,
		.hop_limits = hop_limit,
	};
	uint16_t sum;

	memcpy(&h.src_addr, from, IP6_BYTES);
	memcpy(&h.dst_addr, to, IP6_BYTES);
	memcpy(ip, &h, sizeof(h));
	memset(message + CHECKSUM, 0, sizeof(sum));
	sum = rte_ipv6_udptcp_cksum(&h, message);
	memcpy(message + CHECKSUM, &sum, sizeof(sum));
}
