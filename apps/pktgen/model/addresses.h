/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_ADDRESSES_H
#define PKTGEN_ADDRESSES_H

#include <stdbool.h>
#include <stdint.h>

/**
 * DOC: Addresses of a port
 *
 * A port with IP addresses is a host of its network: it answers ARP, neighbour solicitations and
 * pings. All addresses are in network byte order.
 */

enum { ADDRESSES_MAX = 8, MAC_BYTES = 6, IP4_BYTES = 4, IP6_BYTES = 16 };

/**
 * struct address - an IP address and the prefix of its network
 * @n_bytes: IP4_BYTES or IP6_BYTES
 * @prefix: 0 to 32, or 0 to 128
 */
struct address {
	uint8_t bytes[IP6_BYTES];
	uint8_t n_bytes, prefix;
};

/** struct addresses - the addresses of a port; all zero: it has none */
struct addresses {
	uint8_t mac[MAC_BYTES];
	unsigned n;
	struct address address[ADDRESSES_MAX];
};

/**
 * address_parse - read "198.18.0.1/24" or "2001:db8::1/64"
 * @a: receives the address. Without "/", the prefix is that of one host
 *
 * Return: NULL; or the reason of a refusal: no address, prefix out of range, or no host's address
 * (address_is_host())
 */
const char *address_parse(struct address *a, const char *text);

/**
 * address_is_host - whether one host can have the address
 * @bytes: the address
 * @n_bytes: IP4_BYTES or IP6_BYTES
 *
 * Multicast, broadcast, loopback and unspecified addresses belong to no single host of a network.
 */
bool address_is_host(const uint8_t *bytes, unsigned n_bytes);

/**
 * addresses_own - whether an IP address belongs to the port
 * @bytes: the address
 * @n_bytes: IP4_BYTES or IP6_BYTES
 *
 * A port with an IPv6 address also has the link-local address of its MAC address (RFC 4291).
 */
bool addresses_own(const struct addresses *a, const uint8_t *bytes, unsigned n_bytes);

#endif
