/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The words of a frame's text, and the header of each.
 */
#include "frame_words.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

enum { IP4_BYTES = 20, EXT_BYTES = 8, OPTION_BYTES = 8 };

bool frame_word_has(const struct frame_word *w, const char *suffix)
{
	const size_t n = strlen(suffix);

	for (unsigned int i = 0; i + n <= w->suffix_bytes; i++) {
		const char after = i + n == w->suffix_bytes ? '+' : w->suffix[i + n];

		if (!strncmp(w->suffix + i, suffix, n) && strchr("+!:", after))
			return true;
	}
	return false;
}

unsigned int frame_word_get_number(const struct frame_word *w, unsigned int otherwise)
{
	const char *colon = memchr(w->suffix, ':', w->suffix_bytes);

	return colon ? (unsigned int)strtoul(colon + 1, NULL, 0) : otherwise;
}

static void fill_eth(uint8_t *p, const struct frame_word *w)
{
	(void)w;
	memcpy(p, "\x02\x00\x00\x00\xaa\x01\x02\x00\x00\x00\xaa\x02", 12);
}

static void fill_vlan(uint8_t *p, const struct frame_word *w)
{
	write_be16(p, frame_word_get_number(w, 100));
}

static void fill_ip4(uint8_t *p, const struct frame_word *w)
{
	p[0] = frame_word_has(w, "+opt") ? 0x40 + (IP4_BYTES + OPTION_BYTES) / 4 : 0x45;
	if (frame_word_has(w, "!version"))
		p[0] ^= 0x20;
	write_be16(p + 4, 0x1234);
	if (frame_word_has(w, "+first"))
		write_be16(p + 6, 0x2000);
	else if (frame_word_has(w, "+middle"))
		write_be16(p + 6, 0x2010);
	else if (frame_word_has(w, "+last"))
		write_be16(p + 6, 0x0020);
	else if (frame_word_has(w, "+df"))
		write_be16(p + 6, 0x4000);
	p[8] = 64;
	memcpy(p + 12, "\x0a\x00\x00\x01\x0a\x00\x00", 7);
	p[19] = (uint8_t)frame_word_get_number(w, 2);
	memset(p + IP4_BYTES, 1, p[0] == 0x45 ? 0 : OPTION_BYTES); /* no operation */
}

static void fill_ip6(uint8_t *p, const struct frame_word *w)
{
	p[0] = frame_word_has(w, "!version") ? 0x40 : 0x60;
	p[3] = 7;
	p[7] = 64;
	p[8] = p[24] = 0xfd;
	p[23] = 1;
	p[39] = (uint8_t)frame_word_get_number(w, 2);
}

static void fill_ext(uint8_t *p, const struct frame_word *w)
{
	if (strcmp(w->name, "frag6")) {
		p[2] = strcmp(w->name, "route") ? 1 : 0; /* PadN of 4 bytes */
		p[3] = strcmp(w->name, "route") ? 4 : 0;
		return;
	}
	write_be16(p + 2, frame_word_has(w, "+first")    ? 0x0001
			  : frame_word_has(w, "+middle") ? 0x0101
			  : frame_word_has(w, "+last")   ? 0x0200
							 : 0);
	write_be16(p + 6, 0x4711);
}

static void fill_udp(uint8_t *p, const struct frame_word *w)
{
	write_be16(p, 1000);
	write_be16(p + 2, frame_word_get_number(w, 2000));
}

static void fill_tcp(uint8_t *p, const struct frame_word *w)
{
	write_be16(p, 3000);
	write_be16(p + 2, frame_word_get_number(w, 80));
	write_be16(p + 4, 0x1000);
	write_be16(p + 8, 0x2000);
	p[12] = frame_word_has(w, "+opt") ? 0x80 : 0x50;
	p[13] = frame_word_has(w, "+syn")   ? 2
		: frame_word_has(w, "+fin") ? 0x19
		: frame_word_has(w, "+cwr") ? 0x98
					    : 0x10;
	write_be16(p + 14, 512);
	if (frame_word_has(w, "+opt"))
		memcpy(p + 20, "\x01\x01\x08\x0a\0\0\0\1\0\0\0\2", 12);
}

static void fill_sctp(uint8_t *p, const struct frame_word *w)
{
	write_be16(p, 5000);
	write_be16(p + 2, frame_word_get_number(w, 5001));
	memcpy(p + 8, "\xde\xad\xbe\xef", 4);
}

static void fill_icmp(uint8_t *p, const struct frame_word *w)
{
	p[0] = strcmp(w->name, "icmp6") ? 8 : 128;
	write_be16(p + 2, 0xabcd);
}

static void fill_arp(uint8_t *p, const struct frame_word *w)
{
	(void)w;
	memcpy(p, "\0\1\x08\0\6\4\0\1\2\0\0\0\0\1\x0a\0\0\1\0\0\0\0\0\0\x0a\0\0\2", 28);
}

static void fill_pattern(uint8_t *p, const struct frame_word *w)
{
	const unsigned int n = frame_word_get_number(w, 0);

	for (unsigned int i = 0; i < n; i++)
		p[i] = (uint8_t)(i * 7 + (i >> 8) + 1);
}

static void fill_vxlan(uint8_t *p, const struct frame_word *w)
{
	p[0] = 8;
	write_be16(p + 5, frame_word_get_number(w, 77));
}

static void fill_geneve(uint8_t *p, const struct frame_word *w)
{
	write_be16(p + 2, 0x6558);
	write_be16(p + 5, frame_word_get_number(w, 77));
}

static void fill_gtpu(uint8_t *p, const struct frame_word *w)
{
	p[0] = 0x30;
	p[1] = 0xff;
	write_be16(p + 6, frame_word_get_number(w, 77));
}

static void fill_gre(uint8_t *p, const struct frame_word *w)
{
	p[0] = frame_word_has(w, "+key") ? 0x20 : 0;
}

static void fill_esp(uint8_t *p, const struct frame_word *w)
{
	write_be16(p + 2, frame_word_get_number(w, 256));
	p[7] = 1;
}

static const struct frame_header headers[] = {
	{ "eth", FRAME_ETH, 14, 0x6558, 0, NULL, 0, fill_eth },
	{ "vlan", FRAME_VLAN, 4, 0x8100, 0, NULL, 0, fill_vlan },
	{ "svlan", FRAME_VLAN, 4, 0x88a8, 0, NULL, 0, fill_vlan },
	{ "ip4", FRAME_IP4, IP4_BYTES, 0x0800, 0, "+opt", OPTION_BYTES, fill_ip4 },
	{ "ip6", FRAME_IP6, FRAME_IP6_BYTES, 0x86dd, 0, NULL, 0, fill_ip6 },
	{ "hop", FRAME_EXT, EXT_BYTES, IPPROTO_HOPOPTS, 0, NULL, 0, fill_ext },
	{ "route", FRAME_EXT, EXT_BYTES, IPPROTO_ROUTING, 0, NULL, 0, fill_ext },
	{ "dest", FRAME_EXT, EXT_BYTES, IPPROTO_DSTOPTS, 0, NULL, 0, fill_ext },
	{ "frag6", FRAME_EXT, EXT_BYTES, IPPROTO_FRAGMENT, 0, NULL, 0, fill_ext },
	{ "udp", FRAME_UDP, 8, IPPROTO_UDP, 0, NULL, 0, fill_udp },
	{ "tcp", FRAME_TCP, 20, IPPROTO_TCP, 0, "+opt", 12, fill_tcp },
	{ "sctp", FRAME_L4, 12, IPPROTO_SCTP, 0, NULL, 0, fill_sctp },
	{ "icmp", FRAME_L4, 8, IPPROTO_ICMP, 0, NULL, 0, fill_icmp },
	{ "icmp6", FRAME_L4, 8, IPPROTO_ICMPV6, 0, NULL, 0, fill_icmp },
	{ "igmp", FRAME_L4, 8, IPPROTO_IGMP, 0, NULL, 0, fill_icmp },
	{ "esp", FRAME_L4, 8, IPPROTO_ESP, 0, NULL, 0, fill_esp },
	{ "arp", FRAME_L4, 28, 0x0806, 0, NULL, 0, fill_arp },
	{ "lldp", FRAME_L4, 4, 0x88cc, 0, NULL, 0, fill_arp },
	{ "vxlan", FRAME_TUNNEL, 8, 0, 4789, NULL, 0, fill_vxlan },
	{ "geneve", FRAME_TUNNEL, 8, 0, 6081, NULL, 0, fill_geneve },
	{ "gtpu", FRAME_TUNNEL, 8, 0, 2152, NULL, 0, fill_gtpu },
	{ "gre", FRAME_TUNNEL, 4, IPPROTO_GRE, 0, "+key", 4, fill_gre },
	{ "pay", FRAME_PAYLOAD, 0, 0, 0, NULL, 0, fill_pattern },
};

const struct frame_header *frame_header_find(const char *name)
{
	for (unsigned int i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		if (!strcmp(headers[i].name, name))
			return &headers[i];
	return NULL;
}
