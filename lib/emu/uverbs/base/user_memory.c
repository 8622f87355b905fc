/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/base/user_memory.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { FIRST_PAGE_END = 4096 }; /* no program can map the first page */

/*
 * Falls back to memcpy() if the kernel or a sandbox forbids process_vm_readv(). A bad address then
 * crashes the program instead of failing with EFAULT.
 */
static int copy_bytes(bool in, void *mine, uint64_t user, size_t bytes)
{
	struct iovec local = { mine, bytes };
	struct iovec remote = { (void *)(uintptr_t)user, bytes };
	ssize_t n;

	if (!bytes)
		return 0;
	if (user < FIRST_PAGE_END)
		return -EFAULT;
	n = in ? process_vm_readv(getpid(), &local, 1, &remote, 1, 0)
	       : process_vm_writev(getpid(), &local, 1, &remote, 1, 0);
	if (n == (ssize_t)bytes)
		return 0;
	if (n < 0 && (errno == ENOSYS || errno == EPERM)) {
		if (in)
			memcpy(mine, remote.iov_base, bytes);
		else
			memcpy(remote.iov_base, mine, bytes);
		return 0;
	}
	return -EFAULT;
}

int uv_copy_from_user(void *dst, uint64_t src, size_t bytes)
{
	return copy_bytes(true, dst, src, bytes);
}

int uv_copy_to_user(uint64_t dst, const void *src, size_t bytes)
{
	return copy_bytes(false, (void *)(uintptr_t)src, dst, bytes);
}
