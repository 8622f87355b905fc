/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_FLOW_H
#define PKTGEN_FLOW_H

#include "model/options.h"
#include "model/signature.h"

enum {
	FLOW_HEADER_BYTES = 14 + 20 + 8, /* Ethernet, IPv4 without options, UDP */
	FLOW_MAX_FIELDS = 4,
};

/**
 * struct flow_field - a field of the header whose value differs from frame to frame
 * @offset, @bytes: its place in the frame; 2 or 4 bytes
 * @is_ip: the checksum of the IPv4 header covers the field
 */
struct flow_field {
	uint16_t offset;
	uint8_t bytes;
	bool is_ip;
	struct pattern values;
};

/**
 * struct flow - a UDP flow. A frame is a function of its sequence number and of the time
 * @id: number of the flow
 * @size: sizes of the frames
 * @varies: the frames differ in more than their signature: they have several sizes, or @fields
 * @signer: signs and reads the longest frame; all frames, unless @varies
 * @frame: the longest frame, without FCS. A shorter frame has the same bytes before its signature,
 *   apart from the lengths and the checksum in its header. The fields are those of frame 0
 * @bytes: length of @frame
 * @ip_sum: sum of the 16-bit words of the IPv4 header, without length, checksum and fields
 * @fields, @n_fields: fields whose value differs from frame to frame
 * @states: by length of a frame without FCS: the state of its signer. Set if @varies
 */
struct flow {
	uint16_t id;
	struct size size;
	bool varies;
	struct signer signer;
	uint8_t frame[PKTGEN_MAX_SIZE];
	uint32_t bytes;
	uint32_t ip_sum;
	unsigned n_fields;
	struct flow_field fields[FLOW_MAX_FIELDS];
	uint32_t states[PKTGEN_MAX_SIZE];
};

/**
 * flow_init - make the frames of a flow
 * @f: the flow
 * @id: number of the flow
 * @src, @dst: source and destination; their MACs are set
 * @size: sizes of the frames: PKTGEN_MIN_SIZE to PKTGEN_MAX_SIZE
 *
 * The UDP checksum is 0, which means "no checksum" (RFC 768): the CRC of the signature covers the
 * payload.
 */
void flow_init(struct flow *f, uint16_t id, const struct endpoint *src, const struct endpoint *dst,
	       const struct size *size);

/** flow_compute_bytes - compute the length of frame @seq, without FCS */
static inline uint32_t flow_compute_bytes(const struct flow *f, uint64_t seq)
{
	return f->size.min != f->size.max ? size_compute(&f->size, seq) - PKTGEN_FCS_BYTES
					  : f->bytes;
}

/** flow_write_frame - write a whole frame of @bytes (flow_compute_bytes()), signed */
void flow_write_frame(const struct flow *f, uint64_t seq, uint32_t bytes, uint32_t time_ns,
		      uint8_t *frame);

/** flow_read_varying - flow_read_frame() for a flow that varies */
enum sign_verdict flow_read_varying(const struct flow *f, const uint8_t *frame, uint32_t bytes,
				    uint64_t limit, struct sign_mark *mark);

/** flow_read_frame - sign_read_frame() for a flow: also verifies size and fields */
static inline enum sign_verdict flow_read_frame(const struct flow *f, const uint8_t *frame,
						uint32_t bytes, uint64_t limit,
						struct sign_mark *mark)
{
	if (f->varies)
		return flow_read_varying(f, frame, bytes, limit, mark);
	return sign_read_frame(&f->signer, frame, bytes, limit, mark);
}

#endif
