/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_ADDRESSES_H
#define PKTGEN_ADDRESSES_H

#include "model/vlan.h"

/**
 * DOC: Addresses of a port
 *
 * A port with IP addresses acts as a host: it answers ARP, neighbour solicitations and pings. With
 * a gateway, it sends its IP packets to the MAC address of that router. All addresses are in
 * network byte order.
 *
 * An address in a VLAN is that of a host which only sees frames with these tags. One without VLAN
 * answers in any VLAN.
 */

enum {
	ADDRESSES_MAX = 8, /* also of gateways */
	MAC_BYTES = 6,
	IP4_BYTES = 4,
	IP6_BYTES = 16,
	ADDRESS_TEXT_BYTES = 46, /* INET6_ADDRSTRLEN */
	ADDRESS_VLAN_TEXT_BYTES = ADDRESS_TEXT_BYTES + VLAN_TEXT_BYTES,
};

/**
 * struct address - an IP address and the prefix of its network
 * @n_bytes: IP4_BYTES or IP6_BYTES
 * @prefix: 0 to 32, or 0 to 128
 * @vlan: the VLAN of the network
 */
struct address {
	uint8_t bytes[IP6_BYTES];
	uint8_t n_bytes, prefix;
	struct vlan vlan;
};

/**
 * struct gateway - a router of a port
 * @ip: its address
 * @mac: its MAC address, if @is_resolved
 */
struct gateway {
	struct address ip;
	uint8_t mac[MAC_BYTES];
	bool is_resolved;
};

/** struct addresses - the addresses of a port, and its routers; all zero if it has none */
struct addresses {
	uint8_t mac[MAC_BYTES];
	unsigned n;
	struct address address[ADDRESSES_MAX];
	unsigned n_gateways;
	struct gateway gateways[ADDRESSES_MAX];
};

/**
 * address_parse - read "198.18.0.1/24" or "2001:db8::1/64"
 * @a: receives the address, without VLAN. Without "/", the prefix has all 32 or 128 bits
 *
 * Return: NULL; or the reason of a refusal: the text is not an address, the prefix is out of range,
 * or no host can have the address (address_is_host())
 */
const char *address_parse(struct address *a, const char *text);

/** address_format - write the address, without VLAN and prefix. Return: @text */
const char *address_format(const struct address *a, char text[ADDRESS_TEXT_BYTES]);

/** address_format_vlan - write the address with its VLAN: "vlan5:198.18.0.1". Return: @text */
const char *address_format_vlan(const struct address *a, char text[ADDRESS_VLAN_TEXT_BYTES]);

/** address_contains - whether the network of @of contains an address of the same length */
bool address_contains(const struct address *of, const uint8_t *bytes);

/**
 * address_is_host - whether one host can have the address
 * @bytes: the address
 * @n_bytes: IP4_BYTES or IP6_BYTES
 *
 * Return: false for multicast, broadcast, loopback and unspecified addresses
 */
bool address_is_host(const uint8_t *bytes, unsigned n_bytes);

/** addresses_add - add an address. Return: NULL, or the reason of a refusal: too many addresses */
const char *addresses_add(struct addresses *a, const struct address *new);

/**
 * addresses_add_gateway - add a router for the version of IP and the VLAN of @ip
 *
 * Return: NULL; or the reason of a refusal: the port already has one, or @ip has a prefix
 */
const char *addresses_add_gateway(struct addresses *a, const struct address *ip);

/**
 * addresses_check - check that the gateways are in networks of the port
 *
 * Any port with an IPv6 address in the same VLAN may have a link-local gateway.
 *
 * Return: NULL, or the reason of a refusal
 */
const char *addresses_check(const struct addresses *a);

/**
 * addresses_find_for - find the address for frames in a VLAN
 * @v: the VLAN, or NULL if the frames are in several
 *
 * Return: the first address of @n_bytes bytes in this VLAN; or else the first without VLAN, or else
 * the first in any VLAN; NULL if the port has none
 */
const struct address *addresses_find_for(const struct addresses *a, const struct vlan *v,
					 unsigned n_bytes);

/**
 * addresses_find_gateway - find the router for frames in a VLAN
 * @v: the VLAN, or NULL if the frames are in several
 *
 * Return: the router with an address of @n_bytes bytes in this VLAN, or else that without VLAN;
 * NULL if there is none
 */
const struct gateway *addresses_find_gateway(const struct addresses *a, const struct vlan *v,
					     unsigned n_bytes);

/**
 * addresses_choose_source - choose the source address of a request that resolves @target
 * @source: receives the address of the port in the network of @target, with as many bytes; without
 *   one, the link-local address of its MAC address (IPv6) or 0.0.0.0
 */
void addresses_choose_source(const struct addresses *a, const struct address *target,
			     uint8_t *source);

/**
 * addresses_own - whether an IP address belongs to the port
 * @v: the VLAN of the frame that has the address
 * @bytes: the address
 * @n_bytes: IP4_BYTES or IP6_BYTES
 *
 * A port with an IPv6 address also owns the link-local address of its MAC address (RFC 4291).
 */
bool addresses_own(const struct addresses *a, const struct vlan *v, const uint8_t *bytes,
		   unsigned n_bytes);

#endif
