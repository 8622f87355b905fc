/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/addresses.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Returns the number after "/", or -1. */
static int parse_prefix(const char *text, int max)
{
	char *end;
	long n;

	if (!isdigit((unsigned char)*text))
		return -1;
	n = strtol(text, &end, 10);
	return *end || n > max ? -1 : (int)n;
}

bool address_is_host(const uint8_t *bytes, unsigned n_bytes)
{
	static const uint8_t zero[IP6_BYTES - 1];

	if (n_bytes == IP4_BYTES)
		return bytes[0] && bytes[0] != 127 && bytes[0] < 224;
	/* :: and ::1 differ only in the last byte. */
	return bytes[0] != 0xff && (memcmp(bytes, zero, sizeof(zero)) || bytes[IP6_BYTES - 1] > 1);
}

const char *address_parse(struct address *a, const char *text)
{
	char host[INET6_ADDRSTRLEN];
	const size_t n = strcspn(text, "/");
	int prefix;

	*a = (struct address){ 0 };
	if (n >= sizeof(host))
		return "no IP address";
	memcpy(host, text, n);
	host[n] = 0;
	if (inet_pton(AF_INET, host, a->bytes) == 1)
		a->n_bytes = IP4_BYTES;
	else if (inet_pton(AF_INET6, host, a->bytes) == 1)
		a->n_bytes = IP6_BYTES;
	else
		return "no IP address";
	prefix = a->n_bytes * 8;
	if (text[n])
		prefix = parse_prefix(text + n + 1, prefix);
	if (prefix < 0)
		return a->n_bytes == IP4_BYTES ? "the prefix is no number from 0 to 32"
					       : "the prefix is no number from 0 to 128";
	a->prefix = (uint8_t)prefix;
	if (!address_is_host(a->bytes, a->n_bytes))
		return "a host cannot have this address";
	return NULL;
}

/* Compares with fe80::/64 and the modified EUI-64 of the MAC address (RFC 4291, appendix A). */
static bool is_link_local(const uint8_t *mac, const uint8_t *ip)
{
	const uint8_t own[IP6_BYTES] = { 0xfe, 0x80,   0,          0,      0,      0,
					 0,    0,      mac[0] ^ 2, mac[1], mac[2], 0xff,
					 0xfe, mac[3], mac[4],     mac[5] };

	return !memcmp(own, ip, sizeof(own));
}

bool addresses_own(const struct addresses *a, const uint8_t *bytes, unsigned n_bytes)
{
	bool has_ip6 = false;

	for (unsigned i = 0; i < a->n; i++) {
		const struct address *own = &a->address[i];

		if (own->n_bytes == n_bytes && !memcmp(own->bytes, bytes, n_bytes))
			return true;
		has_ip6 |= own->n_bytes == IP6_BYTES;
	}
	return has_ip6 && n_bytes == IP6_BYTES && is_link_local(a->mac, bytes);
}
