/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/queue/pacing.h"

#include "emu/base/clock.h"

enum {
	BITS = 8,
	NS_PER_MS = 1000000,         /* kbit/s are bits per ms */
	LATEST_NS = 100 * NS_PER_MS, /* longest delay of the engine that an SQ may make up for */
};

/*
 * Limits how much unused time an SQ may catch up on: @ns, or the duration of one burst if that is
 * longer.
 */
static void bound_savings(const struct emu_rate *r, struct emu_sq *sq, uint64_t now, uint64_t ns)
{
	const uint64_t burst_ns = (uint64_t)r->burst_bytes * BITS * NS_PER_MS / r->kbps;

	if (burst_ns > ns)
		ns = burst_ns;
	if (ns > now)
		ns = now;
	if (sq->next_ns < now - ns)
		sq->next_ns = now - ns;
}

void emu_pace_begin(struct emu *emu, struct emu_sq *sq)
{
	const struct emu_rate *r = &emu->rate[sq->rate];

	if (sq->rate && r->kbps)
		bound_savings(r, sq, emu_clock_read(emu->adapter), 0);
}

void emu_pace_restart(struct emu *emu, struct emu_sq *sq)
{
	sq->next_ns = 0;
	sq->rest = 0;
	emu_pace_begin(emu, sq);
	if (sq->parked) {
		emu_pace_unpark(emu, sq);
		emu_sq_wake(emu, sq);
	}
}

bool emu_pace_must_wait(const struct emu *emu, const struct emu_sq *sq)
{
	return emu->rate[sq->rate].kbps && sq->next_ns > emu->adapter->now_ns;
}

void emu_pace_charge(const struct emu *emu, struct emu_sq *sq, uint32_t bytes)
{
	const uint32_t kbps = emu->rate[sq->rate].kbps;
	uint64_t parts;

	if (!kbps)
		return;
	parts = (uint64_t)bytes * BITS * NS_PER_MS + sq->rest;
	sq->next_ns += parts / kbps;
	sq->rest = parts % kbps;
	bound_savings(&emu->rate[sq->rate], sq, emu->adapter->now_ns, LATEST_NS);
}

void emu_pace_park(struct emu *emu, struct emu_sq *sq)
{
	emu_sq_forget(emu, sq);
	sq->parked = true;
	sq->next_parked = emu->parked;
	emu->parked = sq;
}

void emu_pace_unpark(struct emu *emu, struct emu_sq *sq)
{
	struct emu_sq **at = &emu->parked;

	if (!sq->parked)
		return;
	while (*at != sq)
		at = &(*at)->next_parked;
	*at = sq->next_parked;
	sq->parked = false;
}

void emu_pace_wake(struct emu *emu)
{
	struct emu_sq *next;

	for (struct emu_sq *sq = emu->parked; sq; sq = next) {
		next = sq->next_parked;
		if (emu_pace_must_wait(emu, sq))
			continue;
		emu_pace_unpark(emu, sq);
		emu_sq_wake(emu, sq);
	}
}

uint64_t emu_pace_find_due(const struct emu *emu, uint64_t due_ns)
{
	for (const struct emu_sq *sq = emu->parked; sq; sq = sq->next_parked)
		if (sq->next_ns < due_ns)
			due_ns = sq->next_ns;
	return due_ns;
}
