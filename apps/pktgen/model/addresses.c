/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/addresses.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdio.h>
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

const char *addresses_add_gateway(struct addresses *a, const struct address *ip)
{
	if (ip->prefix != ip->n_bytes * 8)
		return "a gateway has no prefix (valid: 0=198.18.0.254)";
	for (unsigned i = 0; i < a->n_gateways; i++) {
		const struct address *other = &a->gateways[i].ip;

		if (other->n_bytes == ip->n_bytes && vlan_is_same(&other->vlan, &ip->vlan))
			return "the port already has a gateway for this version of IP; give only "
			       "one for each VLAN";
	}
	if (a->n_gateways == ADDRESSES_MAX)
		return "too many gateways for one port (valid: at most 8)";
	a->gateways[a->n_gateways++] = (struct gateway){ .ip = *ip };
	return NULL;
}

const char *address_format(const struct address *a, char text[ADDRESS_TEXT_BYTES])
{
	return inet_ntop(a->n_bytes == IP4_BYTES ? AF_INET : AF_INET6, a->bytes, text,
			 ADDRESS_TEXT_BYTES);
}

const char *address_format_vlan(const struct address *a, char text[ADDRESS_VLAN_TEXT_BYTES])
{
	char ip[ADDRESS_TEXT_BYTES], vlan[VLAN_TEXT_BYTES];

	snprintf(text, ADDRESS_VLAN_TEXT_BYTES, "%s%s", vlan_format(&a->vlan, vlan),
		 address_format(a, ip));
	return text;
}

bool address_contains(const struct address *of, const uint8_t *bytes)
{
	const unsigned whole = of->prefix / 8, rest = of->prefix % 8;
	const uint8_t mask = (uint8_t)(0xff00u >> rest);

	return !memcmp(of->bytes, bytes, whole) &&
	       (!rest || !((of->bytes[whole] ^ bytes[whole]) & mask));
}

/* Finds the first address of @n_bytes bytes in the VLAN @v, or in any if it is NULL, or NULL. */
static const struct address *find_in_vlan(const struct addresses *a, const struct vlan *v,
					  unsigned n_bytes)
{
	for (unsigned i = 0; i < a->n; i++) {
		const struct address *own = &a->address[i];

		if (own->n_bytes == n_bytes && (!v || vlan_is_same(&own->vlan, v)))
			return own;
	}
	return NULL;
}

/* Finds the address of the port whose network contains @target. Returns it, or NULL. */
static const struct address *find_network(const struct addresses *a, const struct address *target)
{
	for (unsigned i = 0; i < a->n; i++) {
		const struct address *own = &a->address[i];

		if (own->n_bytes == target->n_bytes && vlan_is_same(&own->vlan, &target->vlan) &&
		    address_contains(own, target->bytes))
			return own;
	}
	return NULL;
}

const struct address *addresses_find_for(const struct addresses *a, const struct vlan *v,
					 unsigned n_bytes)
{
	const struct address *own = v ? find_in_vlan(a, v, n_bytes) : NULL;

	if (!own)
		own = find_in_vlan(a, &(struct vlan){ 0 }, n_bytes);
	return own ? own : find_in_vlan(a, NULL, n_bytes);
}

const struct gateway *addresses_find_gateway(const struct addresses *a, const struct vlan *v,
					     unsigned n_bytes)
{
	const struct gateway *found = NULL;

	for (unsigned i = 0; i < a->n_gateways; i++) {
		const struct gateway *g = &a->gateways[i];

		if (g->ip.n_bytes != n_bytes)
			continue;
		if (v && vlan_is_same(&g->ip.vlan, v))
			return g;
		if (!g->ip.vlan.n)
			found = g;
	}
	return found;
}

/* Returns whether the address is in fe80::/10. */
static bool is_link_local(const uint8_t *bytes, unsigned n_bytes)
{
	return n_bytes == IP6_BYTES && bytes[0] == 0xfe && (bytes[1] & 0xc0) == 0x80;
}

static const char *check_gateway(const struct addresses *a, const struct gateway *g)
{
	const unsigned n = g->ip.n_bytes;
	char text[ADDRESS_VLAN_TEXT_BYTES];

	address_format_vlan(&g->ip, text);
	if (addresses_own(a, &g->ip.vlan, g->ip.bytes, n))
		return reason_format("%s: is an address of the port itself", text);
	if (find_network(a, &g->ip) ||
	    (is_link_local(g->ip.bytes, n) && find_in_vlan(a, &g->ip.vlan, n)))
		return NULL;
	return reason_format("%s: is outside the networks of the port; give the port an address in "
			     "the same network and VLAN (--address PORT=IP/PREFIX)",
			     text);
}

const char *addresses_check(const struct addresses *a)
{
	const char *why = NULL;

	for (unsigned i = 0; i < a->n_gateways && !why; i++)
		why = check_gateway(a, &a->gateways[i]);
	return why;
}

/* Joins fe80::/64 and the modified EUI-64 of the MAC address (RFC 4291, appendix A). */
static void make_link_local(const uint8_t *mac, uint8_t ip[IP6_BYTES])
{
	const uint8_t own[IP6_BYTES] = { 0xfe, 0x80,   0,          0,      0,      0,
					 0,    0,      mac[0] ^ 2, mac[1], mac[2], 0xff,
					 0xfe, mac[3], mac[4],     mac[5] };

	memcpy(ip, own, sizeof(own));
}

void addresses_choose_source(const struct addresses *a, const struct address *target,
			     uint8_t *source)
{
	const struct address *own = find_network(a, target);

	if (own)
		memcpy(source, own->bytes, own->n_bytes);
	else if (target->n_bytes == IP6_BYTES)
		make_link_local(a->mac, source);
	else
		memset(source, 0, IP4_BYTES);
}

bool addresses_own(const struct addresses *a, const struct vlan *v, const uint8_t *bytes,
		   unsigned n_bytes)
{
	uint8_t link_local[IP6_BYTES];
	bool has_ip6 = false;

	for (unsigned i = 0; i < a->n; i++) {
		const struct address *own = &a->address[i];

		if (own->vlan.n && !vlan_is_same(&own->vlan, v))
			continue;
		if (own->n_bytes == n_bytes && !memcmp(own->bytes, bytes, n_bytes))
			return true;
		has_ip6 |= own->n_bytes == IP6_BYTES;
	}
	make_link_local(a->mac, link_local);
	return has_ip6 && n_bytes == IP6_BYTES && !memcmp(link_local, bytes, IP6_BYTES);
}
