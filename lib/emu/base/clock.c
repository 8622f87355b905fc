/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/base/clock.h"

#include <time.h>

static uint64_t read_machine(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t emu_now_ns(void)
{
	return read_machine(CLOCK_MONOTONIC);
}

uint64_t emu_read_epoch(void)
{
	return read_machine(CLOCK_REALTIME) - emu_now_ns();
}

uint64_t emu_clock_read(const struct emu_adapter *a)
{
	return a->clock == EMU_CLOCK_REAL ? emu_now_ns() + a->clock_ns : a->clock_ns;
}

/* One store, so that a driver that reads both halves of the register never finds an older one. */
void emu_clock_update(struct emu_adapter *a)
{
	a->now_ns = emu_clock_read(a);
	if (a->timer)
		__atomic_store_n(a->timer, prm_be64_of(emu_clock_of(a->model, a->now_ns)).raw,
				 __ATOMIC_RELEASE);
}

void emu_clock_jump(struct emu_adapter *a, uint64_t ns)
{
	if (ns > a->clock_ns)
		a->clock_ns = ns;
	emu_clock_update(a);
}

uint64_t emu_set_clock(struct emu_adapter *a, enum emu_clock clock, uint64_t ns)
{
	uint64_t now;

	emu_lock(a);
	now = emu_clock_read(a) + ns;
	a->clock = clock;
	a->clock_ns = clock == EMU_CLOCK_REAL ? now - emu_now_ns() : now;
	emu_clock_update(a);
	emu_unlock(a);
	return now;
}

uint64_t emu_read_clock(struct emu *emu)
{
	uint64_t ns;

	emu_lock(emu->adapter);
	ns = emu_clock_read(emu->adapter);
	emu_unlock(emu->adapter);
	return ns;
}
