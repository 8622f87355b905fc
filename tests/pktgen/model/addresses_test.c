/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <arpa/inet.h>
#include <stdio.h>

#include <rte_common.h>

#include "model/addresses.h"

static const struct text_case {
	const char *name, *text;
	uint8_t n_bytes, prefix;
} good[] = {
	{ "ip4", "198.18.0.1/24", IP4_BYTES, 24 },
	{ "ip4_of_one_host", "10.0.0.1", IP4_BYTES, 32 },
	{ "lowest_ip4", "1.0.0.0", IP4_BYTES, 32 },
	{ "ip4_below_loopback", "126.255.255.255", IP4_BYTES, 32 },
	{ "ip4_above_loopback", "128.0.0.1", IP4_BYTES, 32 },
	{ "ip4_below_multicast", "223.255.255.255", IP4_BYTES, 32 },
	{ "ip6", "2001:db8::1/64", IP6_BYTES, 64 },
	{ "ip6_of_one_host", "2001:db8::1", IP6_BYTES, 128 },
	{ "ip6_with_a_last_byte_of_1_behind_zeros", "::1:0:1/0", IP6_BYTES, 0 },
}, bad[] = {
	{ "word", "here", 0, 0 },
	{ "nothing", "", 0, 0 },
	{ "short_ip4", "10.0.1/8", 0, 0 },
	{ "prefix_33", "10.0.0.1/33", 0, 0 },
	{ "prefix_129", "2001:db8::1/129", 0, 0 },
	{ "no_prefix", "10.0.0.1/", 0, 0 },
	{ "negative_prefix", "10.0.0.1/-1", 0, 0 },
	{ "text_behind_the_prefix", "10.0.0.1/8x", 0, 0 },
	{ "huge_prefix", "10.0.0.1/99999999999999999999", 0, 0 },
	{ "ip4_of_this_network", "0.0.0.1", 0, 0 },
	{ "ip4_multicast", "224.0.0.1/4", 0, 0 },
	{ "ip4_broadcast", "255.255.255.255", 0, 0 },
	{ "ip4_loopback", "127.0.0.1/8", 0, 0 },
	{ "ip6_multicast", "ff02::1", 0, 0 },
	{ "ip6_loopback", "::1/128", 0, 0 },
	{ "ip6_unspecified", "::", 0, 0 },
	{ "long", "2001:0db8:0000:0000:0000:0000:0000:0001:0000:0000:0000:0001/64", 0, 0 },
};

TEST_EACH(addresses, parse_reads, struct text_case, good)
{
	struct address a;

	EXPECT_EQ(NULL, address_parse(&a, row->text));
	EXPECT_EQ(row->n_bytes, a.n_bytes);
	EXPECT_EQ(row->prefix, a.prefix);
}

TEST_EACH(addresses, parse_rejects, struct text_case, bad)
{
	struct address a;

	EXPECT_NE(NULL, address_parse(&a, row->text));
}

static bool owns_text(const struct addresses *a, int family, const char *text)
{
	uint8_t ip[IP6_BYTES];

	EXPECT_EQ(1, inet_pton(family, text, ip));
	return addresses_own(a, &(struct vlan){ 0 }, ip, family == AF_INET ? IP4_BYTES : IP6_BYTES);
}

TEST(addresses, own_only_the_given_ones_and_the_link_local_one_of_ip6)
{
	struct addresses a = { .mac = { 2, 0, 0, 0xaa, 0xbb, 0xcc }, .n = 1 };

	EXPECT_EQ(NULL, address_parse(&a.address[0], "10.0.0.1/24"));
	EXPECT_TRUE(owns_text(&a, AF_INET, "10.0.0.1"));
	EXPECT_FALSE(owns_text(&a, AF_INET, "10.0.0.2"));
	EXPECT_FALSE(owns_text(&a, AF_INET6, "fe80::ff:feaa:bbcc"));
	EXPECT_EQ(NULL, address_parse(&a.address[a.n++], "2001:db8::1/64"));
	EXPECT_TRUE(owns_text(&a, AF_INET6, "2001:db8::1"));
	EXPECT_TRUE(owns_text(&a, AF_INET6, "fe80::ff:feaa:bbcc"));
	EXPECT_FALSE(owns_text(&a, AF_INET6, "fe80::ff:feaa:bbcd"));
	EXPECT_FALSE(owns_text(&a, AF_INET6, "2001:db8::2"));
}

static const struct vlan_case {
	const char *name, *text, *rest; /* behind the VLAN; NULL: refused */
	unsigned n, outer, inner;
} vlans[] = {
	{ "none", "10.0.0.1", "10.0.0.1", 0, 0, 0 },
	{ "one_tag", "vlan5:10.0.0.1", "10.0.0.1", 1, 5, 0 },
	{ "two_tags", "vlan100.4094:2001:db8::1", "2001:db8::1", 2, 100, 4094 },
	{ "id_0", "vlan0:10.0.0.1", NULL, 0, 0, 0 },
	{ "id_4095", "vlan4095:10.0.0.1", NULL, 0, 0, 0 },
	{ "huge_id", "vlan99999999999999999999:10.0.0.1", NULL, 0, 0, 0 },
	{ "negative_id", "vlan-5:10.0.0.1", NULL, 0, 0, 0 },
	{ "no_id", "vlan:10.0.0.1", NULL, 0, 0, 0 },
	{ "no_second_id", "vlan5.:10.0.0.1", NULL, 0, 0, 0 },
	{ "three_tags", "vlan5.6.7:10.0.0.1", NULL, 0, 0, 0 },
	{ "no_colon", "vlan5", NULL, 0, 0, 0 },
	{ "another_sign", "vlan5/10.0.0.1", NULL, 0, 0, 0 },
};

TEST_EACH(vlan, parse_reads, struct vlan_case, vlans)
{
	char text[VLAN_TEXT_BYTES], want[64];
	const char *at = row->text;
	struct vlan v;

	ASSERT_EQ(row->rest != NULL, vlan_parse(&v, &at) == NULL);
	if (!row->rest)
		return;
	EXPECT_STREQ(row->rest, at);
	EXPECT_EQ(row->n, v.n);
	EXPECT_EQ(row->outer, v.tags[0].id);
	EXPECT_EQ(row->inner, v.tags[1].id);
	snprintf(want, sizeof(want), "%s%s", vlan_format(&v, text), row->rest);
	EXPECT_STREQ(row->text, want);
}

static const struct find_case {
	const char *name, *packet;
	bool is_one;
	const char *vlan;
} finds[] = {
	{ "no_tag", "ethernet/ipv4", true, "" },
	{ "default_id", "ethernet/vlan/ipv4", true, "vlan1:" },
	{ "two_tags", "ethernet/vlan(id=7)/vlan(id=8,priority=3)/ipv6", true, "vlan7.8:" },
	{ "ids_that_vary", "ethernet/vlan(id=5-9)/ipv4", false, "" },
	{ "three_tags", "ethernet/vlan/vlan/vlan/ipv4", false, "" },
};

TEST_EACH(vlan, find_reads_the_tags_of_frames, struct find_case, finds)
{
	char text[VLAN_TEXT_BYTES];
	struct stack_ip ip;
	struct stack s;
	struct vlan v;

	ASSERT_EQ(NULL, stack_parse(&s, row->packet));
	ASSERT_TRUE(stack_find_ip(&s, &ip));
	ASSERT_EQ(row->is_one, vlan_find(&v, &s, &ip));
	if (row->is_one)
		EXPECT_STREQ(row->vlan, vlan_format(&v, text));
	stack_free(&s);
}

/* Addresses of a port, and those that frames in a VLAN get. */
static const struct choice_case {
	const char *name, *addresses[3], *vlan, *want; /* vlan NULL: several */
} choices[] = {
	{ "that_of_the_vlan",
	  { "10.0.0.1", "vlan5:10.5.0.1", "vlan6:10.6.0.1" },
	  "vlan5:",
	  "10.5.0.1" },
	{ "that_of_no_vlan", { "vlan5:10.5.0.1", "10.0.0.1" }, "vlan7:", "10.0.0.1" },
	{ "that_of_no_vlan_without_tag", { "vlan5:10.5.0.1", "10.0.0.1" }, "", "10.0.0.1" },
	{ "the_first_of_others", { "vlan5:10.5.0.1", "vlan6:10.6.0.1" }, "", "10.5.0.1" },
	{ "the_first_of_others_in_another_vlan", { "vlan5:10.5.0.1" }, "vlan5.6:", "10.5.0.1" },
	{ "that_of_no_vlan_in_several", { "vlan5:10.5.0.1", "10.0.0.1" }, NULL, "10.0.0.1" },
	{ "the_first_in_several", { "vlan5:10.5.0.1" }, NULL, "10.5.0.1" },
	{ "none", { NULL }, "", NULL },
};

TEST_EACH(addresses, frames_in_a_vlan_get, struct choice_case, choices)
{
	const char *vlan_text = row->vlan ? row->vlan : "";
	struct addresses a = { .n = 0 };
	const struct address *got;
	char ip[ADDRESS_TEXT_BYTES];
	struct vlan v;

	for (unsigned i = 0; i < 3 && row->addresses[i]; i++, a.n++) {
		const char *at = row->addresses[i];

		EXPECT_EQ(NULL, vlan_parse(&v, &at));
		EXPECT_EQ(NULL, address_parse(&a.address[i], at));
		a.address[i].vlan = v;
	}
	EXPECT_EQ(NULL, vlan_parse(&v, &vlan_text));
	got = addresses_find_for(&a, row->vlan ? &v : NULL, IP4_BYTES);
	ASSERT_EQ(row->want != NULL, got != NULL);
	if (got)
		EXPECT_STREQ(row->want, address_format(got, ip));
	EXPECT_EQ(NULL, addresses_find_for(&a, &v, IP6_BYTES));
}

TEST(addresses, gateways_are_one_for_each_vlan_and_version_of_ip)
{
	static const char *const texts[] = { "10.0.0.9", "vlan5:10.5.0.9", "2001:db8::9" };
	struct addresses a = { .n = 0 };
	struct vlan none = { .n = 0 }, five = { { { .id = 5 } }, 1 }, six = { { { .id = 6 } }, 1 };

	for (unsigned i = 0; i < RTE_DIM(texts); i++) {
		const char *at = texts[i];
		struct address ip;
		struct vlan v;

		EXPECT_EQ(NULL, vlan_parse(&v, &at));
		EXPECT_EQ(NULL, address_parse(&ip, at));
		ip.vlan = v;
		EXPECT_EQ(NULL, addresses_add_gateway(&a, &ip));
		EXPECT_NE(NULL, addresses_add_gateway(&a, &ip));
	}
	EXPECT_EQ(&a.gateways[0], addresses_find_gateway(&a, &none, IP4_BYTES));
	EXPECT_EQ(&a.gateways[1], addresses_find_gateway(&a, &five, IP4_BYTES));
	EXPECT_EQ(&a.gateways[0], addresses_find_gateway(&a, &six, IP4_BYTES));
	EXPECT_EQ(&a.gateways[0], addresses_find_gateway(&a, NULL, IP4_BYTES));
	EXPECT_EQ(&a.gateways[2], addresses_find_gateway(&a, &five, IP6_BYTES));
	a.gateways[0].ip.vlan = six;
	EXPECT_EQ(NULL, addresses_find_gateway(&a, &none, IP4_BYTES));
}

TEST(addresses, one_in_a_vlan_is_own_only_there)
{
	struct vlan none = { .n = 0 }, five = { { { .id = 5 } }, 1 }, six = { { { .id = 6 } }, 1 };
	struct addresses a = { .mac = { 2, 0, 0, 0xaa, 0xbb, 0xcc }, .n = 2 };
	uint8_t local[IP6_BYTES];

	EXPECT_EQ(1, inet_pton(AF_INET6, "fe80::ff:feaa:bbcc", local));
	EXPECT_EQ(NULL, address_parse(&a.address[0], "10.0.0.1/24"));
	EXPECT_EQ(NULL, address_parse(&a.address[1], "2001:db8::1/64"));
	a.address[1].vlan = five;
	EXPECT_TRUE(addresses_own(&a, &none, a.address[0].bytes, IP4_BYTES));
	EXPECT_TRUE(addresses_own(&a, &six, a.address[0].bytes, IP4_BYTES));
	EXPECT_TRUE(addresses_own(&a, &five, a.address[1].bytes, IP6_BYTES));
	EXPECT_TRUE(addresses_own(&a, &five, local, IP6_BYTES));
	EXPECT_FALSE(addresses_own(&a, &six, a.address[1].bytes, IP6_BYTES));
	EXPECT_FALSE(addresses_own(&a, &none, a.address[1].bytes, IP6_BYTES));
	EXPECT_FALSE(addresses_own(&a, &none, local, IP6_BYTES));
}
