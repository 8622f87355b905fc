/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_BASE_LIBC_H
#define EMU_UVERBS_BASE_LIBC_H

#include <dlfcn.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/types.h>

/**
 * DOC: Interposed names
 *
 * libdevx-emu.so defines the libc functions with which a program accesses uverbs files. The front
 * serves open() of a uverbs file, and uverbs ioctls. Every other call goes to the libc function of
 * the same name, sometimes with another path (preload/path.h). For a uverbs file, the front then
 * changes the result of fstat(), and frees the file after the last close().
 *
 * A process that devx-emu did not launch has no emulated uverbs files. The front itself calls the
 * functions of libc as uv_real_*(), which bypass the interposed names.
 */

#define EXPORT __attribute__((visibility("default")))

/*
 * Returns libc's definition of an interposed name. Each place of use looks the name up once. Two
 * threads that do so at the same time find the same address, so no lock is needed.
 */
#define REAL(name)                                                                                 \
	({                                                                                         \
		static __typeof__(&name) real_;                                                    \
		if (!__atomic_load_n(&real_, __ATOMIC_RELAXED))                                    \
			__atomic_store_n(&real_, (__typeof__(&name))dlsym(RTLD_NEXT, #name),       \
					 __ATOMIC_RELAXED);                                        \
		real_;                                                                             \
	})

int uv_real_open(const char *path, int flags, mode_t mode);
int uv_real_close(int fd);
int uv_real_sigaction(int sig, const struct sigaction *act, struct sigaction *old);
int uv_real_fstat(int fd, struct stat *st);
int uv_real_fstatat(int dir, const char *path, struct stat *st, int flags);
int uv_real_ioctl(int fd, unsigned long cmd, void *arg);
void *uv_real_mmap(void *addr, size_t bytes, int prot, int flags, int fd, off_t off);
int uv_real_munmap(void *addr, size_t bytes);
ssize_t uv_real_read(int fd, void *buf, size_t bytes);
ssize_t uv_real_write(int fd, const void *buf, size_t bytes);

#endif
