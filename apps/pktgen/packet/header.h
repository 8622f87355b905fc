/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_HEADER_H
#define PKTGEN_HEADER_H

#include "packet/pattern.h"

/**
 * DOC: Protocol headers
 *
 * Headers and fields have the names of the Open Traffic Generator model (OTG). OTG lacks SCTP,
 * IPv6 extension headers, Geneve and NVGRE; theirs are the names of RFC 9260, 8200, 8926 and 7637.
 */

/** enum field_auto - the source of the value of a field that the user did not set */
enum field_auto {
	AUTO_NONE,         /* the default of the field */
	AUTO_SRC_MAC,      /* MAC of the sending port */
	AUTO_DST_MAC,      /* MAC of the receiving port */
	AUTO_ETHER_TYPE,   /* Ethernet type of the next header */
	AUTO_IP_PROTOCOL,  /* IP protocol number of the next header */
	AUTO_UDP_PORT,     /* UDP port of the next header */
	AUTO_BOTTOM,       /* 1 if the next header is not MPLS */
	AUTO_HEADER_WORDS, /* length of the header in units of 4 bytes */
	AUTO_OPTION_WORDS, /* length of the options in units of 4 bytes */
	AUTO_FLAG,         /* 1 if the optional part @group is present */
	AUTO_OTHER_FLAG,   /* 0; if the user sets it, the optional part @group is present */
	AUTO_LENGTH,       /* bytes from byte @group of the header to the end of the frame */
	AUTO_SUM_HEADER,   /* Internet checksum of the header */
	AUTO_SUM_PSEUDO,   /* Internet checksum up to the end of the frame, with pseudo header */
	AUTO_SUM,          /* Internet checksum up to the end of the frame */
	AUTO_CRC32C,       /* CRC-32C up to the end of the frame */
};

/**
 * struct header_field - a field of a header
 * @name: its name in OTG
 * @bit, @bits: its width, and its offset in bits in a header with all optional parts
 * @format: notation of its value
 * @autos: source of its value, unless the user sets one
 * @group: for AUTO_LENGTH: byte of the header at which the length begins to count; for AUTO_FLAG
 *   and AUTO_OTHER_FLAG: number of the optional part
 * @value: default
 */
struct header_field {
	const char *name;
	uint16_t bit, bits;
	enum field_format format;
	enum field_auto autos;
	uint16_t group;
	pattern_value value;
};

enum {
	HEADER_NO_PROTOCOL = 255, /* reserved by IANA */
	HEADER_MAX_BYTES = 60,    /* with options and optional parts */
	HEADER_PART_BYTES = 4,    /* an optional part */
	HEADER_MAX_OPTIONS = 40,  /* in IPv4, TCP and Geneve */
	HEADER_MAX_CUSTOM = 256,
	HEADER_LIST_BYTES = 384, /* room for header_list() and header_list_fields() */
};

/**
 * struct header_kind - a protocol header
 * @name: its name in OTG
 * @bytes: length without options, with all optional parts
 * @first_part: byte of the first optional part, of HEADER_PART_BYTES each; 0: the header has none
 * @has_options: options may follow (stack_set_bytes())
 * @ether_type, @ip_protocol, @udp_port: its number in the header before it
 * @under: names of the headers that may come directly before this one
 * @fields, @n_fields: the fields, in wire order. Some overlap ("priority" and "dscp")
 */
struct header_kind {
	const char *name;
	uint16_t bytes, first_part;
	bool has_options;
	uint16_t ether_type;
	uint8_t ip_protocol;
	uint16_t udp_port;
	const char *under;
	const struct header_field *fields;
	unsigned n_fields;
};

/** enum header_id - index of a header in header_kinds */
enum header_id {
	HEADER_ETHERNET,
	HEADER_VLAN,
	HEADER_MPLS,
	HEADER_ARP,
	HEADER_IPV4,
	HEADER_IPV6,
	HEADER_IPV6_HOP_BY_HOP,
	HEADER_IPV6_ROUTING,
	HEADER_IPV6_FRAGMENT,
	HEADER_IPV6_DESTINATION,
	HEADER_UDP,
	HEADER_TCP,
	HEADER_SCTP,
	HEADER_ICMP,
	HEADER_ICMPV6,
	HEADER_GRE,
	HEADER_NVGRE,
	HEADER_VXLAN,
	HEADER_GENEVE,
	HEADER_GTPV1,
	HEADER_KINDS_END,
};

/** header_kinds - all headers. The last element has no name */
extern const struct header_kind header_kinds[];

/** header_custom - raw bytes: a header of any length that may follow and precede any other */
extern const struct header_kind header_custom;

static inline bool header_is(const struct header_kind *kind, enum header_id id)
{
	return kind == &header_kinds[id];
}

static inline bool header_is_ip(const struct header_kind *kind)
{
	return header_is(kind, HEADER_IPV4) || header_is(kind, HEADER_IPV6);
}

/** header_find - find a header by its name of @n characters. Return: the header, or NULL */
const struct header_kind *header_find(const char *name, size_t n);

/** header_find_field - find a field by its name of @n characters. Return: the field, or NULL */
const struct header_field *header_find_field(const struct header_kind *kind, const char *name,
					     size_t n);

/**
 * header_suggest - find the header that the user may mean by an unknown name
 * @name: the name, of @n characters
 *
 * Return: the name of the header whose meaning, initials, part or spelling is that of @name; or
 * NULL
 */
const char *header_suggest(const char *name, size_t n);

/** header_suggest_field - find the field that the user may mean, as header_suggest() */
const char *header_suggest_field(const struct header_kind *kind, const char *name, size_t n);

/** header_list - list the names of all headers. Return: @text */
const char *header_list(char text[HEADER_LIST_BYTES]);

/**
 * header_list_fields - list the names of all fields of a header
 * @options: name of its options, if it can have some
 *
 * Return: @text
 */
const char *header_list_fields(const struct header_kind *kind, const char *options,
			       char text[HEADER_LIST_BYTES]);

static inline bool header_is_flag(const struct header_field *field)
{
	return field->autos == AUTO_FLAG || field->autos == AUTO_OTHER_FLAG;
}

bool header_may_follow(const struct header_kind *kind, const struct header_kind *before);

#endif
