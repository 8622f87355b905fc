/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/flow.h"

#include <netinet/in.h>

#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_udp.h>

struct headers {
	struct rte_ether_hdr ether;
	struct rte_ipv4_hdr ip;
	struct rte_udp_hdr udp;
} __attribute__((packed, aligned(2)));
_Static_assert(sizeof(struct headers) == FLOW_HEADER_BYTES, "the header has no holes");
_Static_assert(FLOW_HEADER_BYTES + SIGN_BYTES + PKTGEN_FCS_BYTES == PKTGEN_MIN_SIZE,
	       "the smallest frame holds header and signature exactly");

void flow_init(struct flow *f, uint16_t id, const struct endpoint *src, const struct endpoint *dst,
	       uint32_t size)
{
	struct headers h = { 0 };

	f->id = id;
	f->bytes = size - PKTGEN_FCS_BYTES;
	memcpy(h.ether.src_addr.addr_bytes, src->mac, sizeof(src->mac));
	memcpy(h.ether.dst_addr.addr_bytes, dst->mac, sizeof(dst->mac));
	h.ether.ether_type = rte_cpu_to_be_16(RTE_ETHER_TYPE_IPV4);

	h.ip.version_ihl = RTE_IPV4_VHL_DEF;
	h.ip.total_length = rte_cpu_to_be_16((uint16_t)(f->bytes - sizeof(h.ether)));
	h.ip.fragment_offset = rte_cpu_to_be_16(RTE_IPV4_HDR_DF_FLAG);
	h.ip.time_to_live = 64;
	h.ip.next_proto_id = IPPROTO_UDP;
	h.ip.src_addr = rte_cpu_to_be_32(src->ip);
	h.ip.dst_addr = rte_cpu_to_be_32(dst->ip);
	h.ip.hdr_checksum = rte_ipv4_cksum(&h.ip);

	h.udp.src_port = rte_cpu_to_be_16(src->port);
	h.udp.dst_port = rte_cpu_to_be_16(dst->port);
	h.udp.dgram_len = rte_cpu_to_be_16((uint16_t)(f->bytes - sizeof(h.ether) - sizeof(h.ip)));

	memcpy(f->frame, &h, sizeof(h));
	for (uint32_t i = sizeof(h); i < f->bytes; i++)
		f->frame[i] = (uint8_t)(i - sizeof(h));
	signer_init(&f->signer, f->frame, f->bytes, FLOW_HEADER_BYTES, id);
}
