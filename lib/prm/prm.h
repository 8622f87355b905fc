/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Access to firmware layouts. Each layout is a C type, so the compiler rejects a field of another
 * layout:
 *
 *	struct prm_create_cq_in in = {0};
 *	struct prm_cqc *cqc = prm_sub(&in, cq_context);
 *
 *	prm_set(&in, opcode, PRM_OP_create_cq);
 *	prm_set(cqc, log_cq_size, 10);
 *
 * Values have host byte order. The buffer consists of big-endian dwords, as firmware reads them.
 */
#ifndef PRM_PRM_H
#define PRM_PRM_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prm/be.h"
#include "prm/status.h"
#include "prm/values.h"

/* ---- layouts as types ------------------------------------------------------- */

enum { PRM_MAX_BYTES = 0x1010 }; /* largest layout: query_hca_cap_out */

#define PRM_BIT(off, hi) (8 * (off) + 31 - (hi))

/*
 * map[] has no storage: the sizes of its members encode the position of each field. sizeof(at) - 1
 * is the bit offset from the start of the layout, sizeof(width) the width in bits, and sizeof(n)
 * the number of elements.
 */
/* clang-format off */
#define LAYOUT(L, bytes) enum { prm_##L##_bytes = (bytes) }; union prm_##L##_map {
#define F(off, hi, lo, name)                                                                \
	struct {                                                                            \
		_Static_assert((off) % 4 == 0 && 31 >= (hi) && (hi) >= (lo) &&              \
			       ((lo) >= 0 || (lo) == -32), #name);                          \
		char at[PRM_BIT(off, hi) + 1], width[(hi) - (lo) + 1];                      \
	} name;
#define S(off, L2, name) struct { char at[(off) * 8 + 1]; struct prm_##L2 type[0]; } name;
#define A(off, w, count, name)                                                              \
	struct {                                                                            \
		_Static_assert((w) == 8 || (w) == 16 || (w) == 32 || (w) == 64, #name);     \
		char at[(off) * 8 + 1], width[w], n[count];                                 \
	} name;
#define SA(off, L2, count, name)                                                            \
	struct { char at[(off) * 8 + 1], n[count]; struct prm_##L2 type[0]; } name;
#define TA(off, w, name) struct { char at[(off) * 8 + 1], width[w], n[1 << 24]; } name;
#define T(off, L2, name)                                                                    \
	struct { char at[(off) * 8 + 1], n[1 << 24]; struct prm_##L2 type[0]; } name;
#define END(L)                                                                              \
	};                                                                                  \
	struct prm_##L { prm_be32 dw[prm_##L##_bytes / 4]; union prm_##L##_map map[]; };    \
	_Static_assert(sizeof(struct prm_##L) == prm_##L##_bytes, #L);                      \
	_Static_assert(sizeof(struct prm_##L) <= PRM_MAX_BYTES, #L);
#include "layouts.def"
/* clang-format on */

/* ---- get, set, sub ---------------------------------------------------------- */

#define prm_bit(p, f) (sizeof((p)->map->f.at) - 1)
#define prm_width(p, f) (sizeof((p)->map->f.width))
#define prm_count(p, f) (sizeof((p)->map->f.n))

/** prm_get - read field @f of layout @p */
#define prm_get(p, f) prm_get_((p)->dw, prm_bit(p, f), prm_width(p, f))
/** prm_set - write @v to field @f of layout @p; @v must fit */
#define prm_set(p, f, v) prm_set_((p)->dw, prm_bit(p, f), prm_width(p, f), (v))
/** prm_sub - get a pointer to the layout embedded in @p as field @f */
#define prm_sub(p, f) ((__typeof__(&(p)->map->f.type[0]))&(p)->dw[prm_bit(p, f) / 32])

/** prm_get_at - read element @i of array or tail @f; @i must be inside the mailbox */
#define prm_get_at(p, f, i)                                                                        \
	prm_get_((p)->dw, prm_elem_(prm_bit(p, f), prm_width(p, f), (i), prm_count(p, f)),         \
		 prm_width(p, f))
/** prm_set_at - write element @i of array or tail @f */
#define prm_set_at(p, f, i, v)                                                                     \
	prm_set_((p)->dw, prm_elem_(prm_bit(p, f), prm_width(p, f), (i), prm_count(p, f)),         \
		 prm_width(p, f), (v))
/** prm_sub_at - get a pointer to layout @i of array or tail @f */
#define prm_sub_at(p, f, i)                                                                        \
	((__typeof__(&(p)->map->f.type[0]))((const char *)(p) +                                    \
					    prm_elem_(prm_bit(p, f),                               \
						      8 * sizeof((p)->map->f.type[0]), (i),        \
						      prm_count(p, f)) /                           \
						    8))
/** prm_bytes - get a pointer to the bytes of @f, an array of 8-bit elements */
#define prm_bytes(p, f)                                                                            \
	(&((__typeof__(prm_const_(p, uint8_t)))(p)                                                 \
		   ->dw)[prm_bit(p, f) / 8 + 0 * sizeof(char[prm_width(p, f) == 8 ? 1 : -1])])
#define prm_const_(p, T) _Generic(&(p)->dw[0], const prm_be32 * : (const T *)0, prm_be32 * : (T *)0)

void prm_value_too_wide(void) __attribute__((error("value does not fit the PRM field")));

static inline __attribute__((always_inline)) size_t prm_elem_(size_t bit, size_t width, size_t i,
							      size_t n)
{
	(void)n;
	assert(i < n);
	return bit + i * width;
}

static inline __attribute__((always_inline)) uint64_t prm_get_(const prm_be32 *dw, size_t bit,
							       size_t width)
{
	dw += bit / 32;
	if (width == 64)
		return (uint64_t)prm_be32_get(dw[0]) << 32 | prm_be32_get(dw[1]);
	return prm_be32_get(dw[0]) >> (32 - bit % 32 - width) & (UINT64_MAX >> (64 - width));
}

static inline __attribute__((always_inline)) void prm_set_(prm_be32 *dw, size_t bit, size_t width,
							   uint64_t v)
{
	const uint64_t max = UINT64_MAX >> (64 - width);
	const unsigned lo = (unsigned)(32 - bit % 32 - width);

	if (__builtin_constant_p(v > max) && v > max)
		prm_value_too_wide();
	assert(v <= max);

	dw += bit / 32;
	if (width == 64) {
		dw[0] = prm_be32_of((uint32_t)(v >> 32));
		dw[1] = prm_be32_of((uint32_t)v);
		return;
	}
	dw[0] = prm_be32_of((prm_be32_get(dw[0]) & ~((uint32_t)max << lo)) | (uint32_t)(v & max)
										     << lo);
}

/* ---- the rows at run time: for traces, checks of reserved bits, and tests ----- */

struct prm_layout;

/** struct prm_row - one row of layouts.def */
struct prm_row {
	const char *name;             /* NULL ends the list */
	uint32_t bit;                 /* offset from the layout's start, in bits */
	uint16_t width;               /* bits of one element; 0 for an embedded layout */
	uint16_t n;                   /* number of elements; 0 for a tail */
	const struct prm_layout *sub; /* the embedded layout, or NULL */
};

/** struct prm_layout - one layout of layouts.def */
struct prm_layout {
	const char *name;
	size_t bytes;  /* without the tail */
	bool is_union; /* the rows may overlap */
	const struct prm_row *rows;
};

#define LAYOUT(L, bytes) extern const struct prm_layout prm_layout_##L;
#define F(off, hi, lo, name)
#define S(off, L2, name)
#define A(off, w, n, name)
#define SA(off, L2, n, name)
#define TA(off, w, name)
#define T(off, L2, name)
#define END(L)
#include "layouts.def"

/** prm_row_bytes - size of one element of @row in bytes, rounded up */
size_t prm_row_bytes(const struct prm_row *row);

/**
 * prm_tail_bytes - size of one element of a layout's tail in bytes; 0: the layout has no tail
 *
 * The tail may belong to an embedded layout at the end: create_sq_in ends with pas[] of wq.
 */
size_t prm_tail_bytes(const struct prm_layout *layout);

/**
 * prm_first_reserved - find the first reserved bit of mailbox @dw that is 1
 * @bytes: length of the mailbox, a multiple of 4; bytes after the layout belong to its tail
 *
 * Return: bit offset from the start of the mailbox, or -1 if all reserved bits are 0
 */
int prm_first_reserved(const struct prm_layout *layout, const prm_be32 *dw, size_t bytes);

/**
 * prm_name_of - write the name of the field that contains a bit
 * @bit: bit offset from the start of the layout
 * @buf: receives a name such as "ctx.wq.pd" or "reserved_at_40", always terminated by 0
 *
 * Return: false if the bit is reserved.
 */
bool prm_name_of(const struct prm_layout *layout, size_t bit, char *buf, size_t bytes);

/**
 * prm_each_set - call @fn for every field of mailbox @dw that is not zero, in the order of the rows
 * @fn: receives the dotted name, the value and @arg; ends the walk by returning other than 0
 *
 * Return: 0, or the value with which @fn ended the walk.
 */
int prm_each_set(const struct prm_layout *layout, const prm_be32 *dw, size_t bytes,
		 int (*fn)(const char *name, uint64_t value, void *arg), void *arg);

/** enum prm_opcode - firmware commands, PRM_OP_<name> */
enum prm_opcode {
#define CMD(op, name) PRM_OP_##name = (op),
#include "commands.def"
};

/** struct prm_command - one row of commands.def */
struct prm_command {
	uint16_t opcode;
	const char *name;
	const struct prm_layout *in, *out;
};

/** prm_command_of - find the row of an opcode; NULL for an unknown opcode */
const struct prm_command *prm_command_of(uint16_t opcode);

/** prm_status_name - get the name of a status, such as "BAD_PARAM"; "?" for an unknown status */
const char *prm_status_name(uint8_t status);

#endif
