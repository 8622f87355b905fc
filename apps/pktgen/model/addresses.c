/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/addresses.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/reason.h"

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
		return "is not an IP address";
	memcpy(host, text, n);
	host[n] = 0;
	if (inet_pton(AF_INET, host, a->bytes) == 1)
		a->n_bytes = IP4_BYTES;
	else if (inet_pton(AF_INET6, host, a->bytes) == 1)
		a->n_bytes = IP6_BYTES;
	else
		return "is not an IP address";
	prefix = a->n_bytes * 8;
	if (text[n])
		prefix = parse_prefix(text + n + 1, prefix);
	if (prefix < 0)
		return a->n_bytes == IP4_BYTES ? "its prefix is invalid (valid: 0 to 32)"
					       : "its prefix is invalid (valid: 0 to 128)";
	a->prefix = (uint8_t)prefix;
	if (!address_is_host(a->bytes, a->n_bytes))
		return "a host cannot have this address";
	return NULL;
}

const char *addresses_add(struct addresses *a, const struct address *new)
{
	if (a->n == ADDRESSES_MAX)
		return "too many addresses for one port (valid: at most 8)";
	a->address[a->n++] = *new;
	return NULL;
}

const char *addresses_set_gateway(struct addresses *a, const struct address *ip)
{
	struct gateway *g = ip->n_bytes == IP4_BYTES ? &a->gateway4 : &a->gateway6;

	if (ip->prefix != ip->n_bytes * 8)
		return "a gateway has no prefix (valid: 0=198.18.0.254)";
	if (g->ip.n_bytes)
		return "the port already has a gateway for this version of IP; give only one";
	*g = (struct gateway){ .ip = *ip };
	return NULL;
}

const char *address_format(const struct address *a, char text[ADDRESS_TEXT_BYTES])
{
	return inet_ntop(a->n_bytes == IP4_BYTES ? AF_INET : AF_INET6, a->bytes, text,
			 ADDRESS_TEXT_BYTES);
}

bool address_contains(const struct address *of, const uint8_t *bytes)
{
	const unsigned whole = of->prefix / 8, rest = of->prefix % 8;
	const uint8_t mask = (uint8_t)(0xff00u >> rest);

	return !memcmp(of->bytes, bytes, whole) &&
	       (!rest || !((of->bytes[whole] ^ bytes[whole]) & mask));
}

/* Finds the address of the port whose network contains @bytes. Returns it, or NULL. */
static const struct address *find_network(const struct addresses *a, const uint8_t *bytes,
					  unsigned n_bytes)
{
	for (unsigned i = 0; i < a->n; i++) {
		if (a->address[i].n_bytes == n_bytes && address_contains(&a->address[i], bytes))
			return &a->address[i];
	}
	return NULL;
}

const uint8_t *addresses_find_first(const struct addresses *a, unsigned n_bytes)
{
	for (unsigned i = 0; i < a->n; i++) {
		if (a->address[i].n_bytes == n_bytes)
			return a->address[i].bytes;
	}
	return NULL;
}

/* Returns whether the address is in fe80::/10. */
static bool is_link_local(const uint8_t *bytes, unsigned n_bytes)
{
	return n_bytes == IP6_BYTES && bytes[0] == 0xfe && (bytes[1] & 0xc0) == 0x80;
}

static const char *check_gateway(const struct addresses *a, const struct gateway *g)
{
	const unsigned n = g->ip.n_bytes;
	char text[ADDRESS_TEXT_BYTES];

	if (!n)
		return NULL;
	address_format(&g->ip, text);
	if (addresses_own(a, g->ip.bytes, n))
		return reason_format("%s: is an address of the port itself", text);
	if (find_network(a, g->ip.bytes, n) ||
	    (is_link_local(g->ip.bytes, n) && addresses_find_first(a, n)))
		return NULL;
	return reason_format("%s: is outside the networks of the port; give the port an address in "
			     "the same network (--address)",
			     text);
}

const char *addresses_check(const struct addresses *a)
{
	const char *why = check_gateway(a, &a->gateway4);

	return why ? why : check_gateway(a, &a->gateway6);
}

/* Joins fe80::/64 and the modified EUI-64 of the MAC address (RFC 4291, appendix A). */
static void make_link_local(const uint8_t *mac, uint8_t ip[IP6_BYTES])
{
	const uint8_t own[IP6_BYTES] = { 0xfe, 0x80,   0,          0,      0,      0,
					 0,    0,      mac[0] ^ 2, mac[1], mac[2], 0xff,
					 0xfe, mac[3], mac[4],     mac[5] };

	memcpy(ip, own, sizeof(own));
}

void addresses_choose_source(const struct addresses *a, const uint8_t *target, unsigned n_bytes,
			     uint8_t *source)
{
	const struct address *own = find_network(a, target, n_bytes);

	if (own)
		memcpy(source, own->bytes, n_bytes);
	else
		make_link_local(a->mac, source);
}

bool addresses_own(const struct addresses *a, const uint8_t *bytes, unsigned n_bytes)
{
	uint8_t link_local[IP6_BYTES];
	bool has_ip6 = false;

	for (unsigned i = 0; i < a->n; i++) {
		const struct address *own = &a->address[i];

		if (own->n_bytes == n_bytes && !memcmp(own->bytes, bytes, n_bytes))
			return true;
		has_ip6 |= own->n_bytes == IP6_BYTES;
	}
	make_link_local(a->mac, link_local);
	return has_ip6 && n_bytes == IP6_BYTES && !memcmp(link_local, bytes, IP6_BYTES);
}
