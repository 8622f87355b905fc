/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Interposed libc functions that take a descriptor: ioctl, close, close_range.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <rdma/rdma_user_ioctl_cmds.h>

#include "emu/uverbs/base/fds.h"
#include "emu/uverbs/base/front.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/device/netdev.h"
#include "emu/uverbs/device/dev.h"
#include "emu/uverbs/ethtool/ethtool.h"
#include "emu/uverbs/events/channel.h"
#include "emu/uverbs/files/cdev.h"
#include "emu/uverbs/files/file.h"
#include "emu/uverbs/methods/methods.h"
#include "emu/uverbs/preload/descriptor.h"
#include "emu/uverbs/remote/client.h"
#include "emu/uverbs/remote/pipes.h"
#include "emu/uverbs/remote/server.h"

static int serve_ioctl(int fd, void *arg)
{
	struct uv_file *file;
	int rc = -ENOTTY;

	uv_front_lock();
	uv_server_settle();
	file = uv_file_find(fd);
	if (file || uv_descriptor_is_uverbs(fd)) {
		uv_front.n_ioctls++;
		if (file && file->dev && uv_front_count_down(&uv_front.fail_device))
			uv_file_remove_device(file->dev);
		if (uv_front_count_down(&uv_front.fail_ioctl))
			rc = -uv_front.fail_ioctl_errno;
		else if (file && !file->remote)
			rc = uv_serve_ioctl(file, fd, arg);
		else
			rc = uv_remote_ioctl(fd, arg);
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
	if ((cmd == SIOCSIFMTU || cmd == SIOCSIFFLAGS) && uv_is_launched()) {
		rc = REAL(ioctl)(fd, cmd, arg);
		if (!rc)
			uv_mirror_refresh();
		return rc;
	}
	if ((cmd != RDMA_VERBS_IOCTL && cmd != SIOCETHTOOL) || !uv_is_launched())
		return REAL(ioctl)(fd, cmd, arg);
	rc = cmd == SIOCETHTOOL ? uv_ethtool_serve(fd, arg) : serve_ioctl(fd, arg);
	if (rc == -ENOTTY)
		return REAL(ioctl)(fd, cmd, arg);
	if (rc >= 0)
		return rc;
	errno = -rc;
	return -1;
}

bool uv_descriptor_is_uverbs(int fd)
{
	struct stat st;

	/* Without an owner, no process has opened the device yet, so none has a uverbs file. */
	return uv_is_launched() && __atomic_load_n(&uv_front.shared->owner, __ATOMIC_RELAXED) &&
	       !uv_real_fstat(fd, &st) && uv_cdev_find_port(&st) >= 0;
}

/* Takes only the event lock, because core and engine call close() with other locks held. */
static bool is_event_fd(int fd)
{
	struct stat st;

	return uv_fd_is_marked(fd) && !uv_real_fstat(fd, &st) &&
	       (uv_queue_exists(&st) || uv_pipe_exists(&st));
}

bool uv_descriptor_drop(int fd)
{
	const bool ours = uv_descriptor_is_uverbs(fd) || is_event_fd(fd);

	uv_fd_unmark(fd);
	return ours;
}

void uv_descriptor_reap(void)
{
	const int saved = errno;

	uv_front_lock();
	uv_channel_reap();
	uv_remote_reap();
	uv_front_unlock();
	errno = saved;
}

EXPORT int close(int fd)
{
	const bool ours = uv_descriptor_drop(fd);
	const int rc = REAL(close)(fd);

	if (ours)
		uv_descriptor_reap();
	return rc;
}

EXPORT int close_range(unsigned first, unsigned last, int flags)
{
	const int rc = REAL(close_range)(first, last, flags);

	if (uv_has_files() || uv_queue_has_any() || uv_pipe_has_any())
		uv_descriptor_reap();
	return rc;
}
