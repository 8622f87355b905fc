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

/* Writes a field of frame @seq. Returns the sum of its words, if the IPv4 checksum covers it. */
static inline uint32_t write_field(const struct flow_field *field, uint64_t seq, uint8_t *frame)
{
	const uint32_t value = pattern_compute(&field->values, seq);
	const uint16_t half = rte_cpu_to_be_16((uint16_t)value);
	const uint32_t whole = rte_cpu_to_be_32(value);

	if (field->bytes == sizeof(half))
		memcpy(frame + field->offset, &half, sizeof(half));
	else
		memcpy(frame + field->offset, &whole, sizeof(whole));
	return field->is_ip ? (whole & UINT16_MAX) + (whole >> 16) : 0;
}

/* Writes the parts of the header that differ between frames: fields, lengths and checksum. */
static inline void write_fields(const struct flow *f, uint64_t seq, uint32_t bytes, uint8_t *frame)
{
	const uint16_t ip_bytes =
		rte_cpu_to_be_16((uint16_t)(bytes - sizeof(struct rte_ether_hdr)));
	const uint16_t udp_bytes = rte_cpu_to_be_16(
		(uint16_t)(bytes - sizeof(struct rte_ether_hdr) - sizeof(struct rte_ipv4_hdr)));
	uint32_t sum = f->ip_sum + ip_bytes;
	uint16_t check;

	for (unsigned i = 0; i < f->n_fields; i++)
		sum += write_field(&f->fields[i], seq, frame);
	sum = (sum & UINT16_MAX) + (sum >> 16);
	check = (uint16_t) ~((sum & UINT16_MAX) + (sum >> 16));
	memcpy(frame + offsetof(struct headers, ip.total_length), &ip_bytes, sizeof(ip_bytes));
	memcpy(frame + offsetof(struct headers, ip.hdr_checksum), &check, sizeof(check));
	memcpy(frame + offsetof(struct headers, udp.dgram_len), &udp_bytes, sizeof(udp_bytes));
}

static inline struct signer make_signer(const struct flow *f, const uint8_t *template,
					uint32_t bytes)
{
	return (struct signer){ template, bytes, FLOW_HEADER_BYTES, f->states[bytes] };
}

/* Does the check of a frame agree with its sequence and time? */
static inline bool is_check_right(const struct signer *s, const uint8_t *variable)
{
	uint32_t check;

	memcpy(&check, variable + SIGN_COVERED_BYTES, sizeof(check));
	return sign_compute_crc(s, variable) == rte_be_to_cpu_32(check);
}

/* Computes the state of the signer for every length, each from the one before. */
static void compute_states(struct flow *f, uint32_t min_bytes)
{
	const uint8_t *constant = f->frame + f->bytes - SIGN_BYTES;
	uint32_t crc = rte_hash_crc(f->frame + FLOW_HEADER_BYTES,
				    min_bytes - SIGN_BYTES - FLOW_HEADER_BYTES, UINT32_MAX);

	for (uint32_t bytes = min_bytes; bytes <= f->bytes; bytes++) {
		f->states[bytes] = rte_hash_crc(constant, SIGN_CONSTANT_BYTES, crc);
		crc = rte_hash_crc_1byte(f->frame[bytes - SIGN_BYTES], crc);
	}
}

/* Prepares a field of the header: one value stays in the header; several are written later. */
static void add_field(struct flow *f, struct headers *h, size_t offset, uint8_t bytes, bool is_ip,
		      const struct pattern *values)
{
	struct flow_field field = { (uint16_t)offset, bytes, is_ip, *values };

	field.values.seed = offset;
	if (values->count == 1)
		write_field(&field, 0, (uint8_t *)h);
	else
		f->fields[f->n_fields++] = field;
}

static void add_fields(struct flow *f, struct headers *h, const struct endpoint *src,
		       const struct endpoint *dst)
{
	f->n_fields = 0;
	add_field(f, h, offsetof(struct headers, ip.src_addr), 4, true, &src->ip);
	add_field(f, h, offsetof(struct headers, ip.dst_addr), 4, true, &dst->ip);
	add_field(f, h, offsetof(struct headers, udp.src_port), 2, false, &src->port);
	add_field(f, h, offsetof(struct headers, udp.dst_port), 2, false, &dst->port);
}

void flow_init(struct flow *f, uint16_t id, const struct endpoint *src, const struct endpoint *dst,
	       const struct size *size)
{
	struct headers h = { 0 };

	f->id = id;
	f->size = *size;
	f->bytes = size->max - PKTGEN_FCS_BYTES;
	memcpy(h.ether.src_addr.addr_bytes, src->mac, sizeof(src->mac));
	memcpy(h.ether.dst_addr.addr_bytes, dst->mac, sizeof(dst->mac));
	h.ether.ether_type = rte_cpu_to_be_16(RTE_ETHER_TYPE_IPV4);

	h.ip.version_ihl = RTE_IPV4_VHL_DEF;
	h.ip.fragment_offset = rte_cpu_to_be_16(RTE_IPV4_HDR_DF_FLAG);
	h.ip.time_to_live = 64;
	h.ip.next_proto_id = IPPROTO_UDP;
	add_fields(f, &h, src, dst);
	f->varies = size->min != size->max || f->n_fields;
	f->ip_sum = rte_raw_cksum(&h.ip, sizeof(h.ip));

	memcpy(f->frame, &h, sizeof(h));
	write_fields(f, 0, f->bytes, f->frame);
	for (uint32_t i = sizeof(h); i < f->bytes; i++)
		f->frame[i] = (uint8_t)(i - sizeof(h));
	signer_init(&f->signer, f->frame, f->bytes, FLOW_HEADER_BYTES, id);
	if (f->varies)
		compute_states(f, size->min - PKTGEN_FCS_BYTES);
}

/* Writes the constant bytes of a frame: all but sequence, time and check. */
static void write_constant(const struct flow *f, uint64_t seq, uint32_t bytes, uint8_t *frame)
{
	memcpy(frame, f->frame, bytes - SIGN_BYTES);
	memcpy(frame + bytes - SIGN_BYTES, f->frame + f->bytes - SIGN_BYTES, SIGN_CONSTANT_BYTES);
	write_fields(f, seq, bytes, frame);
}

void flow_write_frame(const struct flow *f, uint64_t seq, uint32_t bytes, uint32_t time_ns,
		      uint8_t *frame)
{
	const struct signer s = make_signer(f, NULL, bytes);

	write_constant(f, seq, bytes, frame);
	sign_frame(&s, frame, seq, time_ns);
}

/* Copies the fields and the IPv4 checksum: a comparison of both frames ignores them then. */
static void copy_fields(const struct flow *f, const uint8_t *from, uint8_t *to)
{
	const size_t check = offsetof(struct headers, ip.hdr_checksum);

	for (unsigned i = 0; i < f->n_fields; i++)
		memcpy(to + f->fields[i].offset, from + f->fields[i].offset, f->fields[i].bytes);
	memcpy(to + check, from + check, sizeof(uint16_t));
}

/*
 * Reads a frame that is not exactly as it was sent (rare): compares it with a whole frame. If the
 * check fails, the sequence may be wrong, and the fields of its frame say nothing.
 */
static enum sign_verdict read_damaged(const struct flow *f, const uint8_t *frame, uint32_t bytes,
				      uint64_t limit, struct sign_mark *mark)
{
	uint8_t template[PKTGEN_MAX_SIZE];
	enum sign_verdict v;
	struct signer s;

	if (bytes < FLOW_HEADER_BYTES)
		return SIGN_FOREIGN;
	if (bytes + PKTGEN_FCS_BYTES < f->size.min || bytes > f->bytes) {
		write_constant(f, 0, f->bytes, template);
		copy_fields(f, frame, template);
		s = make_signer(f, template, f->bytes);
		return sign_read_damaged(&s, frame, bytes, limit, mark);
	}
	s = make_signer(f, template, bytes);
	*mark = sign_decode_mark(frame + bytes - SIGN_VARIABLE_BYTES);
	write_constant(f, mark->seq, bytes, template);
	if (!is_check_right(&s, frame + bytes - SIGN_VARIABLE_BYTES))
		copy_fields(f, frame, template);
	v = sign_read_damaged(&s, frame, bytes, limit, mark);
	/* The sequence is right only if its frame has this size. */
	return v == SIGN_DAMAGED && flow_compute_bytes(f, mark->seq) != bytes ? SIGN_UNREADABLE : v;
}

/* Is the frame as it was sent, apart from sequence, time and check? */
static inline bool is_constant_intact(const struct flow *f, uint64_t seq, const uint8_t *frame,
				      uint32_t bytes)
{
	uint8_t header[FLOW_HEADER_BYTES];

	memcpy(header, f->frame, sizeof(header));
	write_fields(f, seq, bytes, header);
	return !memcmp(frame, header, sizeof(header)) &&
	       !memcmp(frame + sizeof(header), f->frame + sizeof(header),
		       bytes - SIGN_BYTES - sizeof(header)) &&
	       !memcmp(frame + bytes - SIGN_BYTES, f->frame + f->bytes - SIGN_BYTES,
		       SIGN_CONSTANT_BYTES);
}

enum sign_verdict flow_read_varying(const struct flow *f, const uint8_t *frame, uint32_t bytes,
				    uint64_t limit, struct sign_mark *mark)
{
	if (bytes + PKTGEN_FCS_BYTES >= f->size.min && bytes <= f->bytes) {
		const uint8_t *variable = frame + bytes - SIGN_VARIABLE_BYTES;
		const struct signer s = make_signer(f, NULL, bytes);

		*mark = sign_decode_mark(variable);
		if (mark->seq < limit && flow_compute_bytes(f, mark->seq) == bytes &&
		    is_constant_intact(f, mark->seq, frame, bytes) && is_check_right(&s, variable))
			return SIGN_GOOD;
	}
	return read_damaged(f, frame, bytes, limit, mark);
}
