/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <arpa/inet.h>

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
	return addresses_own(a, ip, family == AF_INET ? IP4_BYTES : IP6_BYTES);
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
