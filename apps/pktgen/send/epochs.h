/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_EPOCHS_H
#define PKTGEN_EPOCHS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"

/**
 * DOC: Epochs of a stream
 *
 * The signature has the time mod 2^32 ns, so an epoch lasts 4.29 s. The sender notes the first
 * sequence number of each epoch. With it, a receiver knows the epoch of any number, and with the
 * time of the signature, when the frame was made.
 */

/* The sender remembers this many epochs: 11.4 minutes. Older frames get no latency. */
enum { EPOCHS_KEPT = 160, EPOCHS_NS_BITS = 32 };

/**
 * struct epochs - the epochs of a stream. Its sender writes them; receivers read them
 * @newest: the last epoch that has begun
 * @first: first sequence numbers of the last EPOCHS_KEPT epochs; element: epoch mod EPOCHS_KEPT
 * @next: TSC at which the next epoch begins, or earlier: a pause (Ctrl-Z) does not move it. Only
 *   for the sender
 */
struct epochs {
	_Atomic uint64_t newest;
	_Atomic uint64_t first[EPOCHS_KEPT];
	uint64_t next;
};

/**
 * epochs_update - begin the epochs up to TSC @now with sequence number @seq
 *
 * Call it before the frames from @seq on are visible to receivers.
 */
void epochs_update(struct epochs *e, const struct run_clock *clock, uint64_t seq, uint64_t now);

/** epochs_load_first - load the first sequence number of an epoch; UINT64_MAX if unknown */
static inline uint64_t epochs_load_first(const struct epochs *e, uint64_t epoch)
{
	const uint64_t newest = atomic_load_explicit(&e->newest, memory_order_acquire);

	if (epoch > newest || epoch + EPOCHS_KEPT <= newest)
		return UINT64_MAX;
	/* Acquire: if a newer epoch has taken this place, the reader sees no older epoch either. */
	return atomic_load_explicit(&e->first[epoch % EPOCHS_KEPT], memory_order_acquire);
}

/**
 * epochs_find_time - find out when frame @seq was made
 * @e: the epochs of its sender
 * @seq: a number that receivers may see
 * @time_ns: the time in its signature
 * @made_ns: receives the time, ns since the start of the run
 *
 * Return: false if the epoch is older than the epochs kept
 */
bool epochs_find_time(const struct epochs *e, uint64_t seq, uint32_t time_ns, uint64_t *made_ns);

#endif
