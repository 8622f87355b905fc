/* SPDX-License-Identifier: BSD-3-Clause */
#include "respond/nd.h"

#include <netinet/icmp6.h>
#include <stddef.h>
#include <string.h>

#include "respond/icmp6.h"

enum {
	TARGET = offsetof(struct nd_neighbor_solicit, nd_ns_target),
	OPTIONS = sizeof(struct nd_neighbor_solicit),
	MAC_OPTION_BYTES = 8,
	ADVERTISEMENT_BYTES = sizeof(struct nd_neighbor_advert) + MAC_OPTION_BYTES,
	HOP_LIMIT = 255, /* no router has forwarded the message */
};

static const uint8_t all_nodes[IP6_BYTES] = { 0xff, 2, [IP6_BYTES - 1] = 1 };
static const uint8_t all_nodes_mac[MAC_BYTES] = { 0x33, 0x33, 0, 0, 0, 1 };

/* The multicast address of all hosts whose address has the same last 3 bytes (RFC 4291, 2.7.1). */
static bool is_solicited_node(const uint8_t *ip, const uint8_t *target)
{
	static const uint8_t head[] = { 0xff, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xff };

	return !memcmp(ip, head, sizeof(head)) &&
	       !memcmp(ip + sizeof(head), target + sizeof(head), IP6_BYTES - sizeof(head));
}

/* The MAC address of a multicast address has its last 4 bytes (RFC 2464). */
static bool is_to_multicast(const struct link *l, const uint8_t *ip)
{
	const uint8_t mac[MAC_BYTES] = { 0x33, 0x33, ip[12], ip[13], ip[14], ip[15] };

	return ip[0] == 0xff && link_is_to(l, mac);
}

/*
 * Finds the MAC address of the sender among the options. Returns false if an option has no length
 * or is cut off. @mac: NULL: the sender gave none.
 */
static bool find_sender_mac(const struct icmp6 *m, const uint8_t **mac)
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
		if (option[0] == ND_OPT_SOURCE_LINKADDR && n == MAC_OPTION_BYTES && !*mac)
			*mac = option + 2;
		at += n;
	}
	return !*mac || !(**mac & 1);
}

static bool is_solicitation_for(const struct addresses *a, const struct link *l,
				const struct icmp6 *m)
{
	const uint8_t *target = m->message + TARGET;
	const bool is_unicast = addresses_own(a, m->to, IP6_BYTES) && link_is_to(l, a->mac);
	const bool is_multicast = is_solicited_node(m->to, target) &&
				  (is_to_multicast(l, m->to) || link_is_to(l, a->mac));

	return m->message[0] == ND_NEIGHBOR_SOLICIT && m->message[1] == 0 &&
	       m->hop_limit == HOP_LIMIT && (is_unicast || is_multicast) && m->from[0] != 0xff &&
	       addresses_own(a, target, IP6_BYTES) && !addresses_own(a, m->from, IP6_BYTES);
}

/* A host without an address asks by multicast, and gives no MAC address (RFC 4861, 7.1.1). */
static bool is_valid_probe(const struct icmp6 *m, const uint8_t *mac)
{
	return !mac && m->to[0] == 0xff;
}

static void write_advertisement(uint8_t *message, const struct addresses *a, const uint8_t *target,
				bool is_solicited)
{
	struct nd_neighbor_advert h = { .nd_na_type = ND_NEIGHBOR_ADVERT };

	h.nd_na_flags_reserved = ND_NA_FLAG_OVERRIDE | (is_solicited ? ND_NA_FLAG_SOLICITED : 0);
	memcpy(&h.nd_na_target, target, IP6_BYTES);
	memcpy(message, &h, sizeof(h));
	message[sizeof(h)] = ND_OPT_TARGET_LINKADDR;
	message[sizeof(h) + 1] = 1; /* length in units of 8 bytes */
	memcpy(message + sizeof(h) + 2, a->mac, MAC_BYTES);
}

unsigned nd_make_advertisement(const struct addresses *a, const struct link *l, uint8_t *answer)
{
	static const uint8_t unspecified[IP6_BYTES];
	const uint8_t *mac, *target, *to, *to_mac;
	struct icmp6 m;
	bool is_probe;

	if (!icmp6_read(&m, l) || m.n_bytes < OPTIONS || !is_solicitation_for(a, l, &m) ||
	    !find_sender_mac(&m, &mac))
		return 0;
	is_probe = !memcmp(m.from, unspecified, IP6_BYTES);
	if (is_probe && !is_valid_probe(&m, mac))
		return 0;
	target = m.message + TARGET;
	to = is_probe ? all_nodes : m.from;
	to_mac = is_probe ? all_nodes_mac : mac ? mac : l->frame + MAC_BYTES;
	link_write_answer(l, answer, to_mac, a->mac);
	write_advertisement(answer + l->l3 + IP6_HEADER_BYTES, a, target, !is_probe);
	icmp6_write_answer(answer + l->l3, target, to, HOP_LIMIT, ADVERTISEMENT_BYTES);
	return l->l3 + IP6_HEADER_BYTES + ADVERTISEMENT_BYTES;
}
