/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_FLOW_H
#define PKTGEN_FLOW_H

#include "model/options.h"
#include "model/signature.h"

enum {
	FLOW_HEADER_BYTES = 14 + 20 + 8, /* Ethernet, IPv4 without options, UDP */
};

/** struct flow - a UDP flow. All frames are copies of @frame and differ in their signature only */
struct flow {
	uint16_t id;
	struct signer signer;
	uint8_t frame[PKTGEN_MAX_SIZE]; /* without FCS */
	uint32_t bytes;
};

/**
 * flow_init - make the frame of a flow
 * @f: the flow
 * @id: number of the flow
 * @src, @dst: source and destination; their MACs are set
 * @size: bytes of the frame on the wire, FCS included: PKTGEN_MIN_SIZE to PKTGEN_MAX_SIZE
 *
 * The UDP checksum is 0, which means "no checksum" (RFC 768): the CRC of the signature covers the
 * payload.
 */
void flow_init(struct flow *f, uint16_t id, const struct endpoint *src, const struct endpoint *dst,
	       uint32_t size);

#endif
