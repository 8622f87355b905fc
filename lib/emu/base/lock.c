/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/base/dev.h"

void emu_lock(struct emu_adapter *a)
{
	__atomic_add_fetch(&a->n_waiting, 1, __ATOMIC_RELAXED);
	pthread_mutex_lock(&a->lock);
	__atomic_sub_fetch(&a->n_waiting, 1, __ATOMIC_RELAXED);
}

void emu_unlock(struct emu_adapter *a)
{
	a->callbacks->before_unlock(a);
	pthread_mutex_unlock(&a->lock);
}
