/* SPDX-License-Identifier: BSD-3-Clause */
#include "compare_fixture.h"

static const struct expectation {
	const char *name, *received;
	enum expect expect;
	const char *changes; /* that the flow does not expect */
} expectations[] = {
	{ "same_expects_no_router", "ethernet(src=02:00:00:00:00:07)/ipv4(time_to_live=63)/udp",
	  EXPECT_SAME,
	  "ethernet.src 02:00:00:00:00:01>02:00:00:00:00:07, ipv4.time_to_live 64>63" },
	{ "a_router_sets_macs_and_ttl", "ethernet(src=02:00:00:00:00:07)/ipv4(time_to_live=1)/udp",
	  EXPECT_ROUTED, "" },
	{ "a_router_does_not_raise_a_ttl", "ethernet/ipv4(time_to_live=65)/udp", EXPECT_ROUTED,
	  "ipv4.time_to_live 64>65" },
	{ "a_router_forwards_no_ttl_of_0", "ethernet/ipv4(time_to_live=0)/udp", EXPECT_ROUTED,
	  "ipv4.time_to_live 64>0" },
	{ "a_router_keeps_the_dscp", "ethernet/ipv4(time_to_live=63,dscp=8)/udp", EXPECT_ROUTED,
	  "ipv4.dscp 0>8" },
	{ "a_router_may_be_asked_to_remark", "ethernet/ipv4(time_to_live=63,dscp=8)/udp",
	  EXPECT_ROUTED_DSCP, "" },
	{ "a_router_keeps_addresses", "ethernet/ipv4(src=1.2.3.4,dscp=8)/udp", EXPECT_ROUTED_DSCP,
	  "ipv4.src 198.18.0.1>1.2.3.4" },
	{ "a_router_adds_no_tag", "ethernet/vlan/ipv4(time_to_live=63)/udp", EXPECT_ROUTED,
	  "+vlan" },
	{ "any_reports_everything", "ethernet(src=02:00:00:00:00:07)/ipv4(time_to_live=63)/udp",
	  EXPECT_ANY, "ethernet.src 02:00:00:00:00:01>02:00:00:00:00:07, ipv4.time_to_live 64>63" },
};

TEST_EACH(expect, allows, struct expectation, expectations)
{
	static struct ct_fix_compare self;

	make_side(&self.sent, UDP4, 40);
	self.sent.flow.expect = row->expect;
	make_side(&self.device, row->received, 40);
	EXPECT_EQ(*row->changes ? SIGN_CHANGED : SIGN_GOOD,
		  compare_frame(&self, write_frame(&self)));
	EXPECT_STREQ(row->changes, self.text);
	ct_teardown_compare(&self);
}

TEST_F(compare, routers_of_ipv6_change_hop_limit_and_traffic_class)
{
	make_side(&self->sent, "ethernet/ipv6/udp", 40);
	make_side(&self->device, "ethernet/ipv6(hop_limit=7,traffic_class=32)/udp", 40);
	self->sent.flow.expect = EXPECT_ROUTED;
	EXPECT_EQ(SIGN_CHANGED, compare_frame(self, write_frame(self)));
	EXPECT_STREQ("ipv6.traffic_class 0>32", self->text);
	self->sent.flow.expect = EXPECT_ROUTED_DSCP;
	EXPECT_EQ(SIGN_GOOD, compare_frame(self, write_frame(self)));
}

static const struct listing {
	const char *name, *listed, *received, *changes;
} listings[] = {
	{ "as_sent", UDP4, UDP4, "" },
	{ "a_tag", "ethernet/vlan(id=7)/ipv4/udp", "ethernet/vlan(id=7,priority=3)/ipv4/udp", "" },
	{ "another_tag", "ethernet/vlan(id=7)/ipv4/udp", "ethernet/vlan(id=8)/ipv4/udp",
	  "vlan.id 7>8" },
	{ "no_tag", "ethernet/vlan(id=7)/ipv4/udp", UDP4, "-vlan" },
	{ "a_tag_too_many", UDP4, "ethernet/vlan/ipv4/udp", "+vlan" },
	{ "any_fields", UDP4,
	  "ethernet(src=02:00:00:00:00:07)/ipv4(src=1.2.3.4,options=01010101)/"
	  "udp(src_port=7)",
	  "" },
	{ "nat", "ethernet/ipv4(src=1.2.3.4)/udp(src_port=7)",
	  "ethernet/ipv4(src=1.2.3.4)/udp(src_port=8)", "udp.src_port 7>8" },
	{ "inner_and_outer", "ethernet/ipv4(src=1.2.3.4)/udp/vxlan(vni=7)/ethernet/ipv4/udp",
	  VXLAN4 "ethernet/ipv4/udp", "ipv4.src 1.2.3.4>198.18.0.1" },
	{ "another_protocol", "ethernet/ipv6/udp", UDP4, "-ipv6, +ipv4" },
	{ "an_optional_part", "ethernet/ipv4/gre(key=0)/ipv4/udp", "ethernet/ipv4/gre/ipv4/udp",
	  "gre.key_present 1>0" },
};

TEST_EACH(egress, finds_what_is_not_listed, struct listing, listings)
{
	static struct ct_fix_compare self;
	struct stack listed;

	ASSERT_EQ(NULL, stack_parse(&listed, row->listed));
	make_side(&self.sent, UDP4, 40);
	flow_set_expect(&self.sent.flow, EXPECT_EGRESS, (struct route){ 0 }, &listed);
	make_side(&self.device, row->received, 40);
	EXPECT_EQ(*row->changes ? SIGN_CHANGED : SIGN_GOOD,
		  compare_frame(&self, write_frame(&self)));
	EXPECT_STREQ(row->changes, self.text);
	stack_free(&listed);
	ct_teardown_compare(&self);
}

/* Otherwise a frame would pass that no device changed. */
TEST_F(compare, the_headers_of_each_frame_are_compared_with_a_list)
{
	struct sign_mark mark;
	struct stack listed;
	uint32_t bytes;

	ASSERT_EQ(NULL, stack_parse(&listed, "ethernet/vlan/ipv4/udp"));
	make_side(&self->sent, "ethernet/ipv4/udp(checksum=0)", 40);
	make_side(&self->device, "ethernet/ipv4/udp(checksum=0)", 40);
	bytes = write_frame(self);
	EXPECT_TRUE(flow_is_as_sent(&self->sent.flow, self->frame, bytes, SEQ + 1, &mark));
	flow_set_expect(&self->sent.flow, EXPECT_EGRESS, (struct route){ 0 }, &listed);
	EXPECT_FALSE(flow_is_as_sent(&self->sent.flow, self->frame, bytes, SEQ + 1, &mark));
	EXPECT_EQ(SIGN_CHANGED, compare_frame(self, bytes));
	stack_free(&listed);
}

/* A checksum that is wrong on arrival is damage, whatever is listed. */
TEST_F(compare, a_wrong_checksum_is_no_match_for_a_list)
{
	struct stack listed;
	uint32_t bytes;

	ASSERT_EQ(NULL, stack_parse(&listed, UDP4));
	make_side(&self->sent, UDP4, 40);
	flow_set_expect(&self->sent.flow, EXPECT_EGRESS, (struct route){ 0 }, &listed);
	make_side(&self->device, "ethernet/ipv4(header_checksum=bad)/udp", 40);
	bytes = write_frame(self);
	EXPECT_EQ(SIGN_DAMAGED, compare_frame(self, bytes));
	stack_free(&listed);
}
