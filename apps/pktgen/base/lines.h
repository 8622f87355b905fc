/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_LINES_H
#define PKTGEN_LINES_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/**
 * lines_calloc - allocate an array for threads that write to different elements
 * @n: number of elements
 * @bytes: size of an element, a multiple of @align
 * @align: alignment of an element, at least a cache line: elements share no cache line
 *
 * Return: zeroed memory to free(), or NULL: no memory
 */
static inline void *lines_calloc(size_t n, size_t bytes, size_t align)
{
	void *memory = aligned_alloc(align, n * bytes);

	return memory ? memset(memory, 0, n * bytes) : NULL;
}

#endif
