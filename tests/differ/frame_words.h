/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DIFFER_FRAME_WORDS_H
#define DIFFER_FRAME_WORDS_H

#include "frame.h"

enum { FRAME_WORD_MAX = 24, FRAME_IP6_BYTES = 40 };

/** struct frame_word - a word of a text, such as vlan:100; suffix is the rest of the word */
struct frame_word {
	char name[FRAME_WORD_MAX];
	const char *suffix;
	unsigned int suffix_bytes;
};

/**
 * struct frame_header - a header that a word stands for
 * @protocol: its number in the header in front of it: an Ethernet type or a number of IP
 * @port: UDP port of a tunnel, or 0
 * @option: suffix that makes the header @option_bytes longer, or NULL
 * @fill: writes a header that is all zero
 */
struct frame_header {
	const char *name;
	enum frame_kind kind;
	uint16_t bytes, protocol, port;
	const char *option;
	uint16_t option_bytes;
	void (*fill)(uint8_t *p, const struct frame_word *w);
};

/** frame_word_has - whether a word has the suffix @suffix, such as "!sum" */
bool frame_word_has(const struct frame_word *w, const char *suffix);
/** frame_word_get_number - get the number after the colon of a word, or @otherwise */
unsigned int frame_word_get_number(const struct frame_word *w, unsigned int otherwise);
/** frame_header_find - find the header of a word, or NULL */
const struct frame_header *frame_header_find(const char *name);

static inline void write_be16(uint8_t *p, unsigned int value)
{
	p[0] = (uint8_t)(value >> 8);
	p[1] = (uint8_t)value;
}

static inline unsigned int read_be16(const uint8_t *p)
{
	return (unsigned int)p[0] << 8 | p[1];
}

#endif
