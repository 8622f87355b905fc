/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_STACK_H
#define PKTGEN_STACK_H

#include "packet/header.h"

/**
 * DOC: Header stacks
 *
 * A stack is the list of protocol headers of a frame, outermost first, with the patterns of the
 * fields that the user set. A function that takes input of the user returns NULL, or the reason of
 * a refusal. The reason is valid until the next call of this thread.
 */

enum {
	STACK_MAX_HEADERS = 16,
	STACK_MAX_FIELDS = 64,
	STACK_MAX_BYTES = 512,   /* length of all headers */
	STACK_TEXT_BYTES = 2048, /* room for stack_format() */
};

/**
 * struct stack_header - a header of a stack
 * @more, @n_more: the options that follow it; for header_custom, its bytes
 */
struct stack_header {
	const struct header_kind *kind;
	uint16_t n_more;
	uint8_t more[HEADER_MAX_CUSTOM];
};

/**
 * struct stack_field - a field that the user set
 * @header: index of its header
 * @is_bad: a checksum that is wrong in every frame (OTG: generated: bad); @values is ignored
 */
struct stack_field {
	unsigned header;
	const struct header_field *field;
	bool is_bad;
	struct pattern values;
};

/**
 * struct stack - headers and fields of a frame; all zero: none. Free it with stack_free()
 * @lacks_memory: there was no memory for a header or a field, which is missing
 */
struct stack {
	unsigned n_headers, n_fields;
	struct stack_header *headers;
	struct stack_field *fields;
	bool lacks_memory;
};

const char *stack_add_header(struct stack *s, const struct header_kind *kind);

/** stack_set_field - set a field of the header with index @header. Copies @values */
const char *stack_set_field(struct stack *s, unsigned header, const struct header_field *field,
			    const struct pattern *values);

/** stack_set_bad - make a checksum wrong in every frame */
const char *stack_set_bad(struct stack *s, unsigned header, const struct header_field *field);

/** stack_set_bytes - set the options of a header that has them, or the bytes of header_custom */
const char *stack_set_bytes(struct stack *s, unsigned header, const uint8_t *bytes, unsigned n);

/** stack_set_hex - stack_set_bytes() for hexadecimal digits, two for each byte */
const char *stack_set_hex(struct stack *s, unsigned header, const char *text);

/** stack_find_field - find a field that the user set. Return: NULL if it has its default */
const struct stack_field *stack_find_field(const struct stack *s, unsigned header,
					   const struct header_field *field);

/** stack_check - check that the stack is complete, after its last header and field */
const char *stack_check(const struct stack *s);

/**
 * stack_parse - make a stack from text
 * @s: receives the stack, also after a refusal
 * @text: "ethernet/vlan(id=5)/ipv4(src=10.0.0.1-10.0.0.9,dst=10.1.0.1;10.1.0.2)/udp(checksum=bad)".
 *   A value has the syntax of pattern_parse(), with ";" in place of ","; the field "options", or
 *   "bytes" of custom, takes hexadecimal digits
 */
const char *stack_parse(struct stack *s, const char *text);

/** stack_format - write the text that stack_parse() reads */
void stack_format(const struct stack *s, char *text, size_t bytes);

/** stack_set_macs - set the MAC addresses that the user did not set */
void stack_set_macs(struct stack *s, const uint8_t src[6], const uint8_t dst[6]);

/**
 * struct stack_ip - an IP header with only Ethernet and VLAN tags before it
 * @header: its index
 * @offset: its offset in the frame
 */
struct stack_ip {
	unsigned header, offset;
	bool is_v6;
};

/** stack_find_ip - find the IP header that a router reads. Return: whether there is one */
bool stack_find_ip(const struct stack *s, struct stack_ip *ip);

/**
 * stack_set_ips - set the IP addresses of a header that the user did not set
 * @ip: the header, from stack_find_ip()
 * @src, @dst: 4 or 16 bytes, in network byte order; NULL: keep the default
 */
void stack_set_ips(struct stack *s, const struct stack_ip *ip, const uint8_t *src,
		   const uint8_t *dst);

/** stack_reverse - exchange source and destination of all headers that have both */
void stack_reverse(struct stack *s);

/** stack_copy - copy a stack; without memory, @to has no headers. Free both */
void stack_copy(struct stack *to, const struct stack *from);

/** stack_free - free headers and fields; @s is all zero afterwards */
void stack_free(struct stack *s);

#endif
