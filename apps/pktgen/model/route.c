/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/route.h"

#include <string.h>

enum { MACS_BYTES = 12, TTL4 = 8, CHECK4 = 10, TTL6 = 7 };

struct route route_make(const struct stack_ip *ip)
{
	return (struct route){
		.ttl = (uint16_t)(ip->offset + (ip->is_v6 ? TTL6 : TTL4)),
		.check = (uint16_t)(ip->is_v6 ? 0 : ip->offset + CHECK4),
	};
}

/* Applies equation 3 of RFC 1624: a TTL, the high byte of its word, is now @less lower. */
static void lower_checksum(uint8_t *check, unsigned less)
{
	uint32_t sum = (uint16_t) ~(check[0] << 8 | check[1]);

	sum += (uint16_t) ~(less << 8);
	sum = (sum >> 16) + (sum & UINT16_MAX);
	sum = ~((sum >> 16) + sum);
	check[0] = (uint8_t)(sum >> 8);
	check[1] = (uint8_t)sum;
}

void route_adapt(const struct route *r, const uint8_t *frame, uint8_t *headers)
{
	const uint8_t ttl = frame[r->ttl], sent = headers[r->ttl];

	memcpy(headers, frame, MACS_BYTES);
	if (!ttl || ttl >= sent)
		return;
	headers[r->ttl] = ttl;
	if (r->check)
		lower_checksum(headers + r->check, (unsigned)sent - ttl);
}
