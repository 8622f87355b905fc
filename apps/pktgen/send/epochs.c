/* SPDX-License-Identifier: BSD-3-Clause */
#include "send/epochs.h"

void epochs_update(struct epochs *e, const struct run_clock *clock, uint64_t seq, uint64_t now)
{
	const uint64_t epoch = run_clock_to_ns(clock, now) >> EPOCHS_NS_BITS;
	uint64_t newest = atomic_load_explicit(&e->newest, memory_order_relaxed);

	/* Skips no epoch of a long pause: its place would still have a number of an older epoch. */
	while (newest < epoch) {
		newest++;
		atomic_store_explicit(&e->first[newest % EPOCHS_KEPT], seq, memory_order_release);
		atomic_store_explicit(&e->newest, newest, memory_order_release);
	}
	e->next = run_clock_to_tsc(clock, (newest + 1) << EPOCHS_NS_BITS);
}

bool epochs_find_time(const struct epochs *e, uint64_t seq, uint32_t time_ns, uint64_t *made_ns)
{
	const uint64_t newest = atomic_load_explicit(&e->newest, memory_order_acquire);

	for (uint64_t n = 0; n < EPOCHS_KEPT && n <= newest; n++) {
		const uint64_t first = epochs_load_first(e, newest - n);

		if (first == UINT64_MAX)
			return false;
		if (first <= seq) {
			*made_ns = (newest - n) << EPOCHS_NS_BITS | time_ns;
			return true;
		}
	}
	return false;
}
