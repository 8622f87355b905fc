/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_CLOCK_H
#define EMU_CLOCK_H

/**
 * DOC: The time of the emulated device, for devx_emu_ctl.clock()
 *
 * Time stamps, the clock registers, rate limits, moderation of events, delays of wires and capture
 * files have this time. All ports have the same. It never goes back.
 *
 *	emu->pause();
 *	emu->clock(DEVX_EMU_CLOCK_HELD, 0);    // the time stands still
 *	...                                    // ring for 2 frames of an SQ with a rate limit
 *	emu->step(0, 10);                      // 1: the first frame
 *	emu->clock(DEVX_EMU_CLOCK_HELD, 4999); // the second is due after 5000 ns
 *	emu->step(0, 10);                      // 0
 *	emu->clock(DEVX_EMU_CLOCK_HELD, 1);
 *	emu->step(0, 10);                      // 1
 */

/**
 * enum devx_emu_clock - how the time passes
 * @DEVX_EMU_CLOCK_REAL: as that of the machine, from the current time of the device on
 * @DEVX_EMU_CLOCK_HELD: not at all; only clock() moves it
 * @DEVX_EMU_CLOCK_STEPPED: as HELD. The engine also moves it after a turn without work: to the next
 *	frame of a rate limit, moderated event or delayed frame. A paused engine does not.
 *
 * Reading a clock register moves no time. With STEPPED, an engine that had no work and no such
 * event for a second moves the time by each of its sleeps. So a program that waits for a time of
 * the register goes on.
 */
enum devx_emu_clock {
	DEVX_EMU_CLOCK_REAL,
	DEVX_EMU_CLOCK_HELD,
	DEVX_EMU_CLOCK_STEPPED,
};

#endif
