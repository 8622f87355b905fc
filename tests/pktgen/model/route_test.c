/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <rte_ip.h>

#include "model/flow.h"

/*
 * The test is the router: it does what RFC 1812 asks for, and rte_ipv4_cksum() of DPDK computes the
 * checksum anew. So it agrees with route_adapt() only if both are right.
 */

enum { N_FRAMES = 3000, IP = 14, TTL4 = IP + 8, TTL6 = IP + 7, TOS4 = IP + 1 };

static const uint8_t hop_macs[12] = { 2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 8 };

FIXTURE(route)
{
	struct flow flow;
	struct stack stack;
	struct size size;
	struct sign_mark mark;
	uint8_t frame[PKTGEN_MAX_SIZE];
};

FIXTURE_SETUP(route)
{
	(void)self;
}

FIXTURE_TEARDOWN(route)
{
	flow_free(&self->flow);
	stack_free(&self->stack);
}

static void make_flow(struct ct_fix_route *self, const char *packet, const char *sizes)
{
	static const uint8_t mac[6] = { 2, 0, 0, 0, 0, 1 };
	struct stack_ip ip;

	EXPECT_EQ(NULL, stack_parse(&self->stack, packet));
	EXPECT_EQ(NULL, size_parse(&self->size, sizes));
	stack_set_macs(&self->stack, mac, mac);
	EXPECT_EQ(0, flow_init(&self->flow, 1, 7, &self->stack, &self->size, 0, 1));
	EXPECT_TRUE(stack_find_ip(&self->stack, &ip));
	flow_set_expect(&self->flow, EXPECT_ROUTED, route_make(&ip), NULL);
}

/* Writes frame @seq. Returns its length. */
static uint32_t write_frame(struct ct_fix_route *self, uint64_t seq)
{
	const uint32_t bytes = flow_compute_bytes(&self->flow, seq);

	flow_write_frame(&self->flow, seq, bytes, 0, self->frame);
	return bytes;
}

static void write_checksum(uint8_t *frame)
{
	struct rte_ipv4_hdr *ip = (void *)(frame + IP);

	ip->hdr_checksum = 0;
	ip->hdr_checksum = rte_ipv4_cksum(ip);
}

static void forward_ipv4(uint8_t *frame, unsigned hops)
{
	memcpy(frame, hop_macs, sizeof(hop_macs));
	frame[TTL4] = (uint8_t)(frame[TTL4] - hops);
	write_checksum(frame);
}

static enum sign_verdict read_frame(struct ct_fix_route *self, uint32_t bytes)
{
	return flow_read_frame(&self->flow, self->frame, bytes, N_FRAMES, &self->mark);
}

TEST_F(route, forwarded_ipv4_is_as_sent)
{
	make_flow(self, "ethernet/ipv4(identification=0-65535/23)/udp(src_port=1-500)", "64,1518");
	for (uint64_t seq = 0; seq < N_FRAMES; seq++) {
		const uint32_t bytes = write_frame(self, seq);

		forward_ipv4(self->frame, 1 + seq % 63);
		ASSERT_EQ(SIGN_GOOD, read_frame(self, bytes));
		ASSERT_EQ(seq, self->mark.seq);
	}
}

TEST_F(route, equal_frames_need_no_fields)
{
	make_flow(self, PKTGEN_DEFAULT_PACKET, "64");
	for (uint64_t seq = 0; seq < 3; seq++) {
		const uint32_t bytes = write_frame(self, seq);

		forward_ipv4(self->frame, 2);
		ASSERT_EQ(SIGN_GOOD, read_frame(self, bytes));
	}
	/* A switch forwards a frame as it is. */
	EXPECT_EQ(SIGN_GOOD, read_frame(self, write_frame(self, 3)));
}

TEST_F(route, forwarded_ipv6_is_as_sent)
{
	make_flow(self, "ethernet/ipv6(hop_limit=2-64)/tcp(src_port=1-500)", "100");
	for (uint64_t seq = 0; seq < N_FRAMES; seq++) {
		const uint32_t bytes = write_frame(self, seq);

		memcpy(self->frame, hop_macs, sizeof(hop_macs));
		self->frame[TTL6]--;
		ASSERT_EQ(SIGN_GOOD, read_frame(self, bytes));
	}
}

TEST_F(route, header_behind_vlan_tags)
{
	make_flow(self, "ethernet/vlan/vlan/ipv6/udp", "100");
	EXPECT_EQ(TTL6 + 8, self->flow.route.ttl);
	EXPECT_EQ(0, self->flow.route.check);
}

/* Everything that a router may not do makes a frame corrupted. */
TEST_F(route, other_changes_are_damage)
{
	uint32_t bytes;

	make_flow(self, "ethernet/ipv4(identification=0-65535)/udp", "100");
	for (uint32_t at = sizeof(hop_macs); at < 100 - PKTGEN_FCS_BYTES - SIGN_BYTES; at++) {
		bytes = write_frame(self, at);
		forward_ipv4(self->frame, 1);
		self->frame[at] ^= 1;
		ASSERT_EQ(SIGN_DAMAGED, read_frame(self, bytes));
		ASSERT_EQ(at, self->mark.seq);
	}
	bytes = write_frame(self, 1);
	self->frame[TOS4] = 0x20;
	forward_ipv4(self->frame, 1);
	EXPECT_EQ(SIGN_DAMAGED, read_frame(self, bytes));
	bytes = write_frame(self, 2);
	forward_ipv4(self->frame, (unsigned)-1); /* one hop more than sent */
	EXPECT_EQ(SIGN_DAMAGED, read_frame(self, bytes));
	bytes = write_frame(self, 3);
	forward_ipv4(self->frame, self->frame[TTL4]); /* no hop is left */
	EXPECT_EQ(SIGN_DAMAGED, read_frame(self, bytes));
}
