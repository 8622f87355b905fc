/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ioctl, mmap, close: what happens to open uverbs files.
 */
#undef _FILE_OFFSET_BITS /* open() is open() here, not another name for open64() */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <rdma/rdma_user_ioctl_cmds.h>

#include "emu/uverbs/base/front.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/device/process.h"
#include "emu/uverbs/files/cdev.h"
#include "emu/uverbs/files/file.h"
#include "emu/uverbs/methods/methods.h"
#include "emu/uverbs/preload/export.h"

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
	if (cmd != RDMA_VERBS_IOCTL || !uv_active())
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

EXPORT void *mmap(void *addr, size_t bytes, int prot, int flags, int fd, off_t off)
{
	const int error = flags & MAP_ANONYMOUS ? 0 : mmap_error(fd);

	if (!error)
		return REAL(mmap)(addr, bytes, prot, flags, fd, off);
	errno = error;
	return MAP_FAILED;
}

EXPORT void *mmap64(void *addr, size_t bytes, int prot, int flags, int fd, off_t off)
{
	const int error = flags & MAP_ANONYMOUS ? 0 : mmap_error(fd);

	if (!error)
		return REAL(mmap64)(addr, bytes, prot, flags, fd, off);
	errno = error;
	return MAP_FAILED;
}

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
