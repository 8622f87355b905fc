/* SPDX-License-Identifier: BSD-3-Clause */
#include "packet/dissect.h"

#include <string.h>

#include <rte_byteorder.h>
#include <rte_hash_crc.h>

#include "packet/recipe.h"

enum {
	TYPE_PROVIDER_VLAN = 0x88a8, /* IEEE 802.1ad */
	TYPE_OLD_QINQ = 0x9100,      /* an S-tag of devices before 802.1ad */
	TYPE_MPLS_MULTICAST = 0x8848,
	PADDED_WORDS = 2, /* an IPv6 extension header has this many words more than it says */
};

/* ---- fields ---------------------------------------------------------------------- */

static pattern_value read_bits(const uint8_t *at, unsigned bit, unsigned bits)
{
	const unsigned last = bit + bits - 1;
	pattern_value value = 0;
	uint64_t small = 0;

	if (bits <= 56) { /* with the bits of both ends at most 8 bytes; most fields */
		for (unsigned byte = bit / 8; byte <= last / 8; byte++)
			small = small << 8 | at[byte];
		return small >> (7 - last % 8) & (((uint64_t)1 << bits) - 1);
	}
	for (unsigned byte = bit / 8; byte <= last / 8; byte++)
		value = value << 8 | at[byte];
	value >>= 7 - last % 8;
	return bits >= 128 ? value : value & (((pattern_value)1 << bits) - 1);
}

bool dissect_get_field(const struct dissected *h, const struct header_field *field,
		       const uint8_t *frame, pattern_value *value)
{
	const unsigned first = h->kind->first_part, byte = field->bit / 8;
	unsigned before = 0; /* absent bytes before the field */

	if (first && byte >= first) {
		const unsigned part = (byte - first) / HEADER_PART_BYTES;

		if (h->absent >> part & 1)
			return false;
		before = (unsigned)__builtin_popcount(h->absent & ((1u << part) - 1)) *
			 HEADER_PART_BYTES;
	}
	*value = read_bits(frame + h->offset, field->bit - before * 8, field->bits);
	return true;
}

/* Finds the first field with this source of its value. Returns it, or NULL. */
static const struct header_field *find_auto(const struct header_kind *kind, enum field_auto autos)
{
	for (unsigned i = 0; i < kind->n_fields; i++) {
		if (kind->fields[i].autos == autos)
			return &kind->fields[i];
	}
	return NULL;
}

/* Reads the first field with this source of its value. Returns whether the header has one. */
static bool get_auto(const struct dissected *h, enum field_auto autos, const uint8_t *frame,
		     pattern_value *value)
{
	const struct header_field *field = find_auto(h->kind, autos);

	return field && dissect_get_field(h, field, frame, value);
}

static pattern_value get_named(const struct dissected *h, const char *name, const uint8_t *frame)
{
	const struct header_field *field = header_find_field(h->kind, name, strlen(name));
	pattern_value value = 0;

	if (field)
		dissect_get_field(h, field, frame, &value);
	return value;
}

/* ---- find headers ---------------------------------------------------------------- */

static const struct header_kind *find_ether_type(unsigned type)
{
	if (type == TYPE_PROVIDER_VLAN || type == TYPE_OLD_QINQ)
		return &header_kinds[HEADER_VLAN];
	if (type == TYPE_MPLS_MULTICAST)
		return &header_kinds[HEADER_MPLS];
	for (const struct header_kind *kind = header_kinds; kind->name; kind++) {
		if (kind->ether_type && kind->ether_type == type)
			return kind;
	}
	return NULL;
}

static const struct header_kind *find_protocol(unsigned protocol)
{
	for (const struct header_kind *kind = header_kinds; kind->name; kind++) {
		if (kind->ip_protocol != HEADER_NO_PROTOCOL && kind->ip_protocol == protocol)
			return kind;
	}
	return NULL;
}

static const struct header_kind *find_udp_port(unsigned port)
{
	for (const struct header_kind *kind = header_kinds; kind->name; kind++) {
		if (kind->udp_port && kind->udp_port == port)
			return kind;
	}
	return NULL;
}

/* Finds a header without a number: by the version in its first 4 bits, else Ethernet. */
static const struct header_kind *find_by_version(unsigned version, bool may_be_ethernet)
{
	if (version == 4 || version == 6)
		return &header_kinds[version == 4 ? HEADER_IPV4 : HEADER_IPV6];
	return may_be_ethernet ? &header_kinds[HEADER_ETHERNET] : NULL;
}

/* Finds the header after @h, which begins with the byte @next. Returns NULL: no known one. */
static const struct header_kind *find_next(const struct dissected *h, const uint8_t *frame,
					   uint8_t next)
{
	pattern_value value;

	if (get_auto(h, AUTO_ETHER_TYPE, frame, &value))
		return find_ether_type((unsigned)value);
	if (header_is(h->kind, HEADER_IPV4) && get_named(h, "fragment_offset", frame))
		return NULL;
	if (get_auto(h, AUTO_IP_PROTOCOL, frame, &value))
		return find_protocol((unsigned)value);
	if (get_auto(h, AUTO_UDP_PORT, frame, &value))
		return find_udp_port((unsigned)value);
	if (get_auto(h, AUTO_BOTTOM, frame, &value))
		return value ? find_by_version(next >> 4, true) : h->kind;
	if (header_is(h->kind, HEADER_VXLAN))
		return &header_kinds[HEADER_ETHERNET];
	return header_is(h->kind, HEADER_GTPV1) ? find_by_version(next >> 4, false) : NULL;
}

/* Finds the absent optional parts, whose flags are in the first bytes of the header. */
static void find_absent(struct dissected *h, const uint8_t *frame)
{
	if (!h->kind->first_part)
		return;
	for (unsigned part = 0; h->kind->first_part + part * HEADER_PART_BYTES < h->bytes; part++)
		h->absent |= (uint8_t)(1u << part);
	for (unsigned i = 0; i < h->kind->n_fields; i++) {
		const struct header_field *f = &h->kind->fields[i];

		if (header_is_flag(f) && read_bits(frame + h->offset, f->bit, f->bits))
			h->absent &= (uint8_t) ~(1u << f->group);
	}
	h->bytes -= (uint16_t)(__builtin_popcount(h->absent) * HEADER_PART_BYTES);
}

/* Returns the length that the header itself gives; 0: its kind has a fixed one. */
static uint32_t read_length(const struct dissected *h, const uint8_t *frame)
{
	pattern_value words;

	if (get_auto(h, AUTO_HEADER_WORDS, frame, &words))
		return (uint32_t)words * 4;
	if (get_auto(h, AUTO_OPTION_WORDS, frame, &words))
		return h->kind->bytes + (uint32_t)words * 4;
	if (header_is(h->kind, HEADER_IPV6_HOP_BY_HOP) || header_is(h->kind, HEADER_IPV6_ROUTING) ||
	    header_is(h->kind, HEADER_IPV6_DESTINATION))
		return ((uint32_t)get_named(h, "header_length", frame) + 1) * 4 * PADDED_WORDS;
	return 0;
}

/* Returns whether the header is as its protocol allows. @length: from read_length() */
static bool is_sound(const struct dissected *h, const uint8_t *frame, uint32_t length,
		     uint32_t left)
{
	const unsigned version = frame[h->offset] >> 4;

	if ((header_is(h->kind, HEADER_IPV4) && version != 4) ||
	    (header_is(h->kind, HEADER_IPV6) && version != 6))
		return false;
	return !length || (length >= h->bytes && length <= left);
}

void dissect_frame(struct dissection *d, const uint8_t *frame, uint32_t bytes)
{
	const struct header_kind *kind = &header_kinds[HEADER_ETHERNET];

	*d = (struct dissection){ .rest = bytes };
	while (kind && d->n < STACK_MAX_HEADERS) {
		const uint32_t least = kind->first_part ? kind->first_part : kind->bytes;
		struct dissected *h = &d->headers[d->n];
		uint32_t length;

		if (d->rest < least)
			return;
		*h = (struct dissected){ kind, (uint16_t)d->bytes, kind->bytes, 0 };
		find_absent(h, frame);
		if (d->rest < h->bytes)
			return;
		length = read_length(h, frame);
		if (!is_sound(h, frame, length, d->rest)) {
			d->is_broken = true;
			return;
		}
		if (length)
			h->bytes = (uint16_t)length;
		d->n++;
		d->bytes += h->bytes;
		d->rest -= h->bytes;
		if (!d->rest)
			return;
		kind = find_next(h, frame, frame[d->bytes]);
	}
}

bool dissect_is_fragment(const struct dissection *d, const uint8_t *frame)
{
	for (const struct dissected *h = d->headers; h < d->headers + d->n; h++) {
		if ((header_is(h->kind, HEADER_IPV4) || header_is(h->kind, HEADER_IPV6_FRAGMENT)) &&
		    (get_named(h, "more_fragments", frame) ||
		     get_named(h, "fragment_offset", frame)))
			return true;
	}
	return false;
}

/* ---- checksums ------------------------------------------------------------------- */

/* Finds the last IP header before header @i. Returns it, or NULL. */
static const struct dissected *find_ip(const struct dissection *d, unsigned i)
{
	while (i--) {
		const struct dissected *h = &d->headers[i];

		if (header_is_ip(h->kind))
			return h;
	}
	return NULL;
}

/* Returns the end of the packet of an IP header: an offset in the frame. */
static uint32_t find_end(const struct dissected *ip, const uint8_t *frame)
{
	const struct header_field *length = find_auto(ip->kind, AUTO_LENGTH);
	pattern_value value = 0;

	dissect_get_field(ip, length, frame, &value);
	return ip->offset + length->group + (uint32_t)value;
}

static uint64_t sum_pseudo(const struct dissected *ip, const struct dissected *h,
			   const uint8_t *frame, uint32_t length)
{
	const bool is_v4 = header_is(ip->kind, HEADER_IPV4);
	const uint8_t *addresses = frame + ip->offset + (is_v4 ? 12 : 8);

	return recipe_sum_words(addresses, is_v4 ? 8 : 32) +
	       rte_cpu_to_be_16(h->kind->ip_protocol) + rte_cpu_to_be_16((uint16_t)length);
}

static bool is_crc_right(const struct dissected *h, const uint8_t *frame, uint32_t end)
{
	enum { CHECK_AT = 8, CHECK_BYTES = 4 };
	const uint8_t *start = frame + h->offset, zero[CHECK_BYTES] = { 0 };
	uint32_t crc = rte_hash_crc(start, CHECK_AT, UINT32_MAX), check;

	crc = rte_hash_crc(zero, CHECK_BYTES, crc);
	crc = ~rte_hash_crc(start + CHECK_AT + CHECK_BYTES,
			    end - h->offset - CHECK_AT - CHECK_BYTES, crc);
	memcpy(&check, start + CHECK_AT, sizeof(check));
	return check == rte_cpu_to_le_32(crc);
}

static const struct header_field *find_sum(const struct header_kind *kind)
{
	for (unsigned i = 0; i < kind->n_fields; i++) {
		if (kind->fields[i].autos >= AUTO_SUM_HEADER)
			return &kind->fields[i];
	}
	return NULL;
}

bool dissect_has_right_sum(const struct dissection *d, unsigned i, const uint8_t *frame,
			   uint32_t bytes)
{
	const struct dissected *h = &d->headers[i], *ip = find_ip(d, i);
	const struct header_field *field = find_sum(h->kind);
	const uint32_t end = ip ? find_end(ip, frame) : bytes;
	pattern_value check;
	uint64_t sum;

	if (!field || !dissect_get_field(h, field, frame, &check))
		return true;
	if (field->autos == AUTO_SUM_HEADER)
		return recipe_fold_sum(recipe_sum_words(frame + h->offset, h->bytes)) == UINT16_MAX;
	if (end > bytes || end < (uint32_t)h->offset + h->bytes)
		return false;
	if (!check && header_is(h->kind, HEADER_UDP) && (!ip || header_is(ip->kind, HEADER_IPV4)))
		return true;
	if (field->autos == AUTO_CRC32C)
		return is_crc_right(h, frame, end);
	sum = recipe_sum_words(frame + h->offset, end - h->offset);
	if (field->autos == AUTO_SUM_PSEUDO && ip)
		sum += sum_pseudo(ip, h, frame, end - h->offset);
	return recipe_fold_sum(sum) == UINT16_MAX;
}
