/* SPDX-License-Identifier: BSD-3-Clause */
#include "packet/header.h"

#include <netinet/in.h>

/* Numbers of IANA that the C library does not name. */
enum {
	TYPE_TEB = 0x6558, /* transparent Ethernet bridging */
	TYPE_IPV4 = 0x0800,
	TYPE_ARP = 0x0806,
	TYPE_VLAN = 0x8100,
	TYPE_IPV6 = 0x86dd,
	TYPE_MPLS = 0x8847,
	PORT_VXLAN = 4789,
	PORT_GTPU = 2152,
	PORT_GENEVE = 6081,
};

/* 2001:2::/48 and 198.18.0.0/15 are for benchmarks (RFC 5180, RFC 2544). */
#define IPV6_TEST_PREFIX ((pattern_value)0x20010002 << 96)

#define NUMBER(name, bit, bits, value)                                                             \
	{                                                                                          \
		name, bit, bits, FIELD_NUMBER, AUTO_NONE, 0, value                                 \
	}
#define AUTO(name, bit, bits, autos)                                                               \
	{                                                                                          \
		name, bit, bits, FIELD_NUMBER, autos, 0, 0                                         \
	}
#define LENGTH(name, bit, from)                                                                    \
	{                                                                                          \
		name, bit, 16, FIELD_NUMBER, AUTO_LENGTH, from, 0                                  \
	}
#define FLAG(name, bit, part)                                                                      \
	{                                                                                          \
		name, bit, 1, FIELD_NUMBER, AUTO_FLAG, part, 0                                     \
	}
#define FIELDS(table) table, sizeof(table) / sizeof(table[0])

#define UNDER_ETHERNET "ethernet vlan"
#define UNDER_IPV6 "ipv6 ipv6_hop_by_hop ipv6_routing ipv6_fragment ipv6_destination"
#define UNDER_IP "ipv4 " UNDER_IPV6

static const struct header_field ethernet[] = {
	{ "dst", 0, 48, FIELD_MAC, AUTO_DST_MAC, 0, 0 },
	{ "src", 48, 48, FIELD_MAC, AUTO_SRC_MAC, 0, 0 },
	AUTO("ether_type", 96, 16, AUTO_ETHER_TYPE),
};

static const struct header_field vlan[] = {
	NUMBER("priority", 0, 3, 0),
	NUMBER("cfi", 3, 1, 0),
	NUMBER("id", 4, 12, 1),
	AUTO("tpid", 16, 16, AUTO_ETHER_TYPE),
};

static const struct header_field mpls[] = {
	NUMBER("label", 0, 20, 16),
	NUMBER("traffic_class", 20, 3, 0),
	AUTO("bottom_of_stack", 23, 1, AUTO_BOTTOM),
	NUMBER("time_to_live", 24, 8, 64),
};

static const struct header_field arp[] = {
	NUMBER("hardware_type", 0, 16, 1),
	NUMBER("protocol_type", 16, 16, TYPE_IPV4),
	NUMBER("hardware_length", 32, 8, 6),
	NUMBER("protocol_length", 40, 8, 4),
	NUMBER("operation", 48, 16, 1),
	{ "sender_hardware_addr", 64, 48, FIELD_MAC, AUTO_SRC_MAC, 0, 0 },
	{ "sender_protocol_addr", 112, 32, FIELD_IPV4, AUTO_NONE, 0, 0xc6120001 },
	{ "target_hardware_addr", 144, 48, FIELD_MAC, AUTO_NONE, 0, 0 },
	{ "target_protocol_addr", 192, 32, FIELD_IPV4, AUTO_NONE, 0, 0xc6130001 },
};

static const struct header_field ipv4[] = {
	NUMBER("version", 0, 4, 4),
	AUTO("header_length", 4, 4, AUTO_HEADER_WORDS),
	NUMBER("priority", 8, 8, 0),
	NUMBER("dscp", 8, 6, 0),
	NUMBER("ecn", 14, 2, 0),
	LENGTH("total_length", 16, 0),
	NUMBER("identification", 32, 16, 0),
	NUMBER("reserved", 48, 1, 0),
	NUMBER("dont_fragment", 49, 1, 0),
	NUMBER("more_fragments", 50, 1, 0),
	NUMBER("fragment_offset", 51, 13, 0),
	NUMBER("time_to_live", 64, 8, 64),
	AUTO("protocol", 72, 8, AUTO_IP_PROTOCOL),
	AUTO("header_checksum", 80, 16, AUTO_SUM_HEADER),
	{ "src", 96, 32, FIELD_IPV4, AUTO_NONE, 0, 0xc6120001 },
	{ "dst", 128, 32, FIELD_IPV4, AUTO_NONE, 0, 0xc6130001 },
};

static const struct header_field ipv6[] = {
	NUMBER("version", 0, 4, 6),
	NUMBER("traffic_class", 4, 8, 0),
	NUMBER("flow_label", 12, 20, 0),
	LENGTH("payload_length", 32, 40),
	AUTO("next_header", 48, 8, AUTO_IP_PROTOCOL),
	NUMBER("hop_limit", 56, 8, 64),
	{ "src", 64, 128, FIELD_IPV6, AUTO_NONE, 0, IPV6_TEST_PREFIX | 1 },
	{ "dst", 192, 128, FIELD_IPV6, AUTO_NONE, 0, IPV6_TEST_PREFIX | 2 },
};

/* Hop-by-hop and destination options, 8 bytes: a PadN of 6 bytes (RFC 8200, section 4.2). */
static const struct header_field ipv6_options[] = {
	AUTO("next_header", 0, 8, AUTO_IP_PROTOCOL),
	NUMBER("header_length", 8, 8, 0),
	NUMBER("options", 16, 48, 0x010400000000),
};

static const struct header_field ipv6_routing[] = {
	AUTO("next_header", 0, 8, AUTO_IP_PROTOCOL), NUMBER("header_length", 8, 8, 0),
	NUMBER("routing_type", 16, 8, 253), /* for experiments (RFC 3692) */
	NUMBER("segments_left", 24, 8, 0),           NUMBER("data", 32, 32, 0),
};

static const struct header_field ipv6_fragment[] = {
	AUTO("next_header", 0, 8, AUTO_IP_PROTOCOL), NUMBER("reserved", 8, 8, 0),
	NUMBER("fragment_offset", 16, 13, 0),        NUMBER("reserved1", 29, 2, 0),
	NUMBER("more_fragments", 31, 1, 0),          NUMBER("identification", 32, 32, 0),
};

static const struct header_field udp[] = {
	NUMBER("src_port", 0, 16, 49152),
	{ "dst_port", 16, 16, FIELD_NUMBER, AUTO_UDP_PORT, 0, 9 },
	LENGTH("length", 32, 0),
	AUTO("checksum", 48, 16, AUTO_SUM_PSEUDO),
};

static const struct header_field tcp[] = {
	NUMBER("src_port", 0, 16, 49152),
	NUMBER("dst_port", 16, 16, 9),
	NUMBER("seq_num", 32, 32, 0),
	NUMBER("ack_num", 64, 32, 0),
	AUTO("data_offset", 96, 4, AUTO_HEADER_WORDS),
	NUMBER("reserved", 100, 3, 0),
	NUMBER("ecn_ns", 103, 1, 0),
	NUMBER("ecn_cwr", 104, 1, 0),
	NUMBER("ecn_echo", 105, 1, 0),
	NUMBER("ctl_urg", 106, 1, 0),
	NUMBER("ctl_ack", 107, 1, 0),
	NUMBER("ctl_psh", 108, 1, 0),
	NUMBER("ctl_rst", 109, 1, 0),
	NUMBER("ctl_syn", 110, 1, 0),
	NUMBER("ctl_fin", 111, 1, 0),
	NUMBER("window", 112, 16, 0),
	AUTO("checksum", 128, 16, AUTO_SUM_PSEUDO),
	NUMBER("urgent_pointer", 144, 16, 0),
};

/* The common header, and a DATA chunk that contains the rest of the frame. */
static const struct header_field sctp[] = {
	NUMBER("src_port", 0, 16, 49152),
	NUMBER("dst_port", 16, 16, 9),
	NUMBER("verification_tag", 32, 32, 1),
	AUTO("checksum", 64, 32, AUTO_CRC32C),
	NUMBER("chunk_type", 96, 8, 0),
	NUMBER("chunk_flags", 104, 8, 3), /* first and last fragment: a whole message */
	LENGTH("chunk_length", 112, 12),
	NUMBER("tsn", 128, 32, 0),
	NUMBER("stream_id", 160, 16, 0),
	NUMBER("stream_sequence_number", 176, 16, 0),
	NUMBER("payload_protocol_id", 192, 32, 0),
};

static const struct header_field icmp[] = {
	NUMBER("type", 0, 8, 8),
	NUMBER("code", 8, 8, 0),
	AUTO("checksum", 16, 16, AUTO_SUM),
	NUMBER("identifier", 32, 16, 0),
	NUMBER("sequence_number", 48, 16, 0),
};

static const struct header_field icmpv6[] = {
	NUMBER("type", 0, 8, 128),
	NUMBER("code", 8, 8, 0),
	AUTO("checksum", 16, 16, AUTO_SUM_PSEUDO),
	NUMBER("identifier", 32, 16, 0),
	NUMBER("sequence_number", 48, 16, 0),
};

static const struct header_field gre[] = {
	FLAG("checksum_present", 0, 0),
	NUMBER("reserved", 1, 1, 0),
	FLAG("key_present", 2, 1),
	FLAG("sequence_number_present", 3, 2),
	NUMBER("reserved0", 4, 9, 0),
	NUMBER("version", 13, 3, 0),
	AUTO("protocol", 16, 16, AUTO_ETHER_TYPE),
	AUTO("checksum", 32, 16, AUTO_SUM),
	NUMBER("reserved1", 48, 16, 0),
	NUMBER("key", 64, 32, 0),
	NUMBER("sequence_number", 96, 32, 0),
};

static const struct header_field vxlan[] = {
	NUMBER("flags", 0, 8, 8),
	NUMBER("reserved0", 8, 24, 0),
	NUMBER("vni", 32, 24, 0),
	NUMBER("reserved1", 56, 8, 0),
};

static const struct header_field nvgre[] = {
	NUMBER("checksum_present", 0, 1, 0),
	NUMBER("reserved", 1, 1, 0),
	NUMBER("key_present", 2, 1, 1),
	NUMBER("sequence_number_present", 3, 1, 0),
	NUMBER("reserved0", 4, 9, 0),
	NUMBER("version", 13, 3, 0),
	NUMBER("protocol", 16, 16, TYPE_TEB),
	NUMBER("vsid", 32, 24, 0x1000), /* lower ones are reserved (RFC 7637, section 3.3) */
	NUMBER("flow_id", 56, 8, 0),
};

static const struct header_field geneve[] = {
	NUMBER("version", 0, 2, 0),   AUTO("options_length", 2, 6, AUTO_OPTION_WORDS),
	NUMBER("control", 8, 1, 0),   NUMBER("critical", 9, 1, 0),
	NUMBER("reserved", 10, 6, 0), AUTO("protocol_type", 16, 16, AUTO_ETHER_TYPE),
	NUMBER("vni", 32, 24, 0),     NUMBER("reserved1", 56, 8, 0),
};

static const struct header_field gtpv1[] = {
	NUMBER("version", 0, 3, 1),
	NUMBER("protocol_type", 3, 1, 1),
	NUMBER("reserved", 4, 1, 0),
	AUTO("e_flag", 5, 1, AUTO_OTHER_FLAG),
	FLAG("s_flag", 6, 0),
	AUTO("pn_flag", 7, 1, AUTO_OTHER_FLAG),
	NUMBER("message_type", 8, 8, 255), /* G-PDU */
	LENGTH("message_length", 16, 8),
	NUMBER("teid", 32, 32, 0),
	NUMBER("sequence_number", 64, 16, 0),
	NUMBER("n_pdu_number", 80, 8, 0),
	NUMBER("next_extension_header_type", 88, 8, 0),
};

const struct header_kind header_kinds[] = {
	[HEADER_ETHERNET] = { "ethernet", 14, 0, false, TYPE_TEB, HEADER_NO_PROTOCOL, 0,
			      "vxlan geneve gre nvgre mpls", FIELDS(ethernet) },
	[HEADER_VLAN] = { "vlan", 4, 0, false, TYPE_VLAN, HEADER_NO_PROTOCOL, 0, UNDER_ETHERNET,
			  FIELDS(vlan) },
	[HEADER_MPLS] = { "mpls", 4, 0, false, TYPE_MPLS, HEADER_NO_PROTOCOL, 0,
			  UNDER_ETHERNET " mpls gre geneve", FIELDS(mpls) },
	[HEADER_ARP] = { "arp", 28, 0, false, TYPE_ARP, HEADER_NO_PROTOCOL, 0, UNDER_ETHERNET,
			 FIELDS(arp) },
	[HEADER_IPV4] = { "ipv4", 20, 0, true, TYPE_IPV4, IPPROTO_IPIP, 0,
			  UNDER_ETHERNET " mpls gre geneve gtpv1 " UNDER_IP, FIELDS(ipv4) },
	[HEADER_IPV6] = { "ipv6", 40, 0, false, TYPE_IPV6, IPPROTO_IPV6, 0,
			  UNDER_ETHERNET " mpls gre geneve gtpv1 " UNDER_IP, FIELDS(ipv6) },
	[HEADER_IPV6_HOP_BY_HOP] = { "ipv6_hop_by_hop", 8, 0, false, 0, IPPROTO_HOPOPTS, 0, "ipv6",
				     FIELDS(ipv6_options) },
	[HEADER_IPV6_ROUTING] = { "ipv6_routing", 8, 0, false, 0, IPPROTO_ROUTING, 0, UNDER_IPV6,
				  FIELDS(ipv6_routing) },
	[HEADER_IPV6_FRAGMENT] = { "ipv6_fragment", 8, 0, false, 0, IPPROTO_FRAGMENT, 0, UNDER_IPV6,
				   FIELDS(ipv6_fragment) },
	[HEADER_IPV6_DESTINATION] = { "ipv6_destination", 8, 0, false, 0, IPPROTO_DSTOPTS, 0,
				      UNDER_IPV6, FIELDS(ipv6_options) },
	[HEADER_UDP] = { "udp", 8, 0, false, 0, IPPROTO_UDP, 0, UNDER_IP, FIELDS(udp) },
	[HEADER_TCP] = { "tcp", 20, 0, true, 0, IPPROTO_TCP, 0, UNDER_IP, FIELDS(tcp) },
	[HEADER_SCTP] = { "sctp", 28, 0, false, 0, IPPROTO_SCTP, 0, UNDER_IP, FIELDS(sctp) },
	[HEADER_ICMP] = { "icmp", 8, 0, false, 0, IPPROTO_ICMP, 0, "ipv4", FIELDS(icmp) },
	[HEADER_ICMPV6] = { "icmpv6", 8, 0, false, 0, IPPROTO_ICMPV6, 0, UNDER_IPV6,
			    FIELDS(icmpv6) },
	[HEADER_GRE] = { "gre", 16, 4, false, 0, IPPROTO_GRE, 0, UNDER_IP, FIELDS(gre) },
	[HEADER_NVGRE] = { "nvgre", 8, 0, false, 0, IPPROTO_GRE, 0, UNDER_IP, FIELDS(nvgre) },
	[HEADER_VXLAN] = { "vxlan", 8, 0, false, 0, HEADER_NO_PROTOCOL, PORT_VXLAN, "udp",
			   FIELDS(vxlan) },
	[HEADER_GENEVE] = { "geneve", 8, 0, true, 0, HEADER_NO_PROTOCOL, PORT_GENEVE, "udp",
			    FIELDS(geneve) },
	[HEADER_GTPV1] = { "gtpv1", 12, 8, false, 0, HEADER_NO_PROTOCOL, PORT_GTPU, "udp",
			   FIELDS(gtpv1) },
	[HEADER_KINDS_END] = { .name = NULL },
};

const struct header_kind header_custom = { "custom",           0, 0,    true, 0,
					   HEADER_NO_PROTOCOL, 0, NULL, NULL, 0 };
