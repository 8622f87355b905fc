/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_BASE_CLOCK_H
#define EMU_BASE_CLOCK_H

#include "emu/base/dev.h"
#include "emu/base/options.h"

/**
 * DOC: The clock of an adapter
 *
 * Everything timed in an adapter uses one clock, which its ports share: time stamps, the clock
 * register, rate limits, event moderation, delays of wires.
 *
 *     real      the machine's clock, plus an offset from earlier calls of emu_set_clock()
 *     held      stands still; only emu_set_clock() advances it
 *     stepped   as held, but after a turn that moved nothing, the engine thread advances it to the
 *               next due event (device/engine.c, pass_time)
 *
 * The driver sees two clocks that follow this time: the free-running one, in cycles from 0 on, and
 * the real-time one, in seconds and nanoseconds since 1970. The real-time clock is 1/1000 faster,
 * because a clock that PTP adjusts drifts against the other one. The difference exposes a driver
 * that mixes up the two.
 *
 * The time never goes back, not even when the kind of clock changes. Command times (device/exec.c)
 * use the machine's clock, because firmware runs beside the data path.
 */

/** emu_clock_read - time of the adapter's clock in ns. The caller holds the adapter lock */
uint64_t emu_clock_read(const struct emu_adapter *a);

/**
 * emu_clock_update - read the clock into now_ns and the clock registers
 *
 * The engine calls it before it writes a CQE with this time. The caller holds the adapter lock.
 */
void emu_clock_update(struct emu_adapter *a);

/** emu_clock_jump - advance a held or stepped clock to @ns, unless that time has passed */
void emu_clock_jump(struct emu_adapter *a, uint64_t ns);

/** emu_read_epoch - ns from 1970 to the time 0 of the machine's clock, for capture files */
uint64_t emu_read_epoch(void);

/**
 * emu_clock_is_real_time - check whether a device is in real-time mode
 *
 * In this mode, time stamps of the default format are real time, and the free-running clock runs
 * at 1 GHz.
 */
bool emu_clock_is_real_time(const struct emu_options *options);
/** emu_clock_get_khz - frequency of the free-running clock */
uint32_t emu_clock_get_khz(const struct emu_options *options);

/** emu_clock_show - convert a time of the adapter to the values of its two clocks */
struct emu_clocks emu_clock_show(const struct emu_adapter *a, uint64_t ns);

/** emu_read_stamp - time stamp of a CQE written now; @real_time: use the real-time clock */
uint64_t emu_read_stamp(const struct emu_adapter *a, bool real_time);

#endif
