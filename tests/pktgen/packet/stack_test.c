/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <string.h>

#include "packet/stack.h"

static const struct refusal {
	const char *name, *text, *why;
} refusals[] = {
	{ "nothing", "", "no name of a header at \"\" (valid: for example" },
	{ "no_more", "ethernet/", "no name of a header at \"\"" },
	{ "first", "ipv4/udp", "ipv4: cannot be the first header (valid: ethernet, custom)" },
	{ "order", "ethernet/udp", "udp: cannot follow ethernet (valid: after ipv4 ipv6" },
	{ "icmp", "ethernet/ipv6/icmp", "icmp: cannot follow ipv6 (valid: after ipv4)" },
	{ "name", "ethernet/ipv5", "ipv5: unknown header; did you mean ipv4?" },
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
	{ "open", "ethernet/ipv4(src=1.2.3.4", "ipv4: no ) behind its fields" },
	{ "behind", "ethernet/ipv4(src=1.2.3.4)udp", "udp: must be / and a header, or the end" },
	{ "bad_field", "ethernet/ipv4(src=bad)", "src=bad: not a checksum" },
	{ "options", "ethernet/ipv4(options=0102)", "options: 2 bytes (valid: a multiple of 4" },
	{ "hex", "ethernet/custom(bytes=0g)", "0g: must be hexadecimal digits" },
	{ "empty", "ethernet/custom", "custom: no bytes" },
	{ "tunnel", "ethernet/ipv4/udp/vxlan", "vxlan: no header in the tunnel; add /ethernet" },
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
