/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/base/front.h"

#include "emu/uverbs/base/caller.h"

struct uv_caller *uv_caller;
struct uv_front uv_front = { .fail_ioctl = -1, .fail_mmap = -1, .fail_device = -1 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void uv_front_lock(void)
{
	pthread_mutex_lock(&lock);
}
void uv_front_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

bool uv_front_count_down(int64_t *k)
{
	return *k >= 0 && (*k)-- == 0;
}

bool uv_front_is_absent(unsigned port)
{
	return __atomic_load_n(&uv_front.shared->absent[port], __ATOMIC_ACQUIRE);
}

struct emu *uv_front_find_port(unsigned port)
{
	return uv_front.adapter && port < uv_front.shared->n_ports
		       ? emu_port(uv_front.adapter, port)
		       : NULL;
}
