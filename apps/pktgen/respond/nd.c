/* SPDX-License-Identifier: BSD-3-Clause */
#include "respond/nd.h"

#include <netinet/icmp6.h>
#include <stddef.h>
#include <string.h>

#include <rte_ether.h>

#include "respond/icmp6.h"

enum {
	TARGET = offsetof(struct nd_neighbor_solicit, nd_ns_target),
	OPTIONS = sizeof(struct nd_neighbor_solicit),
	MAC_OPTION_BYTES = 8,
	MESSAGE_BYTES = OPTIONS + MAC_OPTION_BYTES,
	HOP_LIMIT = 255, /* no router has forwarded the message */
};

static const uint8_t all_nodes[IP6_BYTES] = { 0xff, 2, [IP6_BYTES - 1] = 1 };
static const uint8_t all_nodes_mac[MAC_BYTES] = { 0x33, 0x33, 0, 0, 0, 1 };

/* Makes the multicast address of all hosts with the same last 3 bytes (RFC 4291, 2.7.1). */
static void make_solicited_node(const uint8_t *target, uint8_t ip[IP6_BYTES])
{
	static const uint8_t head[] = { 0xff, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xff };

	memcpy(ip, head, sizeof(head));
	memcpy(ip + sizeof(head), target + sizeof(head), IP6_BYTES - sizeof(head));
}

static bool is_solicited_node(const uint8_t *ip, const uint8_t *target)
{
	uint8_t group[IP6_BYTES];

	make_solicited_node(target, group);
	return !memcmp(ip, group, sizeof(group));
}

/* Makes the MAC address of a multicast address, with the last 4 bytes of the latter (RFC 2464). */
static void make_multicast_mac(const uint8_t *ip, uint8_t mac[MAC_BYTES])
{
	const uint8_t group[MAC_BYTES] = { 0x33, 0x33, ip[12], ip[13], ip[14], ip[15] };

	memcpy(mac, group, sizeof(group));
}

static bool is_to_multicast(const struct ethernet *l, const uint8_t *ip)
{
	uint8_t mac[MAC_BYTES];

	make_multicast_mac(ip, mac);
	return ip[0] == 0xff && ethernet_is_to(l, mac);
}

/*
 * Finds the MAC address in the option of type @type; sets @mac to NULL without that option. Returns
 * false if an option has length 0 or is truncated, or if the address is a group address.
 */
static bool find_mac(const struct icmp6 *m, uint8_t type, const uint8_t **mac)
{
	unsigned at = OPTIONS;

	*mac = NULL;
	while (at < m->n_bytes) {
		if (m->n_bytes - at < MAC_OPTION_BYTES)
			return false;
		const uint8_t *option = m->message + at;
		const unsigned n = option[1] * 8u;

		if (!n || n > m->n_bytes - at)
			return false;
		if (option[0] == type && n == MAC_OPTION_BYTES && !*mac)
			*mac = option + 2;
		at += n;
	}
	return !*mac || !(**mac & 1);
}

static bool is_solicitation_for(const struct addresses *a, const struct ethernet *l,
				const struct icmp6 *m)
{
	const uint8_t *target = m->message + TARGET;
	const bool is_unicast =
		addresses_own(a, &l->vlan, m->to, IP6_BYTES) && ethernet_is_to(l, a->mac);
	const bool is_multicast = is_solicited_node(m->to, target) &&
				  (is_to_multicast(l, m->to) || ethernet_is_to(l, a->mac));

	return m->message[0] == ND_NEIGHBOR_SOLICIT && m->message[1] == 0 &&
	       m->hop_limit == HOP_LIMIT && (is_unicast || is_multicast) && m->from[0] != 0xff &&
	       addresses_own(a, &l->vlan, target, IP6_BYTES) &&
	       !addresses_own(a, &l->vlan, m->from, IP6_BYTES);
}

static void write_mac_option(uint8_t *option, uint8_t type, const uint8_t *mac)
{
	option[0] = type;
	option[1] = 1; /* length in units of 8 bytes */
	memcpy(option + 2, mac, MAC_BYTES);
}

static void write_advertisement(uint8_t *message, const struct addresses *a, const uint8_t *target,
				bool is_solicited)
{
	struct nd_neighbor_advert h = { .nd_na_type = ND_NEIGHBOR_ADVERT };

	_Static_assert(sizeof(h) == OPTIONS, "both messages have the same length");
	h.nd_na_flags_reserved = ND_NA_FLAG_OVERRIDE | (is_solicited ? ND_NA_FLAG_SOLICITED : 0);
	memcpy(&h.nd_na_target, target, IP6_BYTES);
	memcpy(message, &h, sizeof(h));
	write_mac_option(message + sizeof(h), ND_OPT_TARGET_LINKADDR, a->mac);
}

unsigned nd_make_advertisement(const struct addresses *a, const struct ethernet *l, uint8_t *answer)
{
	static const uint8_t unspecified[IP6_BYTES];
	const uint8_t *mac, *target, *to, *to_mac;
	struct icmp6 m;
	bool is_probe;

	if (!icmp6_read(&m, l) || m.n_bytes < OPTIONS || !is_solicitation_for(a, l, &m) ||
	    !find_mac(&m, ND_OPT_SOURCE_LINKADDR, &mac))
		return 0;
	is_probe = !memcmp(m.from, unspecified, IP6_BYTES);
	/* A host without an address asks by multicast, without a MAC address (RFC 4861, 7.1.1). */
	if (is_probe && (mac || m.to[0] != 0xff))
		return 0;
	target = m.message + TARGET;
	to = is_probe ? all_nodes : m.from;
	to_mac = is_probe ? all_nodes_mac : mac ? mac : l->frame + MAC_BYTES;
	ethernet_write_answer(l, answer, to_mac, a->mac);
	write_advertisement(answer + l->l3 + IP6_HEADER_BYTES, a, target, !is_probe);
	icmp6_write_headers(answer + l->l3, target, to, HOP_LIMIT, MESSAGE_BYTES);
	return l->l3 + IP6_HEADER_BYTES + MESSAGE_BYTES;
}

unsigned nd_make_solicitation(const struct addresses *a, const struct address *target,
			      uint8_t *request)
{
	struct nd_neighbor_solicit h = { .nd_ns_type = ND_NEIGHBOR_SOLICIT };
	uint8_t from[IP6_BYTES], to[IP6_BYTES], to_mac[MAC_BYTES], *message;
	unsigned l3;

	addresses_choose_source(a, target, from);
	make_solicited_node(target->bytes, to);
	make_multicast_mac(to, to_mac);
	l3 = ethernet_write(request, to_mac, a->mac, &target->vlan, RTE_ETHER_TYPE_IPV6);
	message = request + l3 + IP6_HEADER_BYTES;
	memcpy(&h.nd_ns_target, target->bytes, IP6_BYTES);
	memcpy(message, &h, sizeof(h));
	write_mac_option(message + OPTIONS, ND_OPT_SOURCE_LINKADDR, a->mac);
	icmp6_write_headers(request + l3, from, to, HOP_LIMIT, MESSAGE_BYTES);
	return l3 + IP6_HEADER_BYTES + MESSAGE_BYTES;
}

bool nd_read_advertisement(const struct addresses *a, const struct ethernet *l,
			   const struct address *target, uint8_t mac[MAC_BYTES])
{
	const uint8_t *option;
	struct icmp6 m;

	if (!ethernet_is_to(l, a->mac) || !icmp6_read(&m, l) || m.n_bytes < OPTIONS ||
	    m.message[0] != ND_NEIGHBOR_ADVERT || m.message[1] != 0 || m.hop_limit != HOP_LIMIT ||
	    memcmp(m.message + TARGET, target->bytes, IP6_BYTES) != 0 ||
	    !ethernet_is_in(l, &target->vlan) || !addresses_own(a, &l->vlan, m.to, IP6_BYTES) ||
	    !find_mac(&m, ND_OPT_TARGET_LINKADDR, &option))
		return false;
	/* The answer to a multicast request must have the option (RFC 4861, 7.2.4). */
	if (!option)
		return false;
	memcpy(mac, option, MAC_BYTES);
	return true;
}
