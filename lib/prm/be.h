/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PRM_BE_H
#define PRM_BE_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

/**
 * DOC: Big-endian numbers of the device
 *
 * The types are structs, so that the compiler refuses to use a big-endian value as a number. This
 * header works in C11 and C++17.
 */
typedef struct {
	uint16_t raw;
} prm_be16;
typedef struct {
	uint32_t raw;
} prm_be32;
typedef struct {
	uint64_t raw;
} prm_be64;

static inline uint16_t prm_swap16(uint16_t v)
{
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap16(v) : v;
}
static inline uint32_t prm_swap32(uint32_t v)
{
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap32(v) : v;
}
static inline uint64_t prm_swap64(uint64_t v)
{
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap64(v) : v;
}
static inline uint16_t prm_be16_get(prm_be16 v)
{
	return prm_swap16(v.raw);
}
static inline uint32_t prm_be32_get(prm_be32 v)
{
	return prm_swap32(v.raw);
}
static inline uint64_t prm_be64_get(prm_be64 v)
{
	return prm_swap64(v.raw);
}
static inline prm_be16 prm_be16_of(uint16_t v)
{
	prm_be16 r = { prm_swap16(v) };
	return r;
}
static inline prm_be32 prm_be32_of(uint32_t v)
{
	prm_be32 r = { prm_swap32(v) };
	return r;
}
static inline prm_be64 prm_be64_of(uint64_t v)
{
	prm_be64 r = { prm_swap64(v) };
	return r;
}

#endif
