/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Interposed libc functions that take a descriptor: ioctl, mmap, close, dup2, dup3, close_range.
 */
#undef _FILE_OFFSET_BITS /* with 64, open() would be another name for open64() */
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
#include "emu/uverbs/base/warning.h"
#include "emu/uverbs/device/process.h"
#include "emu/uverbs/files/cdev.h"
#include "emu/uverbs/files/file.h"
#include "emu/uverbs/methods/methods.h"
#include "emu/uverbs/preload/export.h"

/* Counts down an armed failure. Return: true if the current call must fail */
static bool count_down_failure(int64_t *k)
{
	return *k >= 0 && (*k)-- == 0;
}

static int serve_ioctl(int fd, void *arg)
{
	struct uv_file *file;
	int rc = -ENOTTY;

	uv_front_lock();
	file = uv_file_find(fd);
	if (file) {
		uv_front.n_ioctls++;
		rc = count_down_failure(&uv_front.fail_ioctl) ? -uv_front.fail_ioctl_errno
							      : uv_serve_ioctl(file, fd, arg);
	} else {
		struct stat st;

		if (!uv_real_fstat(fd, &st) && uv_cdev_find_port(&st) >= 0) {
			uv_warn(EMU_WARN_OTHER_FILE,
				"ioctl failed with EIO: another process or program opened the "
				"uverbs file, and only that one has the adapter; open the device "
				"in the process that uses it");
			rc = -EIO;
		}
	}
	uv_front_unlock();
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
	if (cmd != RDMA_VERBS_IOCTL || !uv_is_launched())
		return REAL(ioctl)(fd, cmd, arg);
	rc = serve_ioctl(fd, arg);
	if (rc == -ENOTTY)
		return REAL(ioctl)(fd, cmd, arg);
	if (rc >= 0)
		return rc;
	errno = -rc;
	return -1;
}

/* Returns true for a uverbs file. Takes no lock: core and engine call mmap() and close() too. */
static bool is_uverbs_fd(int fd)
{
	struct stat st;

	return uv_has_files() && !uv_real_fstat(fd, &st) && uv_cdev_find_port(&st) >= 0;
}

/* Counts an mmap() of a uverbs file. Return: 0, or the errno that devx_emu_ctl.fail() has set */
static int check_mmap(int fd)
{
	int error = 0;

	if (!is_uverbs_fd(fd))
		return 0;
	uv_front_lock();
	if (uv_file_find(fd)) {
		uv_front.n_mmaps++;
		if (count_down_failure(&uv_front.fail_mmap))
			error = uv_front.fail_mmap_errno;
	}
	uv_front_unlock();
	return error;
}

EXPORT void *mmap(void *addr, size_t bytes, int prot, int flags, int fd, off_t off)
{
	const int error = flags & MAP_ANONYMOUS ? 0 : check_mmap(fd);

	if (!error)
		return REAL(mmap)(addr, bytes, prot, flags, fd, off);
	errno = error;
	return MAP_FAILED;
}

EXPORT void *mmap64(void *addr, size_t bytes, int prot, int flags, int fd, off_t off)
{
	const int error = flags & MAP_ANONYMOUS ? 0 : check_mmap(fd);

	if (!error)
		return REAL(mmap64)(addr, bytes, prot, flags, fd, off);
	errno = error;
	return MAP_FAILED;
}

static void reap_files(void)
{
	const int saved = errno;

	uv_front_lock();
	uv_file_reap();
	uv_front_unlock();
	errno = saved;
}

EXPORT int close(int fd)
{
	const bool ours = is_uverbs_fd(fd);
	const int rc = REAL(close)(fd);

	if (ours)
		reap_files();
	return rc;
}

EXPORT int dup2(int from, int to)
{
	const bool ours = is_uverbs_fd(to);
	const int rc = REAL(dup2)(from, to);

	if (ours)
		reap_files();
	return rc;
}

EXPORT int dup3(int from, int to, int flags)
{
	const bool ours = is_uverbs_fd(to);
	const int rc = REAL(dup3)(from, to, flags);

	if (ours)
		reap_files();
	return rc;
}

EXPORT int close_range(unsigned first, unsigned last, int flags)
{
	const int rc = REAL(close_range)(first, last, flags);

	if (uv_has_files())
		reap_files();
	return rc;
}
