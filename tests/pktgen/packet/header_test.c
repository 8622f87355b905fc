/* SPDX-License-Identifier: BSD-3-Clause */
#include "packet/header.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ct.h"

enum { TEXT_BYTES = 1024 };

static char text[TEXT_BYTES];
static size_t used;

__attribute__((format(printf, 1, 2))) static void add_text(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	used += (size_t)vsnprintf(text + used, sizeof(text) - used, format, args);
	va_end(args);
}

/* Formats a field as "name bit+bits", and its format, value, or the way that it gets its value. */
static void add_field(const struct header_field *f)
{
	static const char *const autos[] = {
		[AUTO_SRC_MAC] = "src_mac",
		[AUTO_DST_MAC] = "dst_mac",
		[AUTO_ETHER_TYPE] = "type",
		[AUTO_IP_PROTOCOL] = "protocol",
		[AUTO_UDP_PORT] = "port",
		[AUTO_BOTTOM] = "bottom",
		[AUTO_HEADER_WORDS] = "words",
		[AUTO_OPTION_WORDS] = "option_words",
		[AUTO_FLAG] = "flag",
		[AUTO_OTHER_FLAG] = "other_flag",
		[AUTO_LENGTH] = "length",
		[AUTO_SUM_HEADER] = "sum_header",
		[AUTO_SUM_PSEUDO] = "sum_pseudo",
		[AUTO_SUM] = "sum",
		[AUTO_CRC32C] = "crc32c",
	};
	static const char *const formats[] = {
		[FIELD_NUMBER] = "", [FIELD_MAC] = ":m", [FIELD_IPV4] = ":4", [FIELD_IPV6] = ":6"
	};

	add_text(", %s %u+%u%s", f->name, f->bit, f->bits, formats[f->format]);
	if (f->autos)
		add_text(" %s", autos[f->autos]);
	if (f->group)
		add_text(" %u", f->group);
	if (f->value >> 64)
		add_text(" %#llx...%llx", (unsigned long long)(f->value >> 64),
			 (unsigned long long)f->value);
	else if (f->value)
		add_text(" %llu", (unsigned long long)f->value);
}

static const char *format_kind(const struct header_kind *k)
{
	used = 0;
	add_text("%s: %u bytes, parts from %u, options %d, type %#x, protocol %u, port %u, under "
		 "%s",
		 k->name, k->bytes, k->first_part, k->has_options, k->ether_type, k->ip_protocol,
		 k->udp_port, k->under);
	for (unsigned i = 0; i < k->n_fields; i++)
		add_field(&k->fields[i]);
	return text;
}

/* As the RFCs, IEEE 802.1Q and 3GPP TS 29.281 have them: bits count from the first one on. */
static const char *const kinds[] = {
	"ethernet: 14 bytes, parts from 0, options 0, type 0x6558, protocol 255, port 0, under "
	"vxlan geneve gre nvgre mpls, dst 0+48:m dst_mac, src 48+48:m src_mac, ether_type 96+16 "
	"type",
	"vlan: 4 bytes, parts from 0, options 0, type 0x8100, protocol 255, port 0, under ethernet "
	"vlan, priority 0+3, cfi 3+1, id 4+12 1, tpid 16+16 type",
	"mpls: 4 bytes, parts from 0, options 0, type 0x8847, protocol 255, port 0, under ethernet "
	"vlan mpls gre geneve, label 0+20 16, traffic_class 20+3, bottom_of_stack 23+1 bottom, "
	"time_to_live 24+8 64",
	"arp: 28 bytes, parts from 0, options 0, type 0x806, protocol 255, port 0, under ethernet "
	"vlan, hardware_type 0+16 1, protocol_type 16+16 2048, hardware_length 32+8 6, "
	"protocol_length 40+8 4, operation 48+16 1, sender_hardware_addr 64+48:m src_mac, "
	"sender_protocol_addr 112+32:4 3323068417, target_hardware_addr 144+48:m, "
	"target_protocol_addr 192+32:4 3323133953",
	"ipv4: 20 bytes, parts from 0, options 1, type 0x800, protocol 4, port 0, under ethernet "
	"vlan mpls gre geneve gtpv1 ipv4 ipv6 ipv6_hop_by_hop ipv6_routing ipv6_fragment "
	"ipv6_destination, version 0+4 4, header_length 4+4 words, priority 8+8, dscp 8+6, ecn "
	"14+2, total_length 16+16 length, identification 32+16, reserved 48+1, dont_fragment 49+1, "
	"more_fragments 50+1, fragment_offset 51+13, time_to_live 64+8 64, protocol 72+8 protocol, "
	"header_checksum 80+16 sum_header, src 96+32:4 3323068417, dst 128+32:4 3323133953",
	"ipv6: 40 bytes, parts from 0, options 0, type 0x86dd, protocol 41, port 0, under ethernet "
	"vlan mpls gre geneve gtpv1 ipv4 ipv6 ipv6_hop_by_hop ipv6_routing ipv6_fragment "
	"ipv6_destination, version 0+4 6, traffic_class 4+8, flow_label 12+20, payload_length "
	"32+16 length 40, next_header 48+8 protocol, hop_limit 56+8 64, src 64+128:6 "
	"0x2001000200000000...1, dst 192+128:6 0x2001000200000000...2",
	"ipv6_hop_by_hop: 8 bytes, parts from 0, options 0, type 0, protocol 0, port 0, under "
	"ipv6, next_header 0+8 protocol, header_length 8+8, options 16+48 1116691496960",
	"ipv6_routing: 8 bytes, parts from 0, options 0, type 0, protocol 43, port 0, under ipv6 "
	"ipv6_hop_by_hop ipv6_routing ipv6_fragment ipv6_destination, next_header 0+8 protocol, "
	"header_length 8+8, routing_type 16+8 253, segments_left 24+8, data 32+32",
	"ipv6_fragment: 8 bytes, parts from 0, options 0, type 0, protocol 44, port 0, under ipv6 "
	"ipv6_hop_by_hop ipv6_routing ipv6_fragment ipv6_destination, next_header 0+8 protocol, "
	"reserved 8+8, fragment_offset 16+13, reserved1 29+2, more_fragments 31+1, identification "
	"32+32",
	"ipv6_destination: 8 bytes, parts from 0, options 0, type 0, protocol 60, port 0, under "
	"ipv6 ipv6_hop_by_hop ipv6_routing ipv6_fragment ipv6_destination, next_header 0+8 "
	"protocol, header_length 8+8, options 16+48 1116691496960",
	"udp: 8 bytes, parts from 0, options 0, type 0, protocol 17, port 0, under ipv4 ipv6 "
	"ipv6_hop_by_hop ipv6_routing ipv6_fragment ipv6_destination, src_port 0+16 49152, "
	"dst_port 16+16 port 9, length 32+16 length, checksum 48+16 sum_pseudo",
	"tcp: 20 bytes, parts from 0, options 1, type 0, protocol 6, port 0, under ipv4 ipv6 "
	"ipv6_hop_by_hop ipv6_routing ipv6_fragment ipv6_destination, src_port 0+16 49152, "
	"dst_port 16+16 9, seq_num 32+32, ack_num 64+32, data_offset 96+4 words, reserved 100+3, "
	"ecn_ns 103+1, ecn_cwr 104+1, ecn_echo 105+1, ctl_urg 106+1, ctl_ack 107+1, ctl_psh 108+1, "
	"ctl_rst 109+1, ctl_syn 110+1, ctl_fin 111+1, window 112+16, checksum 128+16 sum_pseudo, "
	"urgent_pointer 144+16",
	"sctp: 28 bytes, parts from 0, options 0, type 0, protocol 132, port 0, under ipv4 ipv6 "
	"ipv6_hop_by_hop ipv6_routing ipv6_fragment ipv6_destination, src_port 0+16 49152, "
	"dst_port 16+16 9, verification_tag 32+32 1, checksum 64+32 crc32c, chunk_type 96+8, "
	"chunk_flags 104+8 3, chunk_length 112+16 length 12, tsn 128+32, stream_id 160+16, "
	"stream_sequence_number 176+16, payload_protocol_id 192+32",
	"icmp: 8 bytes, parts from 0, options 0, type 0, protocol 1, port 0, under ipv4, type 0+8 "
	"8, code 8+8, checksum 16+16 sum, identifier 32+16, sequence_number 48+16",
	"icmpv6: 8 bytes, parts from 0, options 0, type 0, protocol 58, port 0, under ipv6 "
	"ipv6_hop_by_hop ipv6_routing ipv6_fragment ipv6_destination, type 0+8 128, code 8+8, "
	"checksum 16+16 sum_pseudo, identifier 32+16, sequence_number 48+16",
	"gre: 16 bytes, parts from 4, options 0, type 0, protocol 47, port 0, under ipv4 ipv6 "
	"ipv6_hop_by_hop ipv6_routing ipv6_fragment ipv6_destination, checksum_present 0+1 flag, "
	"reserved 1+1, key_present 2+1 flag 1, sequence_number_present 3+1 flag 2, reserved0 4+9, "
	"version 13+3, protocol 16+16 type, checksum 32+16 sum, reserved1 48+16, key 64+32, "
	"sequence_number 96+32",
	"nvgre: 8 bytes, parts from 0, options 0, type 0, protocol 47, port 0, under ipv4 ipv6 "
	"ipv6_hop_by_hop ipv6_routing ipv6_fragment ipv6_destination, checksum_present 0+1, "
	"reserved 1+1, key_present 2+1 1, sequence_number_present 3+1, reserved0 4+9, version "
	"13+3, protocol 16+16 25944, vsid 32+24 4096, flow_id 56+8",
	"vxlan: 8 bytes, parts from 0, options 0, type 0, protocol 255, port 4789, under udp, "
	"flags 0+8 8, reserved0 8+24, vni 32+24, reserved1 56+8",
	"geneve: 8 bytes, parts from 0, options 1, type 0, protocol 255, port 6081, under udp, "
	"version 0+2, options_length 2+6 option_words, control 8+1, critical 9+1, reserved 10+6, "
	"protocol_type 16+16 type, vni 32+24, reserved1 56+8",
	"gtpv1: 12 bytes, parts from 8, options 0, type 0, protocol 255, port 2152, under udp, "
	"version 0+3 1, protocol_type 3+1 1, reserved 4+1, e_flag 5+1 other_flag, s_flag 6+1 flag, "
	"pn_flag 7+1 other_flag, message_type 8+8 255, message_length 16+16 length 8, teid 32+32, "
	"sequence_number 64+16, n_pdu_number 80+8, next_extension_header_type 88+8",
};

TEST(header, each_field_is_at_its_place)
{
	unsigned n = 0;

	for (; header_kinds[n].name; n++) {
		ASSERT_LT(n, sizeof(kinds) / sizeof(kinds[0]));
		EXPECT_STREQ(kinds[n], format_kind(&header_kinds[n]));
	}
	EXPECT_EQ(sizeof(kinds) / sizeof(kinds[0]), n);
	EXPECT_EQ(HEADER_KINDS_END, n);
}

/* An unknown name, and the suggestion; NULL: all names are listed. @header NULL: of a header. */
static const struct suggestion_case {
	const char *name, *header, *word, *want;
} suggestions[] = {
	{ "ttl_of_ipv4", "ipv4", "ttl", "time_to_live" },
	{ "ttl_of_mpls", "mpls", "TTL", "time_to_live" },
	{ "ttl_of_ipv6", "ipv6", "ttl", "hop_limit" },
	{ "ttl_of_vlan", "vlan", "ttl", NULL },
	{ "ttl_of_custom", "custom", "ttl", NULL },
	{ "name_of_the_other_version", "ipv6", "time_to_live", "hop_limit" },
	{ "tos", "ipv4", "tos", "priority" },
	{ "tos_of_ipv6", "ipv6", "tos", "traffic_class" },
	{ "dscp_of_ipv6", "ipv6", "dscp", "traffic_class" },
	{ "vid", "vlan", "vid", "id" },
	{ "pcp", "vlan", "pcp", "priority" },
	{ "exp", "mpls", "exp", "traffic_class" },
	{ "proto", "ipv4", "proto", "protocol" },
	{ "proto_of_ipv6", "ipv6", "proto", "next_header" },
	{ "len_of_ipv4", "ipv4", "len", "total_length" },
	{ "len_of_udp", "udp", "len", "length" },
	{ "chksum_of_ipv4", "ipv4", "chksum", "header_checksum" },
	{ "chksum_of_tcp", "tcp", "chksum", "checksum" },
	{ "saddr", "ipv6", "saddr", "src" },
	{ "dport", "tcp", "dport", "dst_port" },
	{ "df", "ipv4", "df", "dont_fragment" },
	{ "mf", "ipv4", "mf", "more_fragments" },
	{ "flags_of_ipv4", "ipv4", "flags", "dont_fragment" },
	{ "flags_of_tcp", "tcp", "flags", "ctl_syn" },
	{ "syn", "tcp", "syn", "ctl_syn" },
	{ "opcode", "arp", "opcode", "operation" },
	{ "spa", "arp", "spa", "sender_protocol_addr" },
	{ "hwdst", "arp", "hwdst", "target_hardware_addr" },
	{ "tni", "nvgre", "tni", "vsid" },
	{ "part", "tcp", "urg", "ctl_urg" },
	{ "more_than_a_name", "ipv4", "src_address", "src" },
	{ "a_dash", "udp", "dst-port", "dst_port" },
	{ "typing_mistake", "udp", "cheksum", "checksum" },
	{ "short_word", "vlan", "xy", NULL },
	{ "a_letter", "tcp", "z", NULL },
	{ "long_word", "udp", "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz", NULL },
	{ "ip", NULL, "ip", "ipv4" },
	{ "ip6", NULL, "IP6", "ipv6" },
	{ "ether", NULL, "ether", "ethernet" },
	{ "dot1q", NULL, "802.1q", "vlan" },
	{ "icmp6", NULL, "icmp6", "icmpv6" },
	{ "gtp_u", NULL, "gtp-u", "gtpv1" },
	{ "payload", NULL, "payload", "custom" },
	{ "srh", NULL, "srh", "ipv6_routing" },
	{ "typing_mistake_of_a_header", NULL, "genev", "geneve" },
	{ "unknown_header", NULL, "ospf", NULL },
};

TEST_EACH(header, suggests, struct suggestion_case, suggestions)
{
	const size_t n = strlen(row->word);
	const char *got;

	if (row->header)
		got = header_suggest_field(header_find(row->header, strlen(row->header)), row->word,
					   n);
	else
		got = header_suggest(row->word, n);
	EXPECT_STREQ(row->want ? row->want : "", got ? got : "");
}

TEST(header, lists_all_names)
{
	char list[HEADER_LIST_BYTES];

	EXPECT_SUBSTR("ethernet, vlan, mpls, arp, ipv4, ipv6", header_list(list));
	EXPECT_SUBSTR("geneve, gtpv1, custom", list);
	for (const struct header_kind *kind = header_kinds; kind->name; kind++) {
		EXPECT_SUBSTR(kind->name, header_list(list));
		header_list_fields(kind, "devx_options", list);
		for (unsigned i = 0; i < kind->n_fields; i++)
			EXPECT_SUBSTR(kind->fields[i].name, list);
		EXPECT_EQ(kind->has_options, strstr(list, ", devx_options") != NULL);
	}
	EXPECT_STREQ("bytes", header_list_fields(&header_custom, "bytes", list));
}
