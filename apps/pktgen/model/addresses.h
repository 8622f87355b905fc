/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_ADDRESSES_H
#define PKTGEN_ADDRESSES_H

#include <stdbool.h>
#include <stdint.h>

/**
 * DOC: Addresses of a port
 *
 * A port with IP addresses is a host of its network: it answers ARP, neighbour solicitations and
 * pings. With a gateway, it sends IP packets to the MAC address of that router. All addresses are
 * in network byte order.
 */

enum {
	ADDRESSES_MAX = 8,
	MAC_BYTES = 6,
	IP4_BYTES = 4,
	IP6_BYTES = 16,
	ADDRESS_TEXT_BYTES = 46, /* INET6_ADDRSTRLEN */
};

/**
 * struct address - an IP address and the prefix of its network
 * @n_bytes: IP4_BYTES or IP6_BYTES
 * @prefix: 0 to 32, or 0 to 128
 */
struct address {
	uint8_t bytes[IP6_BYTES];
	uint8_t n_bytes, prefix;
};

/**
 * struct gateway - a router of a port
 * @ip: its address; all zero: the port has no router for this version of IP
 * @mac: its MAC address, if @is_resolved
 */
struct gateway {
	struct address ip;
	uint8_t mac[MAC_BYTES];
	bool is_resolved;
};

/** struct addresses - the addresses of a port, and its routers; all zero: it has none */
struct addresses {
	uint8_t mac[MAC_BYTES];
	unsigned n;
	struct address address[ADDRESSES_MAX];
	struct gateway gateway4, gateway6;
};

/**
 * address_parse - read "198.18.0.1/24" or "2001:db8::1/64"
 * @a: receives the address. Without "/", the prefix is that of one host
 *
 * Return: NULL; or the reason of a refusal: no address, prefix out of range, or no host's address
 * (address_is_host())
 */
const char *address_parse(struct address *a, const char *text);

/** address_format - write the address, without its prefix. Return: @text */
const char *address_format(const struct address *a, char text[ADDRESS_TEXT_BYTES]);

/** address_contains - whether an address, as long as that of @of, is in the network of @of */
bool address_contains(const struct address *of, const uint8_t *bytes);

/**
 * address_is_host - whether one host can have the address
 * @bytes: the address
 * @n_bytes: IP4_BYTES or IP6_BYTES
 *
 * Multicast, broadcast, loopback and unspecified addresses belong to no single host of a network.
 */
bool address_is_host(const uint8_t *bytes, unsigned n_bytes);

/**
 * addresses_add - add an address. Return: NULL; or the reason of a refusal: it has too many
 */
const char *addresses_add(struct addresses *a, const struct address *new);

/**
 * addresses_set_gateway - set the router for the version of IP of @ip
 *
 * Return: NULL; or the reason of a refusal: there is one already, or @ip has a prefix
 */
const char *addresses_set_gateway(struct addresses *a, const struct address *ip);

/**
 * addresses_check - check that the gateways are in a network of the port
 *
 * A link-local gateway fits each port with an IPv6 address.
 *
 * Return: NULL; or the reason of a refusal
 */
const char *addresses_check(const struct addresses *a);

/**
 * addresses_find_first - find the first address of a version of IP
 *
 * Return: the address, or NULL: there is none
 */
const uint8_t *addresses_find_first(const struct addresses *a, unsigned n_bytes);

/**
 * addresses_choose_source - choose the address from which the port asks for @target
 * @source: receives the address in the same network, or the link-local address of the MAC address
 */
void addresses_choose_source(const struct addresses *a, const uint8_t *target, unsigned n_bytes,
			     uint8_t *source);

/**
 * addresses_own - whether an IP address belongs to the port
 * @bytes: the address
 * @n_bytes: IP4_BYTES or IP6_BYTES
 *
 * A port with an IPv6 address also has the link-local address of its MAC address (RFC 4291).
 */
bool addresses_own(const struct addresses *a, const uint8_t *bytes, unsigned n_bytes);

#endif
