/* SPDX-License-Identifier: BSD-3-Clause */
#include "respond/arp.h"

#include <string.h>

#include <rte_arp.h>
#include <rte_byteorder.h>
#include <rte_ether.h>

static bool is_for_ethernet_ip4(const struct rte_arp_hdr *arp)
{
	return arp->arp_hardware == RTE_BE16(RTE_ARP_HRD_ETHER) &&
	       arp->arp_protocol == RTE_BE16(RTE_ETHER_TYPE_IPV4) && arp->arp_hlen == MAC_BYTES &&
	       arp->arp_plen == IP4_BYTES;
}

static bool is_request_for(const struct addresses *a, const struct ethernet *l,
			   const struct rte_arp_hdr *arp)
{
	const struct rte_arp_ipv4 *d = &arp->arp_data;
	const bool is_to_us = ethernet_is_broadcast(l) || ethernet_is_to(l, a->mac);

	return is_to_us && is_for_ethernet_ip4(arp) &&
	       arp->arp_opcode == RTE_BE16(RTE_ARP_OP_REQUEST) &&
	       !rte_is_multicast_ether_addr(&d->arp_sha) && !rte_is_zero_ether_addr(&d->arp_sha) &&
	       addresses_own(a, &l->vlan, (const uint8_t *)&d->arp_tip, IP4_BYTES) &&
	       !addresses_own(a, &l->vlan, (const uint8_t *)&d->arp_sip, IP4_BYTES);
}

static bool read_arp(struct rte_arp_hdr *arp, const struct ethernet *l)
{
	_Static_assert(sizeof(*arp) == ARP_BYTES, "the header has no padding");
	if (l->type != RTE_ETHER_TYPE_ARP || l->n_bytes < l->l3 + ARP_BYTES)
		return false;
	memcpy(arp, l->frame + l->l3, ARP_BYTES);
	return true;
}

unsigned arp_make_reply(const struct addresses *a, const struct ethernet *l, uint8_t *reply)
{
	struct rte_arp_hdr request, answer;

	if (!read_arp(&request, l) || !is_request_for(a, l, &request))
		return 0;
	answer = request;
	answer.arp_opcode = RTE_BE16(RTE_ARP_OP_REPLY);
	memcpy(&answer.arp_data.arp_sha, a->mac, MAC_BYTES);
	answer.arp_data.arp_sip = request.arp_data.arp_tip;
	answer.arp_data.arp_tha = request.arp_data.arp_sha;
	answer.arp_data.arp_tip = request.arp_data.arp_sip;
	ethernet_write_answer(l, reply, request.arp_data.arp_sha.addr_bytes, a->mac);
	memcpy(reply + l->l3, &answer, ARP_BYTES);
	return ethernet_pad(reply, l->l3 + ARP_BYTES);
}

unsigned arp_make_request(const struct addresses *a, const struct address *target, uint8_t *request)
{
	static const uint8_t all[MAC_BYTES] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	struct rte_arp_hdr arp = {
		.arp_hardware = RTE_BE16(RTE_ARP_HRD_ETHER),
		.arp_protocol = RTE_BE16(RTE_ETHER_TYPE_IPV4),
		.arp_hlen = MAC_BYTES,
		.arp_plen = IP4_BYTES,
		.arp_opcode = RTE_BE16(RTE_ARP_OP_REQUEST),
	};
	unsigned l3;

	memcpy(&arp.arp_data.arp_sha, a->mac, MAC_BYTES);
	addresses_choose_source(a, target, (uint8_t *)&arp.arp_data.arp_sip);
	memcpy(&arp.arp_data.arp_tip, target->bytes, IP4_BYTES);
	l3 = ethernet_write(request, all, a->mac, &target->vlan, RTE_ETHER_TYPE_ARP);
	memcpy(request + l3, &arp, ARP_BYTES);
	return ethernet_pad(request, l3 + ARP_BYTES);
}

bool arp_read_reply(const struct addresses *a, const struct ethernet *l,
		    const struct address *target, uint8_t mac[MAC_BYTES])
{
	struct rte_arp_hdr arp;

	if (!ethernet_is_to(l, a->mac) || !read_arp(&arp, l) || !is_for_ethernet_ip4(&arp) ||
	    arp.arp_opcode != RTE_BE16(RTE_ARP_OP_REPLY) ||
	    memcmp(&arp.arp_data.arp_sip, target->bytes, IP4_BYTES) != 0 ||
	    !ethernet_is_in(l, &target->vlan) ||
	    !addresses_own(a, &l->vlan, (const uint8_t *)&arp.arp_data.arp_tip, IP4_BYTES) ||
	    !rte_is_valid_assigned_ether_addr(&arp.arp_data.arp_sha))
		return false;
	memcpy(mac, &arp.arp_data.arp_sha, MAC_BYTES);
	return true;
}
