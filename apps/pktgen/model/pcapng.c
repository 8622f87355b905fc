/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/pcapng.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/reason.h"

enum block_type {
	BLOCK_INTERFACE = 1,
	BLOCK_OLD_PACKET = 2, /* a packet in files of the first drafts */
	BLOCK_SIMPLE_PACKET = 3,
	BLOCK_PACKET = 6,
	BLOCK_SECTION = PCAPNG_MAGIC,
};

enum option_code { OPTION_END = 0, OPTION_NAME = 2, OPTION_RESOLUTION = 9, OPTION_OFFSET = 14 };

enum {
	BYTE_ORDER_MAGIC = 0x1a2b3c4d,
	HEAD_BYTES = 8,       /* type and length of a block */
	MIN_BLOCK_BYTES = 12, /* the head, and the length again */
	INTERFACE_BYTES = 8,  /* an interface block before its options */
	PACKET_BYTES = 20,    /* a packet block before the packet */
	SIMPLE_PACKET_BYTES = 4,
	MICROSECONDS = 6,
};

/*
 * Times of an interface.
 * @units: units per second
 * @offset: seconds to add
 * @snap_bytes: the most bytes of a simple packet; 0: no limit
 */
struct pcapng_times {
	uint64_t units;
	int64_t offset;
	uint32_t snap_bytes;
};

/* Functions that return text return NULL, or the reason of a refusal. */

static uint16_t get_u16(const struct pcapng *p, uint32_t at)
{
	uint16_t v;

	memcpy(&v, p->block + at, sizeof(v));
	return p->is_swapped ? __builtin_bswap16(v) : v;
}

static uint32_t get_u32(const struct pcapng *p, uint32_t at)
{
	uint32_t v;

	memcpy(&v, p->block + at, sizeof(v));
	return p->is_swapped ? __builtin_bswap32(v) : v;
}

/* ---- blocks ---------------------------------------------------------------------- */

/* Returns the reason why the file gave fewer bytes than a block has. */
static const char *explain_short(const struct pcapng *p)
{
	return ferror(p->file) ? strerror(errno) : "the file ends within a block";
}

static const char *grow_block(struct pcapng *p, uint32_t n_bytes)
{
	uint8_t *more;

	if (n_bytes <= p->n_block)
		return NULL;
	more = realloc(p->block, n_bytes);
	if (!more)
		return "no memory for a block";
	p->block = more;
	p->n_block = n_bytes;
	return NULL;
}

/* Reads the byte order of a section, which begins the body of its block. */
static const char *read_byte_order(struct pcapng *p)
{
	uint32_t magic;

	if (fread(p->block, sizeof(magic), 1, p->file) != 1)
		return explain_short(p);
	memcpy(&magic, p->block, sizeof(magic));
	if (magic != BYTE_ORDER_MAGIC && magic != __builtin_bswap32(BYTE_ORDER_MAGIC))
		return reason_format("a section has byte order 0x%08x", magic);
	p->is_swapped = magic != BYTE_ORDER_MAGIC;
	p->first = p->n_interfaces;
	return NULL;
}

/* Reads the body of a block of @n bytes, of which @n_read are there, and the length at its end. */
static const char *read_body(struct pcapng *p, uint32_t n, uint32_t n_read)
{
	const char *why;

	if (n < MIN_BLOCK_BYTES + n_read || n % 4 || n > PCAPNG_MAX_BLOCK_BYTES)
		return reason_format("a block has %u bytes (valid: %u to %d, a multiple of 4)", n,
				     MIN_BLOCK_BYTES + n_read, PCAPNG_MAX_BLOCK_BYTES);
	p->n_body = n - MIN_BLOCK_BYTES;
	why = grow_block(p, p->n_body + 4);
	if (why)
		return why;
	if (fread(p->block + n_read, p->n_body + 4 - n_read, 1, p->file) != 1)
		return explain_short(p);
	return get_u32(p, p->n_body) == n ? NULL : "the two lengths of a block differ";
}

/* Reads the next block. Returns 1; 0 at the end of the file; or -EINVAL. */
static int read_block(struct pcapng *p, const char **why)
{
	uint32_t n_read = 0, n_bytes;

	*why = grow_block(p, HEAD_BYTES);
	if (*why)
		return -EINVAL;
	n_bytes = (uint32_t)fread(p->block, 1, HEAD_BYTES, p->file);
	if (!n_bytes && feof(p->file))
		return 0;
	if (n_bytes < HEAD_BYTES) {
		*why = explain_short(p);
		return -EINVAL;
	}
	p->type = get_u32(p, 0);
	n_bytes = get_u32(p, 4);
	if (p->type == BLOCK_SECTION) {
		const bool was_swapped = p->is_swapped;

		*why = read_byte_order(p);
		n_read = 4;
		n_bytes = p->is_swapped == was_swapped ? n_bytes : __builtin_bswap32(n_bytes);
	}
	if (!*why)
		*why = read_body(p, n_bytes, n_read);
	return *why ? -EINVAL : 1;
}

/* ---- interfaces ------------------------------------------------------------------ */

/* Reads if_tsresol: a power of 10, or of 2 if the highest bit is set. */
static const char *read_resolution(struct pcapng_times *t, uint8_t value)
{
	const unsigned power = value & 0x7f;

	if (power > (value & 0x80 ? 63 : 19))
		return reason_format("an interface has time resolution 0x%02x", value);
	t->units = value & 0x80 ? 1ull << power : 1;
	for (unsigned i = 0; !(value & 0x80) && i < power; i++)
		t->units *= 10;
	return NULL;
}

static const char *read_option(const struct pcapng *p, uint16_t code, uint32_t at, uint16_t n,
			       struct capture_interface *interface, struct pcapng_times *t)
{
	uint64_t offset;

	if (code == OPTION_NAME)
		snprintf(interface->name, sizeof(interface->name), "%.*s", (int)n,
			 (const char *)p->block + at);
	if (code == OPTION_RESOLUTION && n == 1)
		return read_resolution(t, p->block[at]);
	if (code == OPTION_OFFSET && n == sizeof(offset)) {
		memcpy(&offset, p->block + at, sizeof(offset));
		t->offset = (int64_t)(p->is_swapped ? __builtin_bswap64(offset) : offset);
	}
	return NULL;
}

static const char *read_options(const struct pcapng *p, struct capture_interface *interface,
				struct pcapng_times *t)
{
	uint32_t at = INTERFACE_BYTES;
	const char *why = NULL;

	while (!why && at + 4 <= p->n_body) {
		const uint16_t code = get_u16(p, at), n = get_u16(p, at + 2);

		at += 4;
		if (code == OPTION_END)
			break;
		if (n > p->n_body - at)
			return "an option is longer than its block";
		why = read_option(p, code, at, n, interface, t);
		at += (n + 3u) & ~3u;
	}
	return why;
}

static const char *add_interface(struct pcapng *p)
{
	const unsigned n = p->n_interfaces;
	struct capture_interface *interfaces;
	struct pcapng_times *times;

	if (p->n_body < INTERFACE_BYTES)
		return "the block of an interface is too short";
	if (n == PCAPNG_MAX_INTERFACES)
		return reason_format("more than %d interfaces", PCAPNG_MAX_INTERFACES);
	interfaces = realloc(p->interfaces, (n + 1) * sizeof(*interfaces));
	p->interfaces = interfaces ? interfaces : p->interfaces;
	times = realloc(p->times, (n + 1) * sizeof(*times));
	p->times = times ? times : p->times;
	if (!interfaces || !times)
		return "no memory for an interface";
	interfaces[n] = (struct capture_interface){ .link_type = get_u16(p, 0) };
	times[n].offset = 0;
	times[n].snap_bytes = get_u32(p, 4);
	read_resolution(&times[n], MICROSECONDS);
	p->n_interfaces++;
	return read_options(p, &interfaces[n], &times[n]);
}

/* ---- packets --------------------------------------------------------------------- */

static void set_time(struct pcapng *p, unsigned interface, uint64_t units)
{
	const struct pcapng_times *t = &p->times[interface];
	const unsigned __int128 fraction = units % t->units;

	/* A sum that overflows is a time far away, which the caller refuses. */
	p->seconds = (int64_t)(units / t->units + (uint64_t)t->offset);
	p->ns = (uint32_t)(fraction * 1000000000 / t->units);
}

/* Sets the packet to the @n bytes at @at. @number: its interface in the section */
static const char *set_packet(struct pcapng *p, struct capture_packet *packet, unsigned number,
			      uint32_t at, uint32_t n)
{
	if (number >= p->n_interfaces - p->first)
		return reason_format("a packet is of interface %u, which the file does not "
				     "describe",
				     number);
	if (at > p->n_body || n > p->n_body - at)
		return "a packet is longer than its block";
	packet->interface = p->first + number;
	packet->bytes = p->block + at;
	packet->n_bytes = n;
	return NULL;
}

static const char *read_timed_packet(struct pcapng *p, struct capture_packet *packet)
{
	const bool is_old = p->type == BLOCK_OLD_PACKET; /* with 16 bits of drops */
	const char *why;

	if (p->n_body < PACKET_BYTES)
		return "the block of a packet is too short";
	why = set_packet(p, packet, is_old ? get_u16(p, 0) : get_u32(p, 0), PACKET_BYTES,
			 get_u32(p, 12));
	packet->n_wire_bytes = get_u32(p, 16);
	if (!why)
		set_time(p, packet->interface, (uint64_t)get_u32(p, 4) << 32 | get_u32(p, 8));
	return why;
}

/* A simple packet is of the first interface, and has no time. */
static const char *read_simple_packet(struct pcapng *p, struct capture_packet *packet)
{
	const uint32_t snap = p->n_interfaces > p->first ? p->times[p->first].snap_bytes : 0;
	uint32_t n;

	if (p->n_body < SIMPLE_PACKET_BYTES)
		return "the block of a packet is too short";
	n = packet->n_wire_bytes = get_u32(p, 0);
	return set_packet(p, packet, 0, SIMPLE_PACKET_BYTES, snap && snap < n ? snap : n);
}

int pcapng_read_packet(struct pcapng *p, struct capture_packet *packet, const char **why)
{
	int rc;

	while ((rc = read_block(p, why)) == 1) {
		const bool is_simple = p->type == BLOCK_SIMPLE_PACKET;

		if (p->type == BLOCK_INTERFACE)
			*why = add_interface(p);
		else if (is_simple)
			*why = read_simple_packet(p, packet);
		else if (p->type == BLOCK_PACKET || p->type == BLOCK_OLD_PACKET)
			*why = read_timed_packet(p, packet);
		else
			continue;
		if (*why)
			return -EINVAL;
		if (p->type == BLOCK_INTERFACE)
			continue;
		packet->seconds = p->seconds;
		packet->ns = p->ns;
		p->interfaces[packet->interface].n_packets++;
		return 1;
	}
	return rc;
}

void pcapng_free(struct pcapng *p)
{
	free(p->interfaces);
	free(p->times);
	free(p->block);
	*p = (struct pcapng){ 0 };
}
