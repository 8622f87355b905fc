/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_BASE_CLOCK_H
#define EMU_BASE_CLOCK_H

#include "emu/base/dev.h"
#include "emu/base/options.h"

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
 * The driver sees two clocks that follow this time: the free-running one, in cycles from 0 on, and
 * the real-time one, in seconds and nanoseconds since 1970. The real-time clock is 1/1000 faster,
 * as a clock that PTP sets never keeps the pace of the other one. A driver that mixes them up
 * finds times that differ at once.
 *
 * The time never goes back, also not from one kind to another. Command times (device/exec.c) are
 * not times of the adapter: a firmware runs beside its data path.
 */

/** emu_clock_read - time of the adapter's clock in ns. The caller holds the adapter lock */
uint64_t emu_clock_read(const struct emu_adapter *a);

/**
 * emu_clock_update - read the clock into now_ns and the clock registers
 *
 * The engine calls it before it writes a CQE with this time. The caller holds the adapter lock.
 */
void emu_clock_update(struct emu_adapter *a);

/** emu_clock_jump - move a held or stepped clock to @ns, or not at all if that time is over */
void emu_clock_jump(struct emu_adapter *a, uint64_t ns);

/** emu_read_epoch - ns from 1970 to the time 0 of the machine's clock, for capture files */
uint64_t emu_read_epoch(void);

/**
 * emu_clock_is_real_time - check whether a device is in real-time mode
 *
 * Then time stamps of the default format are real time, and its free-running clock has 1 GHz.
 */
bool emu_clock_is_real_time(const struct emu_options *options);
/** emu_clock_get_khz - frequency of the free-running clock */
uint32_t emu_clock_get_khz(const struct emu_options *options);

/** emu_clock_show - convert a time of the adapter to the values of its two clocks */
struct emu_clocks emu_clock_show(const struct emu_adapter *a, uint64_t ns);

/** emu_read_stamp - time stamp of a CQE written now; @real_time: use the real-time clock */
uint64_t emu_read_stamp(const struct emu_adapter *a, bool real_time);

#endif
