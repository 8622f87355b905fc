/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include "respond/arp.h"
#include "respond/nd.h"

/* Scapy 2.5 made all frames. The port is 02:00:00:aa:bb:cc, the gateway 02:11:22:33:44:55. */

enum { ROOM = 128 };

static const uint8_t gateway_mac[MAC_BYTES] = { 2, 0x11, 0x22, 0x33, 0x44, 0x55 };

/* clang-format off */
static const char arp_request[] =
	"ffffffffffff020000aabbcc08060001080006040001020000aabbccc6120001000000000000c61200fe0000"
	"00000000000000000000000000000000";
static const char solicitation[] =
	"3333ff0000fe020000aabbcc86dd6000000000203aff20010db8000000000000000000000001ff0200000000"
	"000000000001ff0000fe87005db90000000020010db80000000000000000000000fe0101020000aabbcc";
static const char local_solicitation[] =
	"3333ff334455020000aabbcc86dd6000000000203afffe80000000000000000000fffeaabbccff0200000000"
	"000000000001ff3344558700588e00000000fe80000000000000001122fffe3344550101020000aabbcc";

static const struct reply_case {
	const char *name, *frame;
	bool is_good;
} replies[] = {
	{ "arp",
	  "020000aabbcc02112233445508060001080006040002021122334455c61200fe020000aabbccc6120001",
	  true },
	{ "arp_of_another_host",
	  "020000aabbcc02112233445508060001080006040002021122334455c61200fd020000aabbccc6120001",
	  false },
	{ "arp_to_another_host",
	  "020000aabbcc02112233445508060001080006040002021122334455c61200fe020000aabbccc6120002",
	  false },
	{ "arp_with_a_group_address",
	  "020000aabbcc02112233445508060001080006040002031122334455c61200fe020000aabbccc6120001",
	  false },
	{ "arp_request",
	  "020000aabbcc02112233445508060001080006040001021122334455c61200fe020000aabbccc6120001",
	  false },
	{ "nd",
	  "020000aabbcc02112233445586dd6000000000203aff20010db80000000000000000000000fe20010db8"
	  "0000000000000000000000018800a1e1e000000020010db80000000000000000000000fe"
	  "0201021122334455",
	  true },
	{ "nd_from_beyond_a_router",
	  "020000aabbcc02112233445586dd6000000000203a4020010db80000000000000000000000fe20010db8"
	  "0000000000000000000000018800a1e1e000000020010db80000000000000000000000fe"
	  "0201021122334455",
	  false },
	{ "nd_with_a_wrong_checksum",
	  "020000aabbcc02112233445586dd6000000000203aff20010db80000000000000000000000fe20010db8"
	  "0000000000000000000000018800a1e2e000000020010db80000000000000000000000fe"
	  "0201021122334455",
	  false },
	{ "nd_without_the_address",
	  "020000aabbcc02112233445586dd6000000000183aff20010db80000000000000000000000fe20010db8"
	  "00000000000000000000000188000c84e000000020010db80000000000000000000000fe",
	  false },
};
/* clang-format on */

FIXTURE(resolve)
{
	struct addresses a;
	uint8_t want[ROOM], got[ROOM], mac[MAC_BYTES];
};

/* Reads an address that may be in a VLAN. */
static struct address read_address(const char *text)
{
	struct address ip;
	struct vlan vlan;

	EXPECT_EQ(NULL, vlan_parse(&vlan, &text));
	EXPECT_EQ(NULL, address_parse(&ip, text));
	ip.vlan = vlan;
	return ip;
}

static void add_gateway(struct addresses *a, const char *text)
{
	const struct address ip = read_address(text);

	EXPECT_EQ(NULL, addresses_add_gateway(a, &ip));
}

FIXTURE_SETUP(resolve)
{
	self->a = (struct addresses){ .mac = { 2, 0, 0, 0xaa, 0xbb, 0xcc }, .n = 2 };
	EXPECT_EQ(NULL, address_parse(&self->a.address[0], "198.18.0.1/24"));
	EXPECT_EQ(NULL, address_parse(&self->a.address[1], "2001:db8::1/64"));
	add_gateway(&self->a, "198.18.0.254");
	add_gateway(&self->a, "2001:db8::fe");
}

FIXTURE_TEARDOWN(resolve)
{
	(void)self;
}

static unsigned read_hex(uint8_t bytes[ROOM], const char *digits)
{
	const unsigned n = (unsigned)strlen(digits) / 2;

	EXPECT_LE(n, (unsigned)ROOM);
	for (unsigned i = 0; i < n; i++) {
		const char pair[3] = { digits[2 * i], digits[2 * i + 1], 0 };

		bytes[i] = (uint8_t)strtoul(pair, NULL, 16);
	}
	return n;
}

TEST_F(resolve, requests_are_those_of_scapy)
{
	struct address local;
	unsigned n = read_hex(self->want, arp_request);

	ASSERT_EQ(n, arp_make_request(&self->a, &self->a.gateways[0].ip, self->got));
	EXPECT_MEMEQ(self->want, self->got, n);
	n = read_hex(self->want, solicitation);
	ASSERT_EQ(n, nd_make_solicitation(&self->a, &self->a.gateways[1].ip, self->got));
	EXPECT_MEMEQ(self->want, self->got, n);
	ASSERT_EQ(NULL, address_parse(&local, "fe80::11:22ff:fe33:4455"));
	n = read_hex(self->want, local_solicitation);
	ASSERT_EQ(n, nd_make_solicitation(&self->a, &local, self->got));
	EXPECT_MEMEQ(self->want, self->got, n);
}

/* Reads the first @n bytes of @frame, in memory of this size, so that ASan sees each overrun. */
static bool read_reply(struct ct_fix_resolve *self, const uint8_t *frame, unsigned n)
{
	uint8_t *exact = malloc(n ? n : 1);
	struct ethernet l;
	bool is;

	memcpy(exact, frame, n);
	is = ethernet_read(&l, exact, n) &&
	     (arp_read_reply(&self->a, &l, &self->a.gateways[0].ip, self->mac) ||
	      nd_read_advertisement(&self->a, &l, &self->a.gateways[1].ip, self->mac));
	free(exact);
	return is;
}

/* Puts tags into a frame of @n bytes. Returns the new length, without padding of the minimum. */
static unsigned insert_tags(uint8_t *frame, unsigned n, const char *tags)
{
	uint8_t bytes[ROOM];
	const unsigned n_tags = read_hex(bytes, tags);

	memmove(frame + 12 + n_tags, frame + 12, n - 12);
	memcpy(frame + 12, bytes, n_tags);
	return n + n_tags;
}

static const struct tags_case {
	const char *name, *vlan, *tags;
} tags[] = {
	{ "one", "vlan5:", "81000005" },
	{ "two", "vlan4094.1:", "81000ffe81000001" },
};

TEST_F_EACH(resolve, requests_and_replies_have_the_tags_of_the_vlan, struct tags_case, tags)
{
	const char *text = row->vlan;
	struct vlan v;
	unsigned n;

	ASSERT_EQ(NULL, vlan_parse(&v, &text));
	for (unsigned i = 0; i < self->a.n; i++)
		self->a.address[i].vlan = self->a.gateways[i].ip.vlan = v;
	n = insert_tags(self->want, read_hex(self->want, arp_request), row->tags);
	/* The request without tags is padded. */
	ASSERT_EQ(60, arp_make_request(&self->a, &self->a.gateways[0].ip, self->got));
	EXPECT_MEMEQ(self->want, self->got, 60);
	n = insert_tags(self->want, read_hex(self->want, solicitation), row->tags);
	ASSERT_EQ(n, nd_make_solicitation(&self->a, &self->a.gateways[1].ip, self->got));
	EXPECT_MEMEQ(self->want, self->got, n);
	for (const struct reply_case *r = replies; r < replies + RTE_DIM(replies); r++) {
		n = read_hex(self->want, r->frame);
		EXPECT_FALSE(read_reply(self, self->want, n));
		n = insert_tags(self->want, n, row->tags);
		EXPECT_EQ(r->is_good, read_reply(self, self->want, n));
		self->want[15] ^= 3; /* another VLAN */
		EXPECT_FALSE(read_reply(self, self->want, n));
	}
}

TEST_F(resolve, a_tag_has_its_priority_and_type)
{
	self->a.gateways[0].ip.vlan = (struct vlan){ { { 5, 0x88a8, 7 }, { 9, 0x8100, 1 } }, 2 };
	arp_make_request(&self->a, &self->a.gateways[0].ip, self->got);
	read_hex(self->want, "88a8e005810020090806");
	EXPECT_MEMEQ(self->want, self->got + 12, 10);
}

TEST_F_EACH(resolve, reads, struct reply_case, replies)
{
	const unsigned n = read_hex(self->want, row->frame);

	ASSERT_EQ(row->is_good, read_reply(self, self->want, n));
	if (row->is_good)
		EXPECT_MEMEQ(gateway_mac, self->mac, MAC_BYTES);
	for (unsigned cut = 0; cut < n; cut++)
		ASSERT_FALSE(read_reply(self, self->want, cut));
}

static const struct check_case {
	const char *name, *gateway;
	bool is_good;
} checks[] = {
	{ "ip4_of_the_network", "198.18.0.2", true },
	{ "ip4_of_another_network", "198.18.1.2", false },
	{ "ip4_of_the_port", "198.18.0.1", false },
	{ "ip6_of_the_network", "2001:db8::2", true },
	{ "ip6_of_another_network", "2001:db8:1::2", false },
	{ "ip6_of_the_link", "fe80::1", true },
	{ "ip6_of_the_port", "fe80::ff:feaa:bbcc", false },
	{ "ip4_of_the_network_in_its_vlan", "vlan5:10.5.0.2", true },
	{ "ip4_of_the_network_in_no_vlan", "10.5.0.2", false },
	{ "ip4_of_the_network_in_another_vlan", "vlan6:10.5.0.2", false },
	{ "ip4_of_the_port_in_its_vlan", "vlan5:10.5.0.1", false },
	{ "ip6_of_the_link_in_a_vlan_without_ip6", "vlan5:fe80::1", false },
};

TEST_F_EACH(resolve, checks_the_network, struct check_case, checks)
{
	self->a.n_gateways = 0;
	self->a.address[self->a.n++] = read_address("vlan5:10.5.0.1/24");
	add_gateway(&self->a, row->gateway);
	EXPECT_EQ(row->is_good, addresses_check(&self->a) == NULL);
	self->a.n = 0;
	EXPECT_NE(NULL, addresses_check(&self->a));
}
