/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_BASE_CLOCK_H
#define EMU_BASE_CLOCK_H

#include "emu/base/dev.h"

/**
 * DOC: The clock of an adapter
 *
 * All times of an adapter are times of its clock: time stamps, the clock register, rate limits,
 * moderation of events, delays of wires. Its ports have one clock; each adapter has its own.
 *
 *     real      the machine's clock, plus the time that the test moved or held it before
 *     held      stands still; only emu_set_clock() moves it
 *     stepped   as held; the engine's thread also moves it when a turn moved nothing: to the next
 *               due event (device/engine.c, pass_time)
 *
 * The time never goes back, also not from one kind to another. Command times (device/exec.c) are
 * not times of the adapter: a firmware runs beside its data path.
 */

/** emu_clock_read - time of the adapter's clock in ns. The caller holds the adapter lock */
uint64_t emu_clock_read(const struct emu_adapter *a);

/**
 * emu_clock_update - read the clock into now_ns and the clock register
 *
 * The engine calls it before it writes a CQE with this time. The caller holds the adapter lock.
 */
void emu_clock_update(struct emu_adapter *a);

/** emu_clock_jump - move a held or stepped clock to @ns, or not at all if that time is over */
void emu_clock_jump(struct emu_adapter *a, uint64_t ns);

/** emu_read_epoch - ns from 1970 to the time 0 of the machine's clock, for capture files */
uint64_t emu_read_epoch(void);

/** emu_read_stamp - time stamp of a CQE that the device writes now, in the format of the device */
static inline uint64_t emu_read_stamp(const struct emu_adapter *a)
{
	return a->model->real_time ? emu_real_time_of(a->now_ns)
				   : emu_clock_of(a->model, a->now_ns);
}

#endif
