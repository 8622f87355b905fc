/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_ICMP6_H
#define PKTGEN_ICMP6_H

#include "respond/ethernet.h"

enum { IP6_HEADER_BYTES = 40, ICMP6_HEADER_BYTES = 8 };

/**
 * struct icmp6 - a received ICMPv6 message that follows its IPv6 header directly
 * @from, @to: IPv6 addresses
 * @hop_limit: of the IPv6 header
 * @message, @n_bytes: the message, and its length, at least ICMP6_HEADER_BYTES
 */
struct icmp6 {
	const uint8_t *from, *to, *message;
	unsigned n_bytes;
	uint8_t hop_limit;
};

/**
 * icmp6_read - read the headers
 *
 * Return: true; or false if the message is another one, is truncated or has a wrong checksum
 */
bool icmp6_read(struct icmp6 *m, const struct ethernet *l);

/**
 * icmp6_write_headers - write IPv6 header and checksum
 * @ip: receives the IPv6 header; the message follows it
 * @from, @to: IPv6 addresses
 * @hop_limit: for the IPv6 header
 * @n_bytes: length of the message
 */
void icmp6_write_headers(uint8_t *ip, const uint8_t *from, const uint8_t *to, uint8_t hop_limit,
			 unsigned n_bytes);

#endif
