/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The libc names that a program reaches the kernel by. Each does what libc's does, unless
 * the path or the descriptor is one of our uverbs files; not launched by devx-emu, none is.
 */
#undef _FILE_OFFSET_BITS /* open() is open() here, not another name for open64() */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <rdma/rdma_user_ioctl_cmds.h>

#include "emu/uverbs/call.h"
#include "emu/uverbs/real.h"

#define EXPORT __attribute__((visibility("default")))

/* The next definition of an interposed name. Looked up once a name; dlsym needs no lock of ours. */
#define REAL(name)                                                                          \
	({                                                                                  \
		static __typeof__(&name) real_;                                             \
		if (!__atomic_load_n(&real_, __ATOMIC_RELAXED))                             \
			__atomic_store_n(&real_, (__typeof__(&name))dlsym(RTLD_NEXT, #name), \
					 __ATOMIC_RELAXED);                                 \
		real_;                                                                      \
	})

int uv_real_open(const char *path, int flags, mode_t mode) { return REAL(open)(path, flags, mode); }
int uv_real_close(int fd) { return REAL(close)(fd); }
int uv_real_fstat(int fd, struct stat *st) { return REAL(fstat)(fd, st); }
int uv_real_ioctl(int fd, unsigned long cmd, void *arg) { return REAL(ioctl)(fd, cmd, arg); }

void *uv_real_mmap(void *addr, size_t bytes, int prot, int flags, int fd, off_t off)
{
	return REAL(mmap)(addr, bytes, prot, flags, fd, off);
}

/* ---- the character device ---------------------------------------------------------- */

static bool active(void)
{
	uv_start();
	return uv_front.shared;
}

/* Return: the port whose uverbs file the path names, or -1 */
static int port_of(const char *path)
{
	unsigned major_no, n;
	char end;

	if (!path || strncmp(path, "/dev/", 5) || !active())
		return -1;
	if (sscanf(path, "/dev/infiniband/uverbs%u%c", &n, &end) == 1)
		return n < uv_front.shared->n_ports ? (int)n : -1;
	if (sscanf(path, "/dev/char/%u:%u%c", &major_no, &n, &end) == 2 && major_no == EMU_CDEV_MAJOR &&
	    n >= EMU_CDEV_MINOR)
		return n - EMU_CDEV_MINOR < uv_front.shared->n_ports ? (int)(n - EMU_CDEV_MINOR) : -1;
	return -1;
}

static void be_cdev(struct stat *st, int port)
{
	st->st_mode = S_IFCHR | 0666;
	st->st_rdev = makedev(EMU_CDEV_MAJOR, EMU_CDEV_MINOR + (unsigned)port);
	st->st_size = 0;
	st->st_nlink = 1;
}

static void stat_path(struct stat *st, int port)
{
	memset(st, 0, sizeof(*st));
	st->st_uid = geteuid();
	st->st_gid = getegid();
	st->st_blksize = 4096;
	be_cdev(st, port);
}

/* Return: a descriptor, or -1 with errno, as open() */
static int open_cdev(int port, int flags)
{
	int fd;

	uv_lock();
	fd = uv_open((unsigned)port, flags);
	uv_unlock();
	if (fd >= 0)
		return fd;
	errno = -fd;
	return -1;
}

/* ---- open ---------------------------------------------------------------------------- */

#define NEEDS_MODE(flags) ((flags) & O_CREAT || ((flags) & O_TMPFILE) == O_TMPFILE)
#define MODE_ARG(flags, last, mode)                                                         \
	mode_t mode = 0;                                                                    \
	if (NEEDS_MODE(flags)) {                                                            \
		va_list args;                                                               \
		va_start(args, last);                                                       \
		mode = va_arg(args, mode_t);                                                \
		va_end(args);                                                               \
	}

EXPORT int open(const char *path, int flags, ...)
{
	const int port = port_of(path);
	MODE_ARG(flags, flags, mode)

	return port >= 0 ? open_cdev(port, flags) : REAL(open)(path, flags, mode);
}

EXPORT int open64(const char *path, int flags, ...)
{
	const int port = port_of(path);
	MODE_ARG(flags, flags, mode)

	return port >= 0 ? open_cdev(port, flags) : REAL(open64)(path, flags, mode);
}

EXPORT int openat(int dir, const char *path, int flags, ...)
{
	const int port = port_of(path);
	MODE_ARG(flags, flags, mode)

	return port >= 0 ? open_cdev(port, flags) : REAL(openat)(dir, path, flags, mode);
}

EXPORT int openat64(int dir, const char *path, int flags, ...)
{
	const int port = port_of(path);
	MODE_ARG(flags, flags, mode)

	return port >= 0 ? open_cdev(port, flags) : REAL(openat64)(dir, path, flags, mode);
}

/* What fortified programs call, where no mode can be missing. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int dir, const char *path, int flags);
int __openat64_2(int dir, const char *path, int flags);

EXPORT int __open_2(const char *path, int flags)
{
	const int port = port_of(path);

	return port >= 0 ? open_cdev(port, flags) : REAL(__open_2)(path, flags);
}

EXPORT int __open64_2(const char *path, int flags)
{
	const int port = port_of(path);

	return port >= 0 ? open_cdev(port, flags) : REAL(__open64_2)(path, flags);
}

EXPORT int __openat_2(int dir, const char *path, int flags)
{
	const int port = port_of(path);

	return port >= 0 ? open_cdev(port, flags) : REAL(__openat_2)(dir, path, flags);
}

EXPORT int __openat64_2(int dir, const char *path, int flags)
{
	const int port = port_of(path);

	return port >= 0 ? open_cdev(port, flags) : REAL(__openat64_2)(dir, path, flags);
}

/* ---- stat ---------------------------------------------------------------------------- */

int uv_cdev_port(const struct stat *st)
{
	const off_t port = (st->st_size - ((off_t)1 << UV_CDEV_LOG_BYTES)) / 4096;

	return S_ISREG(st->st_mode) && !st->st_nlink && st->st_size % 4096 == 0 && port >= 0 &&
	       port < EMU_MAX_PORTS ? (int)port : -1;
}

/* struct stat64 is struct stat where we build; one body serves both names. */
_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "64-bit hosts");

static int fix_fstat(int rc, struct stat *st)
{
	const int port = rc || !active() ? -1 : uv_cdev_port(st);

	if (port >= 0)
		be_cdev(st, port);
	return rc;
}

#define STAT_BY_PATH(name, struct_)                                                         \
	EXPORT int name(const char *restrict path, struct struct_ *restrict st)             \
	{                                                                                   \
		const int port = port_of(path);                                             \
											    \
		if (port < 0)                                                               \
			return REAL(name)(path, st);                                        \
		stat_path((struct stat *)st, port);                                         \
		return 0;                                                                   \
	}
STAT_BY_PATH(stat, stat)
STAT_BY_PATH(stat64, stat64)
STAT_BY_PATH(lstat, stat)
STAT_BY_PATH(lstat64, stat64)

EXPORT int fstat(int fd, struct stat *st)
{
	return fix_fstat(REAL(fstat)(fd, st), st);
}

EXPORT int fstat64(int fd, struct stat64 *st)
{
	return fix_fstat(REAL(fstat64)(fd, st), (struct stat *)st);
}

#define STAT_AT(name, struct_)                                                              \
	EXPORT int name(int dir, const char *restrict path, struct struct_ *restrict st, int flags) \
	{                                                                                   \
		const int port = port_of(path);                                             \
											    \
		if (port < 0)                                                               \
			return fix_fstat(REAL(name)(dir, path, st, flags), (struct stat *)st); \
		stat_path((struct stat *)st, port);                                         \
		return 0;                                                                   \
	}
STAT_AT(fstatat, stat)
STAT_AT(fstatat64, stat64)

/* Programs built before glibc 2.33 come by these names. */
int __xstat(int ver, const char *path, struct stat *st);
int __xstat64(int ver, const char *path, struct stat64 *st);
int __fxstat(int ver, int fd, struct stat *st);
int __fxstat64(int ver, int fd, struct stat64 *st);

#define XSTAT(name, struct_)                                                                \
	EXPORT int name(int ver, const char *path, struct struct_ *st)                      \
	{                                                                                   \
		const int port = port_of(path);                                             \
											    \
		if (port < 0)                                                               \
			return REAL(name)(ver, path, st);                                   \
		stat_path((struct stat *)st, port);                                         \
		return 0;                                                                   \
	}
XSTAT(__xstat, stat)
XSTAT(__xstat64, stat64)

EXPORT int __fxstat(int ver, int fd, struct stat *st)
{
	return fix_fstat(REAL(__fxstat)(ver, fd, st), st);
}

EXPORT int __fxstat64(int ver, int fd, struct stat64 *st)
{
	return fix_fstat(REAL(__fxstat64)(ver, fd, st), (struct stat *)st);
}

/* ---- ioctl, mmap, close ------------------------------------------------------------ */

/* Counts down an armed failure. Return: true: this one fails */
static bool fails_now(int64_t *k)
{
	return *k >= 0 && (*k)-- == 0;
}

static int serve_ioctl(int fd, void *arg)
{
	struct uv_file *file;
	int rc = -ENOTTY;

	uv_lock();
	file = uv_file_of(fd);
	if (file) {
		uv_front.n_ioctls++;
		rc = fails_now(&uv_front.fail_ioctl) ? -uv_front.fail_ioctl_errno
						     : uv_ioctl(file, fd, arg);
	} else {
		struct stat st;

		/* of another process: its device is not here */
		if (!uv_real_fstat(fd, &st) && uv_cdev_port(&st) >= 0)
			rc = -EIO;
	}
	uv_unlock();
	return rc;
}

EXPORT int ioctl(int fd, unsigned long cmd, ...)
{
	va_list args;
	void *arg;
	int rc;

	va_start(args, cmd);
	arg = va_arg(args, void *);
	va_end(args);
	if (cmd != RDMA_VERBS_IOCTL || !active())
		return REAL(ioctl)(fd, cmd, arg);
	rc = serve_ioctl(fd, arg);
	if (rc == -ENOTTY)
		return REAL(ioctl)(fd, cmd, arg);
	if (rc >= 0)
		return rc;
	errno = -rc;
	return -1;
}

/* Is it a uverbs file? Takes no lock: core and engine come by here. */
static bool is_ours(int fd)
{
	struct stat st;

	return uv_has_files() && !uv_real_fstat(fd, &st) && uv_cdev_port(&st) >= 0;
}

/* The mapping itself needs no help; it can be made to fail. Return: 0 or an errno */
static int mmap_error(int fd)
{
	int error = 0;

	if (!is_ours(fd))
		return 0;
	uv_lock();
	if (uv_file_of(fd)) {
		uv_front.n_mmaps++;
		if (fails_now(&uv_front.fail_mmap))
			error = uv_front.fail_mmap_errno;
	}
	uv_unlock();
	return error;
}

#define MMAP(name)                                                                          \
	EXPORT void *name(void *addr, size_t bytes, int prot, int flags, int fd, off_t off) \
	{                                                                                   \
		const int error = flags & MAP_ANONYMOUS ? 0 : mmap_error(fd);               \
											    \
		if (!error)                                                                 \
			return REAL(name)(addr, bytes, prot, flags, fd, off);               \
		errno = error;                                                              \
		return MAP_FAILED;                                                          \
	}
MMAP(mmap)
MMAP(mmap64)

static void reap(void)
{
	const int saved = errno;

	uv_lock();
	uv_reap();
	uv_unlock();
	errno = saved;
}

EXPORT int close(int fd)
{
	const bool ours = is_ours(fd);
	const int rc = REAL(close)(fd);

	if (ours)
		reap();
	return rc;
}

EXPORT int dup2(int from, int to)
{
	const bool ours = is_ours(to);
	const int rc = REAL(dup2)(from, to);

	if (ours)
		reap();
	return rc;
}

EXPORT int dup3(int from, int to, int flags)
{
	const bool ours = is_ours(to);
	const int rc = REAL(dup3)(from, to, flags);

	if (ours)
		reap();
	return rc;
}

EXPORT int close_range(unsigned first, unsigned last, int flags)
{
	const int rc = REAL(close_range)(first, last, flags);

	if (uv_has_files())
		reap();
	return rc;
}
