/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec: a program that starts with uverbs files of another process uses them, as in Linux.
 *
 * Before main() the program tells the owner which files it has, so that the owner keeps them even
 * if all other processes close theirs. Between the exec and this call only others keep them.
 */
#include "emu/uverbs/base/fds.h"
#include "emu/uverbs/base/front.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/device/process.h"
#include "emu/uverbs/files/file.h"
#include "emu/uverbs/remote/link.h"

static int hold_file(int fd, void *arg)
{
	const struct uv_rpc m = { .kind = UV_RPC_HOLD, .n_fds = 1, .fd = { fd } };
	struct uv_rpc answer;

	(void)arg;
	if (!uv_file_add_remote(fd) || uv_link_connect())
		return 0; /* no uverbs file, or one whose owner has ended */
	uv_link_call(&m, &answer);
	uv_rpc_clear(&answer);
	return 0;
}

__attribute__((constructor)) static void hold_inherited_files(void)
{
	if (!uv_is_launched() || !__atomic_load_n(&uv_front.shared->owner, __ATOMIC_RELAXED))
		return;
	uv_front_lock();
	uv_fds_walk(hold_file, NULL);
	uv_front_unlock();
}
