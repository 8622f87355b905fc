/* SPDX-License-Identifier: BSD-3-Clause */
#undef _FILE_OFFSET_BITS /* with it the headers rename open and mmap to open64 and mmap64 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "devx_rig_faults.h"

static __thread int64_t left = -1;  /* allocations before the one that fails; < 0: none fails */
static __thread int64_t live;       /* allocations minus frees */
static __thread unsigned in_kernel; /* nesting depth of system calls */
static int ioctl_error;

static void *(*next_malloc)(size_t);
static void *(*next_calloc)(size_t, size_t);
static void *(*next_realloc)(void *, size_t);
static void *(*next_aligned_alloc)(size_t, size_t);
static int (*next_posix_memalign)(void **, size_t, size_t);
static void (*next_free)(void *);
static int (*next_ioctl)(int, unsigned long, ...);
static int (*next_open)(const char *, int, ...);
static int (*next_close)(int);
static void *(*next_mmap)(void *, size_t, int, int, int, off_t);
static int (*next_munmap)(void *, size_t);

/* Memory for allocations of dlsym() while it looks up the malloc of the C library. */
static _Alignas(16) char early[16384];
static size_t early_used;

static bool is_early(const void *p)
{
	return (const char *)p >= early && (const char *)p < early + sizeof(early);
}

static void *alloc_early(size_t bytes)
{
	void *p = early + early_used;

	bytes = (bytes + 15) / 16 * 16;
	if (bytes > sizeof(early) - early_used)
		return NULL;
	early_used += bytes;
	return p;
}

/* ISO C converts no object pointer to a function pointer; POSIX allows it in this form. */
static void find_symbol(void *fn, const char *name)
{
	*(void **)fn = dlsym(RTLD_NEXT, name);
}

static bool resolve_symbols(void)
{
	static bool busy;

	if (next_ioctl)
		return true;
	if (busy)
		return false;
	busy = true;
	find_symbol(&next_calloc, "calloc");
	find_symbol(&next_realloc, "realloc");
	find_symbol(&next_aligned_alloc, "aligned_alloc");
	find_symbol(&next_posix_memalign, "posix_memalign");
	find_symbol(&next_free, "free");
	find_symbol(&next_malloc, "malloc");
	find_symbol(&next_open, "open");
	find_symbol(&next_close, "close");
	find_symbol(&next_mmap, "mmap");
	find_symbol(&next_munmap, "munmap");
	find_symbol(&next_ioctl, "ioctl");
	busy = false;
	return true;
}

void devx_rig_fail_alloc(int64_t k)
{
	left = k;
}

void devx_rig_fail_ioctls(int err)
{
	ioctl_error = err;
}

int64_t devx_rig_get_pending_fault(void)
{
	return left;
}

int64_t devx_rig_count_live(void)
{
	return live;
}

/* Counts one allocation of the calling thread; returns true if it must fail. */
static bool should_fail(void)
{
	if (in_kernel || left < 0)
		return false;
	if (left--)
		return false;
	errno = ENOMEM;
	return true;
}

static void *count_alloc(void *p)
{
	live += p && !in_kernel;
	return p;
}

void *malloc(size_t bytes)
{
	if (!resolve_symbols())
		return alloc_early(bytes);
	return should_fail() ? NULL : count_alloc(next_malloc(bytes));
}

void *calloc(size_t n, size_t bytes)
{
	if (!resolve_symbols())
		return alloc_early(n * bytes); /* static storage is zero */
	return should_fail() ? NULL : count_alloc(next_calloc(n, bytes));
}

void *realloc(void *old, size_t bytes)
{
	if (!old)
		return malloc(bytes);
	if (is_early(old)) {
		void *p = malloc(bytes);

		if (p)
			memcpy(p, old,
			       bytes < (size_t)(early + sizeof(early) - (char *)old)
				       ? bytes
				       : (size_t)(early + sizeof(early) - (char *)old));
		return p;
	}
	return should_fail() ? NULL : next_realloc(old, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
	if (!resolve_symbols())
		return NULL;
	return should_fail() ? NULL : count_alloc(next_aligned_alloc(alignment, bytes));
}

int posix_memalign(void **p, size_t alignment, size_t bytes)
{
	int rc;

	if (!resolve_symbols() || should_fail())
		return ENOMEM;
	rc = next_posix_memalign(p, alignment, bytes);
	if (!rc)
		count_alloc(*p);
	return rc;
}

void free(void *p)
{
	if (!p || is_early(p) || !resolve_symbols())
		return;
	live -= !in_kernel;
	next_free(p);
}

/* ---- system calls: allocations inside them belong to the kernel or emu ---------- */

int ioctl(int fd, unsigned long request, ...)
{
	va_list ap;
	void *arg;
	int rc;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (ioctl_error) {
		errno = ioctl_error;
		return -1;
	}
	resolve_symbols();
	in_kernel++;
	rc = next_ioctl(fd, request, arg);
	in_kernel--;
	return rc;
}

int open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list ap;
	int fd;

	va_start(ap, flags);
	if (flags & (O_CREAT | O_TMPFILE))
		mode = va_arg(ap, mode_t);
	va_end(ap);
	resolve_symbols();
	in_kernel++;
	fd = next_open(path, flags, mode);
	in_kernel--;
	return fd;
}

int close(int fd)
{
	int rc;

	resolve_symbols();
	in_kernel++;
	rc = next_close(fd);
	in_kernel--;
	return rc;
}

void *mmap(void *addr, size_t bytes, int prot, int flags, int fd, off_t offset)
{
	void *p;

	resolve_symbols();
	in_kernel++;
	p = next_mmap(addr, bytes, prot, flags, fd, offset);
	in_kernel--;
	return p;
}

int munmap(void *addr, size_t bytes)
{
	int rc;

	resolve_symbols();
	in_kernel++;
	rc = next_munmap(addr, bytes);
	in_kernel--;
	return rc;
}

/* The names that code built with _FILE_OFFSET_BITS=64 calls. */
int open64(const char *path, int flags, ...) __attribute__((alias("open")));
void *mmap64(void *addr, size_t bytes, int prot, int flags, int fd, off_t offset)
	__attribute__((alias("mmap")));
