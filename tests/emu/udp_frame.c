/* SPDX-License-Identifier: BSD-3-Clause */
#include "udp_frame.h"

#include <string.h>

uint16_t udp_frame_sum(const uint8_t *p, unsigned bytes, uint32_t start)
{
	uint32_t sum = start;

	for (unsigned i = 0; i < bytes; i++)
		sum += i & 1 ? p[i] : (uint32_t)p[i] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)sum;
}

static uint8_t *put_be16(uint8_t *p, uint16_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
	return p + 2;
}

static uint8_t *write_ip_header(uint8_t *p, unsigned l4_bytes, const struct udp_frame *u)
{
	enum { UDP = 17, V4_BYTES = 20, V6_BYTES = 40 };
	uint8_t *ip = p;

	memset(ip, 0, u->v6 ? V6_BYTES : V4_BYTES);
	if (u->v6) {
		ip[0] = 0x60;
		put_be16(ip + 4, (uint16_t)l4_bytes);
		ip[6] = UDP;
		ip[7] = 64;
		for (unsigned i = 8; i < V6_BYTES; i++)
			ip[i] = (uint8_t)i;
		return ip + V6_BYTES;
	}
	ip[0] = 0x45;
	put_be16(ip + 2, (uint16_t)(V4_BYTES + l4_bytes));
	ip[8] = 64;
	ip[9] = UDP;
	memcpy(ip + 12, "\x0a\x01\x02\x03\x0a\x04\x05\x06", 8);
	put_be16(ip + 10, (uint16_t)(~udp_frame_sum(ip, V4_BYTES, 0) + u->bad_ip));
	return ip + V4_BYTES;
}

void udp_frame_write(uint8_t *frame, unsigned bytes, const struct udp_frame *u)
{
	enum { UDP = 17, UDP_BYTES = 8 };
	uint8_t *p = frame, *l4;
	unsigned l4_bytes = bytes - 14 - (u->tci ? 4 : 0) - (u->v6 ? 40 : 20);
	uint16_t sum;

	memcpy(p, "\x02\0\0\0\0\x01\x02\0\0\0\0\x63", 12);
	p += 12;
	if (u->tci)
		p = put_be16(put_be16(p, 0x8100), u->tci);
	p = put_be16(p, u->v6 ? 0x86dd : 0x0800);
	l4 = write_ip_header(p, l4_bytes, u);
	put_be16(l4, u->sport ? u->sport : 1111);
	put_be16(l4 + 2, u->dport ? u->dport : 2222);
	put_be16(l4 + 4, (uint16_t)l4_bytes);
	put_be16(l4 + 6, 0);
	memset(l4 + UDP_BYTES, u->fill, l4_bytes - UDP_BYTES);
	if (u->no_csum)
		return;
	sum = udp_frame_sum(u->v6 ? p + 8 : p + 12, u->v6 ? 32 : 8, UDP + l4_bytes);
	sum = (uint16_t)~udp_frame_sum(l4, l4_bytes, sum);
	put_be16(l4 + 6, (uint16_t)((sum ? sum : 0xffff) + u->bad_l4));
}
