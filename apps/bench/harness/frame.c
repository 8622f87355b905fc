/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/frame.h"

#include <string.h>

#include <rte_byteorder.h>
#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_udp.h>

enum { N_FLOWS = 16, FIRST_UDP_PORT = 49152, TTL = 64 };

static uint8_t *write_ethernet(uint8_t *at, bool tagged)
{
	struct rte_ether_hdr eth = {
		.dst_addr = { { 0x02, 0xde, 0, 0, 0, 1 } },
		.src_addr = { { 0x02, 0xde, 0, 0, 0, 2 } },
		.ether_type = rte_cpu_to_be_16(tagged ? RTE_ETHER_TYPE_VLAN : RTE_ETHER_TYPE_IPV4),
	};
	const struct rte_vlan_hdr tag = { rte_cpu_to_be_16(BENCH_FRAME_TCI),
					  rte_cpu_to_be_16(RTE_ETHER_TYPE_IPV4) };

	memcpy(at, &eth, sizeof(eth));
	at += sizeof(eth);
	if (!tagged)
		return at;
	memcpy(at, &tag, sizeof(tag));
	return at + sizeof(tag);
}

/* Writes @bytes of a packet, beginning with the IPv4 header. */
static void write_packet(uint8_t *at, uint16_t bytes, uint32_t number, bool sums)
{
	struct rte_ipv4_hdr ip = {
		.version_ihl = RTE_IPV4_VHL_DEF,
		.total_length = rte_cpu_to_be_16(bytes),
		.time_to_live = TTL,
		.next_proto_id = IPPROTO_UDP,
		.src_addr = rte_cpu_to_be_32(RTE_IPV4(10, 0, 0, 1)),
		.dst_addr = rte_cpu_to_be_32(RTE_IPV4(10, 0, 0, 2)),
	};
	struct rte_udp_hdr udp = {
		.src_port = rte_cpu_to_be_16((uint16_t)(FIRST_UDP_PORT + number % N_FLOWS)),
		.dst_port = rte_cpu_to_be_16(9),
		.dgram_len = rte_cpu_to_be_16((uint16_t)(bytes - sizeof(ip))),
	};
	uint8_t *payload = at + sizeof(ip) + sizeof(udp);
	const uint32_t be = rte_cpu_to_be_32(number);

	for (int i = 0; payload + i < at + bytes; i++)
		payload[i] = (uint8_t)(number * 7 + (uint32_t)i);
	memcpy(payload, &be, sizeof(be));
	memcpy(at, &ip, sizeof(ip));
	memcpy(at + sizeof(ip), &udp, sizeof(udp));
	if (!sums)
		return;
	udp.dgram_cksum = rte_ipv4_udptcp_cksum((const struct rte_ipv4_hdr *)at,
						(const struct rte_udp_hdr *)(at + sizeof(ip)));
	memcpy(at + sizeof(ip), &udp, sizeof(udp));
	ip.hdr_checksum = rte_ipv4_cksum((const struct rte_ipv4_hdr *)at);
	memcpy(at, &ip, sizeof(ip));
}

static uint16_t write_frame(const struct bench_frame *frame, uint32_t number, bool tagged,
			    bool sums, uint8_t *out)
{
	uint8_t *at = write_ethernet(out, tagged);

	write_packet(at, (uint16_t)(frame->bytes - sizeof(struct rte_ether_hdr)), number, sums);
	return (uint16_t)(frame->bytes + (tagged ? sizeof(struct rte_vlan_hdr) : 0));
}

uint16_t bench_frame_write_sent(const struct bench_frame *frame, uint32_t number, uint8_t *out)
{
	return write_frame(frame, number, frame->tagged, !frame->sums, out);
}

uint16_t bench_frame_write_received(const struct bench_frame *frame, uint32_t number, uint8_t *out)
{
	const bool tagged = (frame->tagged || frame->insert_tag) && !frame->strip_tag;

	return write_frame(frame, number, tagged, true, out);
}
