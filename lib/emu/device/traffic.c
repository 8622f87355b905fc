/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Adds the counters of a port to sums that outlive the adapter: in a turn that moved a frame, in
 * the turn after another port delivered one, at a reset, and when the adapter is destroyed. The
 * launcher can read the sums even after kill -9 has ended the program that had the adapter.
 */
#include "emu/device/traffic.h"

#include "emu/wire/wire.h"

enum { N_COUNTERS = sizeof(struct emu_traffic) / sizeof(uint64_t) };

_Static_assert(sizeof(struct emu_traffic) % sizeof(uint64_t) == 0, "every member is a uint64_t");

void emu_publish_traffic(struct emu *emu)
{
	const struct emu_traffic counted = { emu->vport, emu->wire->faults };
	const uint64_t *now = (const uint64_t *)(const void *)&counted;
	uint64_t *before = (uint64_t *)(void *)&emu->published;
	uint64_t *sum = (uint64_t *)(void *)emu->traffic;

	emu->received = false;
	if (!sum)
		return;
	for (unsigned i = 0; i < N_COUNTERS; i++) {
		if (now[i] == before[i])
			continue;
		/* atomic: adapters of other processes add to the same sum */
		__atomic_fetch_add(&sum[i], now[i] - before[i], __ATOMIC_RELAXED);
		before[i] = now[i];
	}
}
