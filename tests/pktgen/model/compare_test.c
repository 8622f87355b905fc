/* SPDX-License-Identifier: BSD-3-Clause */
#include "compare_fixture.h"

#include <stdlib.h>

#include "packet/dissect.h"

static const struct device {
	const char *name, *sent, *received, *changes;
} devices[] = {
	{ "push_a_tag", UDP4, "ethernet/vlan(id=7)/ipv4/udp", "+vlan" },
	{ "pop_a_tag", "ethernet/vlan(id=7)/ipv4/udp", UDP4, "-vlan" },
	{ "push_a_second_tag", "ethernet/vlan(id=7)/ipv4/udp",
	  "ethernet(ether_type=0x88a8)/vlan(id=9)/vlan(id=7)/ipv4/udp", "+vlan" },
	{ "change_a_tag", "ethernet/vlan(id=7)/ipv4/udp", "ethernet/vlan(id=8,priority=3)/ipv4/udp",
	  "vlan.priority 0>3, vlan.id 7>8" },
	{ "change_the_tpid", "ethernet/vlan(id=7)/ipv4/udp",
	  "ethernet(ether_type=0x88a8)/vlan(id=7)/ipv4/udp", "ethernet.ether_type 33024>34984" },
	{ "push_mpls", UDP4, "ethernet/mpls(label=3000)/mpls/ipv4/udp", "+mpls, +mpls[1]" },
	{ "pop_mpls", "ethernet/mpls(label=3000)/ipv6/udp", "ethernet/ipv6/udp", "-mpls" },
	{ "change_the_outer_label", "ethernet/mpls(label=30)/mpls/ipv4/udp",
	  "ethernet/mpls(label=31,time_to_live=63)/mpls/ipv4/udp",
	  "mpls.label 30>31, mpls.time_to_live 64>63" },
	{ "translate_addresses_and_ports", "ethernet/ipv4(src=10.0.0.1)/tcp(src_port=5)",
	  "ethernet/ipv4(src=203.0.113.9)/tcp(src_port=6)",
	  "ipv4.src 10.0.0.1>203.0.113.9, tcp.src_port 5>6" },
	{ "translate_ipv6", "ethernet/ipv6/udp", "ethernet/ipv6(dst=2001:db8::9)/udp",
	  "ipv6.dst 2001:2::2>2001:db8::9" },
	{ "translate_ipv6_to_ipv4", "ethernet/ipv6/udp", UDP4, "-ipv6, +ipv4" },
	{ "remark", UDP4, "ethernet/ipv4(dscp=46,ecn=3)/udp", "ipv4.dscp 0>46, ipv4.ecn 0>3" },
	{ "route", UDP4, "ethernet(dst=02:00:00:00:00:07)/ipv4(time_to_live=63)/udp",
	  "ethernet.dst 02:00:00:00:00:02>02:00:00:00:00:07, ipv4.time_to_live 64>63" },
	{ "add_options", UDP4, "ethernet/ipv4(options=94040000)/udp",
	  "ipv4.header_length 5>6, ipv4.total_length 68>72, ipv4 0 bytes>4 bytes" },
	{ "encapsulate_in_vxlan", UDP4, VXLAN4 UDP4, "+ethernet, +ipv4, +udp, +vxlan" },
	{ "decapsulate_vxlan", VXLAN4 "ethernet/ipv6/tcp", "ethernet/ipv6/tcp",
	  "-ethernet, -ipv4, -udp, -vxlan" },
	{ "encapsulate_in_gre", "ethernet/ipv6/udp", "ethernet/ipv4/gre(key=5)/ipv6/udp",
	  "+ipv4, +gre" },
	{ "change_the_inner_address", VXLAN4 "ethernet/ipv4(src=10.0.0.1)/udp",
	  VXLAN4 "ethernet/ipv4(src=10.0.0.2)/udp", "ipv4[1].src 10.0.0.1>10.0.0.2" },
	{ "change_a_gre_key", "ethernet/ipv4/gre(key=5)/ipv4/udp",
	  "ethernet/ipv4/gre(key=6)/ipv4/udp", "gre.key 5>6" },
	{ "encapsulate_in_gtp", UDP4, "ethernet/ipv4/udp/gtpv1(teid=9)/ipv4/udp",
	  "+ipv4, +udp, +gtpv1" },
	{ "encapsulate_in_geneve", UDP4,
	  "ethernet/ipv4/udp/geneve(vni=5,options=0102030405060708)/ethernet/ipv4/udp",
	  "+ethernet, +ipv4, +udp, +geneve" },
	{ "decapsulate_geneve", "ethernet/ipv4/udp/geneve(options=01020304)/ipv6/udp",
	  "ethernet/ipv6/udp", "-ipv4, -udp, -geneve" },
	{ "change_the_options_of_geneve", "ethernet/ipv6/udp/geneve(options=01020304)/ipv4/udp",
	  "ethernet/ipv6/udp/geneve(options=01020305)/ipv4/udp", "geneve 4 bytes>4 bytes" },
	{ "encapsulate_in_nvgre", UDP4, "ethernet/ipv4/nvgre(vsid=5)/ethernet/ipv4/udp",
	  "+ethernet, +ipv4, +gre" },
	{ "change_the_id_of_nvgre", "ethernet/ipv4/nvgre(vsid=5000)/ethernet/ipv4/udp",
	  "ethernet/ipv4/nvgre(vsid=5001,flow_id=7)/ethernet/ipv4/udp", "gre.key 1280000>1280263" },
	{ "add_an_unknown_header", UDP4, "ethernet(ether_type=0x88e5)/custom(bytes=0102)/ipv4/udp",
	  "-ipv4, -udp, bytes 0 bytes>30 bytes" },
	{ "change_an_unknown_header", "ethernet/custom(bytes=0102)", "ethernet/custom(bytes=0103)",
	  "bytes 2 bytes>2 bytes" },
	{ "change_sctp", "ethernet/ipv4/sctp(tsn=5)", "ethernet/ipv4/sctp(tsn=6)", "sctp.tsn 5>6" },
	{ "change_an_icmp_echo", "ethernet/ipv4/icmp(identifier=1)",
	  "ethernet/ipv4/icmp(identifier=2)", "icmp.identifier 1>2" },
};

TEST_EACH(compare, names_what_devices_do, struct device, devices)
{
	static struct ct_fix_compare self;
	uint32_t bytes;

	make_side(&self.sent, row->sent, 40);
	make_side(&self.device, row->received, 40);
	bytes = write_frame(&self);
	EXPECT_EQ(SIGN_CHANGED, compare_frame(&self, bytes));
	EXPECT_STREQ(row->changes, self.text);
	/* A trailer is one more change. */
	for (uint32_t n = 1; n <= SIGN_MAX_TRAILER; n += 21) {
		char want[TEXT_BYTES];

		memset(self.frame + bytes, 0, n);
		snprintf(want, sizeof(want), "%s, padding 0 bytes>%u byte%s", row->changes, n,
			 n == 1 ? "" : "s");
		EXPECT_EQ(SIGN_CHANGED, compare_frame(&self, bytes + n));
		EXPECT_STREQ(want, self.text);
	}
	ct_teardown_compare(&self);
}

/* A device pads a frame that it took a tag from, and then encapsulates it. */
TEST_F(compare, padding_in_a_tunnel_is_no_damage)
{
	enum { IP_AT = 14, UDP_AT = 34, PADDING = 4 };
	static const struct {
		unsigned at, more;
	} numbers[] = { { IP_AT + 2, PADDING },
			{ UDP_AT + 4, PADDING },
			/* inverted sums, of the lengths */
			{ IP_AT + 10, 0xffff - PADDING },
			{ UDP_AT + 6, 0xffff - 2 * PADDING } };
	uint32_t bytes;

	make_side(&self->sent, "ethernet/vlan/ipv4/udp", 40);
	make_side(&self->device, VXLAN4 UDP4, 40);
	bytes = write_frame(self);
	for (unsigned i = 0; i < RTE_DIM(numbers); i++) {
		uint8_t *at = self->frame + numbers[i].at;
		const uint32_t sum = (uint32_t)(at[0] << 8 | at[1]) + numbers[i].more;
		const uint32_t folded = (sum & 0xffff) + (sum >> 16);

		at[0] = (uint8_t)(folded >> 8);
		at[1] = (uint8_t)folded;
	}
	memset(self->frame + bytes, 0, PADDING);
	EXPECT_EQ(SIGN_CHANGED, compare_frame(self, bytes + PADDING));
	EXPECT_STREQ("+ethernet, +ipv4, +udp, +vxlan, -vlan, padding 0 bytes>4 bytes", self->text);
	self->frame[bytes + 1] ^= 1;
	EXPECT_EQ(SIGN_DAMAGED, compare_frame(self, bytes + PADDING));
}

TEST_F(compare, a_frame_as_sent_has_no_changes)
{
	make_side(&self->sent, VXLAN4 UDP4, 40);
	make_side(&self->device, VXLAN4 UDP4, 40);
	EXPECT_EQ(SIGN_GOOD, compare_frame(self, write_frame(self)));
	EXPECT_STREQ("", self->text);
}

TEST_F(compare, a_frame_without_its_whole_payload_is_damaged)
{
	uint32_t bytes;

	make_side(&self->sent, UDP4, 60);
	make_side(&self->device, "ethernet/vlan/ipv4/udp", 60);
	bytes = write_frame(self);
	for (uint32_t at = bytes - 60; at < bytes - SIGN_BYTES; at++) {
		self->frame[at] ^= 1;
		EXPECT_EQ(SIGN_DAMAGED, compare_frame(self, bytes));
		self->frame[at] ^= 1;
	}
	/* The signature alone, or with a part of the payload. */
	for (uint32_t n = SIGN_BYTES; n < 60; n++) {
		memmove(self->frame, self->frame + bytes - n, n);
		EXPECT_EQ(SIGN_DAMAGED, compare_frame(self, n));
		bytes = write_frame(self);
	}
}

/* A wrong checksum that the device did not receive so means damage, not a change. */
TEST_F(compare, a_wrong_checksum_is_damage)
{
	static const char *const packets[] = { UDP4,
					       "ethernet/ipv6/tcp",
					       "ethernet/ipv4/sctp",
					       "ethernet/ipv4/icmp",
					       "ethernet/ipv6/icmpv6",
					       "ethernet/ipv4/gre(checksum_present=1)/ipv4/udp",
					       VXLAN4 "ethernet/ipv6/udp" };

	for (unsigned i = 0; i < RTE_DIM(packets); i++) {
		uint32_t bytes;

		SCOPED_TRACE("%s", packets[i]);
		make_side(&self->sent, packets[i], 41);
		make_side(&self->device, packets[i], 41);
		bytes = write_frame(self);
		for (unsigned n = 0; n < self->device.flow.recipe->n_sums; n++) {
			const uint32_t at = self->device.flow.recipe->sums[n].offset;

			SCOPED_TRACE("byte %u", at);
			self->frame[at] ^= 0x10;
			EXPECT_EQ(SIGN_DAMAGED, compare_frame(self, bytes));
			self->frame[at] ^= 0x10;
		}
		/* With another MAC address all of them are verified, and right. */
		self->frame[0] ^= 4;
		EXPECT_EQ(SIGN_CHANGED, compare_frame(self, bytes));
	}
	/* A checksum that was wrong when it was sent may be wrong when it arrives. */
	make_side(&self->sent, "ethernet/ipv4(header_checksum=bad)/udp(checksum=bad)", 40);
	make_side(&self->device, "ethernet/vlan/ipv4(header_checksum=bad)/udp(checksum=bad)", 40);
	EXPECT_EQ(SIGN_CHANGED, compare_frame(self, write_frame(self)));
	EXPECT_STREQ("+vlan", self->text);
	/* UDP may go without a checksum, over IPv6 only in the outer header of a tunnel. */
	make_side(&self->sent, UDP4, 40);
	make_side(&self->device, "ethernet/ipv6/udp(checksum=0)/vxlan/" UDP4, 40);
	EXPECT_EQ(SIGN_CHANGED, compare_frame(self, write_frame(self)));
	make_side(&self->sent, "ethernet/ipv6/udp", 40);
	make_side(&self->device, "ethernet/ipv6(hop_limit=3)/udp(checksum=0)", 40);
	EXPECT_EQ(SIGN_DAMAGED, compare_frame(self, write_frame(self)));
	make_side(&self->sent, UDP4, 40);
	make_side(&self->device, "ethernet/ipv4/udp(checksum=0)", 40);
	EXPECT_EQ(SIGN_GOOD, compare_frame(self, write_frame(self)));
}

/* No byte of the headers may be wrong without a word. */
TEST_F(compare, each_damage_of_the_headers_is_seen)
{
	static const char *const packets[] = {
		UDP4,
		VXLAN4 "ethernet/vlan/ipv6/tcp",
		"ethernet/ipv4(options=94040000)/gre(key=1)/ipv4/sctp",
		"ethernet/mpls/mpls/ipv4/icmp",
		"ethernet/ipv4/udp/gtpv1(sequence_number=4)/ipv6/udp",
		"ethernet/arp"
	};

	for (unsigned i = 0; i < RTE_DIM(packets); i++) {
		uint32_t bytes;

		SCOPED_TRACE("%s", packets[i]);
		make_side(&self->sent, packets[i], 40);
		make_side(&self->device, packets[i], 40);
		bytes = write_frame(self);
		for (uint32_t bit = 0; bit < (bytes - 40) * 8; bit++) {
			enum sign_verdict v;

			SCOPED_TRACE("bit %u", bit);
			self->frame[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
			v = compare_frame(self, bytes);
			EXPECT_TRUE(v == SIGN_DAMAGED || v == SIGN_CHANGED);
			self->frame[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
		}
	}
}

TEST_F(compare, a_fragment_is_not_damaged_unless_the_flow_sends_fragments)
{
	uint32_t bytes;

	make_side(&self->sent, UDP4, 200);
	EXPECT_FALSE(flow_sends_fragments(&self->sent.flow));
	make_side(&self->device, "ethernet/ipv4(fragment_offset=20)", 48);
	bytes = write_frame(self);
	EXPECT_EQ(SIGN_FRAGMENT, compare_frame(self, bytes));
	make_side(&self->sent, "ethernet/ipv4(more_fragments=1)/udp", 200);
	EXPECT_TRUE(flow_sends_fragments(&self->sent.flow));
	EXPECT_EQ(SIGN_DAMAGED, compare_frame(self, bytes));
	make_side(&self->sent, "ethernet/ipv6/udp", 200);
	make_side(&self->device, "ethernet/ipv6/ipv6_fragment(fragment_offset=20)", 48);
	EXPECT_EQ(SIGN_FRAGMENT, compare_frame(self, write_frame(self)));
}

/* The headers end with the bytes that are given, whatever they promise. */
TEST(dissect, reads_no_byte_behind_the_headers)
{
	struct stack stack;
	struct recipe recipe;
	struct dissection d;

	ASSERT_EQ(NULL, stack_parse(&stack, "ethernet/vlan/ipv4(options=94040000)/udp/gtpv1"
					    "(sequence_number=1)/ipv6/ipv6_routing/tcp"
					    "(options=01010101)"));
	recipe_init(&recipe, &stack, 0, false);
	for (uint32_t bytes = 0; bytes <= recipe.bytes; bytes++) {
		uint8_t *headers = malloc(bytes ? bytes : 1); /* ASan watches its end */

		memcpy(headers, recipe.template, bytes);
		dissect_frame(&d, headers, bytes);
		EXPECT_EQ(bytes, d.bytes + d.rest);
		EXPECT_FALSE(dissect_is_fragment(&d, headers));
		for (unsigned i = 0; i < d.n; i++)
			dissect_has_right_sum(&d, i, headers, bytes);
		free(headers);
	}
	EXPECT_EQ(8, d.n);
	EXPECT_EQ(0, d.rest);
	stack_free(&stack);
}
