/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_FLOW_H
#define PKTGEN_FLOW_H

#include "model/options.h"
#include "model/signature.h"

enum {
	FLOW_HEADER_BYTES = 14 + 20 + 8, /* Ethernet, IPv4 without options, UDP */
};

/** struct flow - a UDP flow: one frame, of which only the signature varies */
struct flow {
	uint16_t id;
	struct signer signer;
	uint8_t frame[PKTGEN_MAX_SIZE]; /* without FCS */
	uint32_t bytes;
};

/**
 * flow_init - make the frame of a flow
 * @f: the flow
 * @id: its number
 * @src: where from. @dst: where to; both with their MAC
 * @size: of the frame on the wire, FCS included: PKTGEN_MIN_SIZE to PKTGEN_MAX_SIZE
 *
 * The UDP checksum is 0, "none was made" (RFC 768): the signature's CRC covers the payload.
 */
void flow_init(struct flow *f, uint16_t id, const struct endpoint *src, const struct endpoint *dst,
	       uint32_t size);

#endif
