/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <stdio.h>
#include <string.h>

#include "packet/stack.h"

static const struct refusal {
	const char *name, *text, *why;
} refusals[] = {
	{ "nothing", "", "no header name at \"\" (valid: for example" },
	{ "no_more", "ethernet/", "no header name at \"\"" },
	{ "first", "ipv4/udp", "ipv4: cannot be the first header (valid: ethernet, custom)" },
	{ "order", "ethernet/udp", "udp: cannot follow ethernet (valid: after ipv4 ipv6" },
	{ "icmp", "ethernet/ipv6/icmp", "icmp: cannot follow ipv6 (valid: after ipv4)" },
	{ "name", "ethernet/ipv5", "ipv5: unknown header; did you mean ipv4?" },
	{ "unknown_name", "ethernet/ospf",
	  "ospf: unknown header (valid: ethernet, vlan, mpls, arp, ipv4" },
	{ "word_for_a_header", "ethernet/ip", "ip: unknown header; did you mean ipv4?" },
	{ "word_for_a_field", "ethernet/ipv4(ttl=9)",
	  "ipv4: no field ttl; did you mean time_to_live?" },
	{ "field", "ethernet/ipv4(sourc=1.2.3.4)", "ipv4: no field sourc; did you mean src?" },
	{ "part_of_a_name", "ethernet/ipv4(checksum=1)",
	  "ipv4: no field checksum; did you mean header_checksum?" },
	{ "other_name", "ethernet/vlan(ttl=1)",
	  "vlan: no field ttl (valid: priority, cfi, id, tpid)" },
	{ "no_fields", "ethernet/custom(ttl=1)", "custom: no field ttl (valid: bytes)" },
	{ "no_value", "ethernet/ipv4(src)", "ipv4: no value for src (valid: FIELD=VALUE)" },
	{ "value", "ethernet/ipv4(src=1.2.3)", "src=1.2.3: must be an IPv4 address" },
	{ "wide", "ethernet/vlan(id=4096)/ipv4", "id=4096: must be a number from 0 to 4095" },
	{ "wide_range", "ethernet/vlan(id=1-4096)/ipv4",
	  "last value of the range: must be a number" },
	{ "open", "ethernet/ipv4(src=1.2.3.4", "ipv4: no ) after its fields" },
	{ "behind", "ethernet/ipv4(src=1.2.3.4)udp", "udp: must be / and a header, or the end" },
	{ "bad_field", "ethernet/ipv4(src=bad)", "src=bad: not a checksum" },
	{ "options", "ethernet/ipv4(options=0102)", "options: 2 bytes (valid: a multiple of 4" },
	{ "hex", "ethernet/custom(bytes=0g)", "0g: must be hexadecimal digits" },
	{ "empty", "ethernet/custom", "custom: no bytes" },
	{ "tunnel", "ethernet/ipv4/udp/vxlan", "vxlan: no header in the tunnel; add /ethernet" },
	{ "nvgre_tunnel", "ethernet/ipv4/nvgre", "nvgre: no header in the tunnel; add /ethernet" },
	{ "flag", "ethernet/ipv4/gre(key_present=0-1)", "key_present: several values" },
	{ "many",
	  "ethernet/vlan/vlan/vlan/vlan/vlan/vlan/vlan/vlan/vlan/vlan/vlan/vlan/vlan/vlan/"
	  "vlan/vlan",
	  "vlan: too many headers (valid: at most 16)" },
};

TEST_EACH(stack, refuses, struct refusal, refusals)
{
	struct stack s;
	const char *why = stack_parse(&s, row->text);

	ASSERT_TRUE(why != NULL);
	EXPECT_SUBSTR(row->why, why);
	stack_free(&s);
}

static const struct same {
	const char *name, *text, *reversed;
} same[] = {
	{ "plain", "ethernet/ipv4/udp",
	  "ethernet/ipv4(src=198.19.0.1,dst=198.18.0.1)/udp(src_port=9,dst_port=49152)" },
	{ "fields",
	  "ethernet(src=02:00:00:00:00:01)/ipv4(src=10.0.0.1;10.0.0.7,dst=10.1.0.1)/"
	  "udp(dst_port=5-9,checksum=bad)",
	  "ethernet(dst=02:00:00:00:00:01)/ipv4(src=10.1.0.1,dst=10.0.0.1;10.0.0.7)/"
	  "udp(dst_port=49152,checksum=bad,src_port=5-9)" },
	{ "tunnel", "ethernet/ipv4(src=1.1.1.1,dst=2.2.2.2,options=94040000)/udp/vxlan/ethernet",
	  "ethernet/ipv4(src=2.2.2.2,dst=1.1.1.1,options=94040000)/udp/vxlan/ethernet" },
	{ "bytes", "ethernet/custom(bytes=00ff)", "ethernet/custom(bytes=00ff)" },
};

TEST_EACH(stack, the_text_of_a_stack_reads_back, struct same, same)
{
	char text[STACK_TEXT_BYTES];
	struct stack s, copy;

	ASSERT_TRUE(stack_parse(&s, row->text) == NULL);
	stack_format(&s, text, sizeof(text));
	EXPECT_STREQ(row->text, text);
	stack_copy(&copy, &s);
	stack_free(&s);
	stack_reverse(&copy);
	stack_format(&copy, text, sizeof(text));
	EXPECT_STREQ(row->reversed, text);
	stack_free(&copy);
}

static const struct length {
	const char *name, *format; /* with bytes as hexadecimal digits */
	unsigned most;
	const char *why; /* for a byte more, or 4 bytes of options */
	unsigned step;
} lengths[] = {
	{ "options", "ethernet/ipv4(options=%s)/udp", 40,
	  "options: 44 bytes (valid: a multiple of 4, at most 40)", 4 },
	{ "options_of_tcp", "ethernet/ipv4/tcp(options=%s)", 40, "options: 44 bytes (valid:", 4 },
	{ "custom_bytes", "ethernet/custom(bytes=%s)", 256, "bytes: 257 bytes (valid: at most 256)",
	  1 },
	{ "bytes_of_all_headers", "ethernet/ipv6/ipv6/ipv6/ipv6/ipv6/ipv6/ipv6/custom(bytes=%s)",
	  512 - 14 - 7 * 40, "the headers are too long (valid: at most 512 bytes)", 1 },
	{ "bytes_before_a_header", "ethernet/ipv6/ipv6/ipv6/ipv6/ipv6/ipv6/custom(bytes=%s)/udp",
	  512 - 14 - 6 * 40 - 8, "udp: the headers are too long (valid: at most 512 bytes)", 1 },
};

TEST_EACH(stack, has_limits_of, struct length, lengths)
{
	char digits[2 * 512 + 1], text[sizeof(digits) + 128];
	struct stack s;

	memset(digits, '0', sizeof(digits));
	digits[2 * row->most] = '\0';
	snprintf(text, sizeof(text), row->format, digits);
	EXPECT_EQ(NULL, stack_parse(&s, text));
	stack_free(&s);
	digits[2 * row->most] = '0';
	digits[2 * (row->most + row->step)] = '\0';
	snprintf(text, sizeof(text), row->format, digits);
	EXPECT_SUBSTR(row->why, stack_parse(&s, text));
	stack_free(&s);
}

TEST(stack, has_64_fields_at_most)
{
	static const char fields[] =
		"/ipv4(version=1,header_length=1,priority=1,dscp=1,ecn=1,total_length=1,"
		"identification=1,reserved=1,dont_fragment=1,more_fragments=1,fragment_offset=1,"
		"time_to_live=1,protocol=1,header_checksum=1,src=1.1.1.1,dst=1.1.1.1)";
	char text[4 * sizeof(fields) + 64];
	struct stack s;

	for (unsigned extra = 0; extra < 2; extra++) {
		snprintf(text, sizeof(text), "ethernet%s%s%s%s%s", extra ? "(ether_type=2048)" : "",
			 fields, fields, fields, fields);
		if (extra)
			EXPECT_SUBSTR("too many fields (valid: at most 64)", stack_parse(&s, text));
		else
			EXPECT_EQ(NULL, stack_parse(&s, text));
		stack_free(&s);
	}
}

static const struct ip_case {
	const char *name, *text;
	bool is_found, is_v6;
	unsigned header, offset;
} ips[] = {
	{ "ipv4", "ethernet/ipv4/udp", true, false, 1, 14 },
	{ "ipv6_behind_two_tags", "ethernet/vlan/vlan/ipv6/udp", true, true, 3, 22 },
	{ "the_outer_one", "ethernet/ipv4/ipv6/udp", true, false, 1, 14 },
	{ "none", "ethernet/arp", false, false, 0, 0 },
	{ "none_behind_a_label", "ethernet/mpls/ipv4/udp", false, false, 0, 0 },
	{ "none_behind_bytes", "custom(bytes=00)/ipv4/udp", false, false, 0, 0 },
};

TEST_EACH(stack_find_ip, finds, struct ip_case, ips)
{
	struct stack_ip ip;
	struct stack s;

	ASSERT_EQ(NULL, stack_parse(&s, row->text));
	EXPECT_EQ(row->is_found, stack_find_ip(&s, &ip));
	if (row->is_found) {
		EXPECT_EQ(row->is_v6, ip.is_v6);
		EXPECT_EQ(row->header, ip.header);
		EXPECT_EQ(row->offset, ip.offset);
	}
	stack_free(&s);
}

/* Expects the text of @s, and frees it. */
static void expect_text(const char *want, struct stack *s)
{
	char text[STACK_TEXT_BYTES];

	stack_format(s, text, sizeof(text));
	EXPECT_STREQ(want, text);
	stack_free(s);
}

TEST(stack, addresses_of_the_ports_replace_only_what_the_user_left_out)
{
	static const uint8_t src[16] = { 0x20, 1, [15] = 5 }, dst[16] = { 0x20, 1, [15] = 9 };
	static const uint8_t from[6] = { 2, 0, 0, 0, 0, 1 }, to[6] = { 2, 0, 0, 0, 0, 2 };
	struct stack_ip ip;
	struct stack s;

	ASSERT_EQ(NULL, stack_parse(&s, "ethernet(dst=02:00:00:00:00:07)/arp"));
	stack_set_macs(&s, from, to);
	expect_text("ethernet(dst=02:00:00:00:00:07,src=02:00:00:00:00:01)/"
		    "arp(sender_hardware_addr=02:00:00:00:00:01)",
		    &s);
	ASSERT_EQ(NULL, stack_parse(&s, "ethernet/ipv6/udp"));
	stack_set_macs(&s, from, to);
	ASSERT_TRUE(stack_find_ip(&s, &ip));
	stack_set_ips(&s, &ip, src, dst);
	expect_text("ethernet(dst=02:00:00:00:00:02,src=02:00:00:00:00:01)/"
		    "ipv6(src=2001::5,dst=2001::9)/udp",
		    &s);
	ASSERT_EQ(NULL, stack_parse(&s, "ethernet/ipv4(dst=10.0.0.7)/udp"));
	ASSERT_TRUE(stack_find_ip(&s, &ip));
	stack_set_ips(&s, &ip, src, dst);
	expect_text("ethernet/ipv4(dst=10.0.0.7,src=32.1.0.0)/udp", &s);
	ASSERT_EQ(NULL, stack_parse(&s, "ethernet/ipv4/udp"));
	ASSERT_TRUE(stack_find_ip(&s, &ip));
	stack_set_ips(&s, &ip, NULL, dst);
	expect_text("ethernet/ipv4(dst=32.1.0.0)/udp", &s);
}
