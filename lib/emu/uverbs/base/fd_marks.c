/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/base/fd_marks.h"

#include <stdint.h>

/* The default of Linux' fs.nr_open, which limits the numbers of descriptors. */
enum { N_BITS = 1 << 20, WORD_BITS = 64 };

static uint64_t marks[N_BITS / WORD_BITS];

void uv_fd_mark(int fd)
{
	if (fd >= 0 && fd < N_BITS)
		__atomic_fetch_or(&marks[fd / WORD_BITS], 1ull << fd % WORD_BITS, __ATOMIC_RELAXED);
}

void uv_fd_unmark(int fd)
{
	if (fd >= 0 && fd < N_BITS)
		__atomic_fetch_and(&marks[fd / WORD_BITS], ~(1ull << fd % WORD_BITS),
				   __ATOMIC_RELAXED);
}

bool uv_fd_is_marked(int fd)
{
	if (fd < 0 || fd >= N_BITS)
		return fd >= 0;
	return __atomic_load_n(&marks[fd / WORD_BITS], __ATOMIC_RELAXED) >> fd % WORD_BITS & 1;
}
