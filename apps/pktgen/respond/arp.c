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

static bool is_request_for(const struct addresses *a, const struct link *l,
			   const struct rte_arp_hdr *arp)
{
	const struct rte_arp_ipv4 *d = &arp->arp_data;
	const bool is_to_us = link_is_broadcast(l) || link_is_to(l, a->mac);

	return is_to_us && is_for_ethernet_ip4(arp) &&
	       arp->arp_opcode == RTE_BE16(RTE_ARP_OP_REQUEST) &&
	       !rte_is_multicast_ether_addr(&d->arp_sha) && !rte_is_zero_ether_addr(&d->arp_sha) &&
	       addresses_own(a, (const uint8_t *)&d->arp_tip, IP4_BYTES) &&
	       !addresses_own(a, (const uint8_t *)&d->arp_sip, IP4_BYTES);
}

unsigned arp_make_reply(const struct addresses *a, const struct link *l, uint8_t *reply)
{
	struct rte_arp_hdr request, answer;

	_Static_assert(sizeof(request) == ARP_BYTES, "the header has no padding");
	if (l->type != RTE_ETHER_TYPE_ARP || l->n_bytes < l->l3 + ARP_BYTES)
		return 0;
	memcpy(&request, l->frame + l->l3, ARP_BYTES);
	if (!is_request_for(a, l, &request))
		return 0;
	answer = request;
	answer.arp_opcode = RTE_BE16(RTE_ARP_OP_REPLY);
	memcpy(&answer.arp_data.arp_sha, a->mac, MAC_BYTES);
	answer.arp_data.arp_sip = request.arp_data.arp_tip;
	answer.arp_data.arp_tha = request.arp_data.arp_sha;
	answer.arp_data.arp_tip = request.arp_data.arp_sip;
	link_write_answer(l, reply, request.arp_data.arp_sha.addr_bytes, a->mac);
	memcpy(reply + l->l3, &answer, ARP_BYTES);
	return link_pad(reply, l->l3 + ARP_BYTES);
}
