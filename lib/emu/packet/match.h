/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PACKET_MATCH_H
#define EMU_PACKET_MATCH_H

#include <arpa/inet.h>
#include <string.h>

#include "emu/packet/parse.h"
#include "prm/prm.h"

enum { EMU_MATCH_DWORDS = prm_fte_match_param_bytes / 4 };

/** emu_match_dword - value of dword @dw of fte_match_param for a frame; host-endian */
uint32_t emu_match_dword(unsigned dw, const struct emu_frame *f, const struct emu_parsed *p);

/** emu_match_supported - whether emu_match_dword() supports all bits of @mask in dword @dw */
bool emu_match_supported(unsigned dw, uint32_t mask);

/**
 * DOC: Layers of a match
 *
 * fte_match_param has a layer for the outer headers and one for the inner headers, with the same
 * fields. The dwords of a layer are numbered from its start.
 */

#define EMU_LAYER ((const struct prm_fte_match_set_lyr_2_4 *)0)
#define EMU_LAYER_DWORDS (prm_fte_match_set_lyr_2_4_bytes / 4)

/*
 * EMU_FIELD_DW: index, within @part, of the dword that contains a field. EMU_FIELD_PUT: a value,
 * shifted to the place of the field. EMU_FIELD_ONES: the largest value of the field.
 * EMU_FIELD_ALL: all bits of the field, at its place.
 */
#define EMU_FIELD_DW(part, field) (prm_bit(part, field) / 32)
#define EMU_FIELD_PUT(part, field, v)                                                              \
	((uint32_t)(v) << (32 - prm_bit(part, field) % 32 - prm_width(part, field)))
#define EMU_FIELD_ONES(part, field) ((uint32_t)(UINT64_MAX >> (64 - prm_width(part, field))))
#define EMU_FIELD_ALL(part, field) EMU_FIELD_PUT(part, field, EMU_FIELD_ONES(part, field))

/** emu_match_be16, emu_match_be32 - read a number in network byte order */
static inline uint16_t emu_match_be16(const uint8_t *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return ntohs(v);
}

static inline uint32_t emu_match_be32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return ntohl(v);
}

/** emu_match_layer_dword - value of dword @dw of a layer for the headers @h; host-endian */
uint32_t emu_match_layer_dword(unsigned dw, const struct emu_frame *f, const struct emu_headers *h);

#endif
