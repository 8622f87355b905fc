/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_LINE_H
#define PKTGEN_LINE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/** struct line - a growing text: @n characters in a buffer of @bytes */
struct line {
	char *text;
	size_t bytes, n;
};

/** line_add_text - append formatted text, truncated to the room that is left */
__attribute__((format(printf, 2, 3))) static inline void line_add_text(struct line *l,
								       const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(l->text + l->n, l->bytes - l->n, format, args);
	va_end(args);
	l->n = l->n + (size_t)n < l->bytes ? l->n + (size_t)n : l->bytes - 1;
}

#endif
