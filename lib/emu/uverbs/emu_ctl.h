/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_CTL_H
#define EMU_CTL_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/uverbs/emu_counters.h"

/**
 * DOC: Control of a running emu
 *
 * For tests and benchmarks. The program does not link with emu: devx_emu_ctl_find() looks the table
 * up with dlsym(), and returns NULL if devx-emu did not start the process.
 *
 *	const struct devx_emu_ctl *emu = devx_emu_ctl_find();
 *
 *	if (emu) {
 *		emu->fail(DEVX_EMU_FAIL_COMMAND, 3, 0x08);  // 4th command from now: LIM_ERR
 *		...
 *		emu->fail(DEVX_EMU_FAIL_COMMAND, -1, 0);
 *	}
 *
 * Later versions add members only at the end of the table and of its structs. Compare
 * devx_emu_ctl.bytes with the size at compile time, and pass the size of your struct to counters().
 * Ports are numbered from 0. Until this process opens a device, the counters of a port are 0,
 * except those that cover all ports. Every function may be called from any thread, but not from a
 * signal handler.
 */

/**
 * DOC: The time of the emulated device, for devx_emu_ctl.clock()
 *
 * All ports share one clock, which never goes back. It drives time stamps, clock registers, rate
 * limits, event moderation, wire delays and the times in capture files.
 *
 *	emu->pause();
 *	emu->clock(DEVX_EMU_CLOCK_HELD, 0);    // stop the clock
 *	...                                    // ring for 2 frames of an SQ with a rate limit
 *	emu->step(0, 10);                      // 1: the first frame
 *	emu->clock(DEVX_EMU_CLOCK_HELD, 4999); // the second frame is due at 5000 ns
 *	emu->step(0, 10);                      // 0
 *	emu->clock(DEVX_EMU_CLOCK_HELD, 1);
 *	emu->step(0, 10);                      // 1
 */

/**
 * enum devx_emu_clock - what advances the clock
 * @DEVX_EMU_CLOCK_REAL: it runs with the clock of the machine, from the current device time on
 * @DEVX_EMU_CLOCK_HELD: only clock() advances it
 * @DEVX_EMU_CLOCK_STEPPED: as HELD, but an idle engine that is not paused jumps to the next
 *	rate-limited frame, moderated event or delayed frame
 *
 * Reading a clock register does not advance the clock. With STEPPED, an engine that has been idle
 * for a second with nothing due advances the clock by the length of each of its sleeps. So a
 * program that polls the register for a later time makes progress.
 */
enum devx_emu_clock {
	DEVX_EMU_CLOCK_REAL,
	DEVX_EMU_CLOCK_HELD,
	DEVX_EMU_CLOCK_STEPPED,
};

/** enum devx_emu_fail - operations that fail() can make fail */
enum devx_emu_fail {
	DEVX_EMU_FAIL_IOCTL,   /* a uverbs ioctl; @how: errno, 0 = EIO */
	DEVX_EMU_FAIL_COMMAND, /* a firmware command on each port; @how: status, 0 = INT_ERR */
	DEVX_EMU_FAIL_MMAP,    /* an mmap() of a uverbs file; @how: errno, 0 = ENOMEM */
	DEVX_EMU_FAIL_DEVICE,  /* the device disappears before a uverbs ioctl; @how is ignored */
};

/** enum devx_emu_inject - events that a device can raise by itself */
enum devx_emu_inject {
	DEVX_EMU_INJECT_SQ_ERROR,  /* SQ number @id goes to error state and flushes its WQEs */
	DEVX_EMU_INJECT_RQ_ERROR,  /* RQ number @id goes to error state and flushes its WQEs */
	DEVX_EMU_INJECT_LINK_DOWN, /* @id is ignored */
	DEVX_EMU_INJECT_LINK_UP,
	DEVX_EMU_INJECT_CQ_ERROR, /* CQ number @id and its SQs and RQs go to error state for good */
	/* the kernel reports a fatal error and removes the device from every open file; a new
	 * open() finds the device again. @id is ignored */
	DEVX_EMU_INJECT_DEVICE_FATAL,
	/* the kernel cannot allocate the next event of a channel with data. @id is ignored */
	DEVX_EMU_INJECT_EVENT_LOSS,
	/* as DEVICE_FATAL, but no program finds the RDMA device until DEVICE_RETURN */
	DEVX_EMU_INJECT_DEVICE_REMOVE,
	/* as DEVICE_REMOVE; the PCI function also disappears from sysfs */
	DEVX_EMU_INJECT_DEVICE_UNPLUG,
	/* undoes DEVICE_REMOVE or DEVICE_UNPLUG: open() finds the device again. @id is ignored */
	DEVX_EMU_INJECT_DEVICE_RETURN,
};

/** struct devx_emu_ctl - table of control functions */
struct devx_emu_ctl {
	/** @bytes: size of this table in the running emu */
	size_t bytes;

	/** @n_ports: number of ports, as given by devx-emu --ports */
	unsigned (*n_ports)(void);

	/** @pause: stop the engine and wait until it has stopped; doorbells stay pending */
	void (*pause)(void);

	/** @resume: restart a paused engine */
	void (*resume)(void);

	/**
	 * @step: run the data path of a port of a paused engine, for at most @budget packets
	 *
	 * Return: number of packets moved; 0: none can move now, or this process has no adapter
	 */
	unsigned (*step)(unsigned port, unsigned budget);

	/**
	 * @fail: let @k operations of kind @what succeed, then fail one; @k < 0 disarms
	 *
	 * Each port counts its own commands, so one command fails on each port.
	 *
	 * Commands that the emulated kernel sends by itself (for open, a PD, an MR, a flow) count
	 * as well. So do commands that destroy an object: disarm before you clean up.
	 */
	void (*fail)(enum devx_emu_fail what, int64_t k, int how);

	/**
	 * @fail_pending: number of operations left before the one that fails
	 *
	 * Return: that number (for commands, the smallest of all ports); -1: no failure is armed,
	 * or the operation has already failed
	 */
	int64_t (*fail_pending)(enum devx_emu_fail what);

	/**
	 * @counters: read the counters of a port
	 *
	 * @bytes is the caller's sizeof(*c). The function writes exactly that many bytes, with 0 in
	 * members that the running emu does not have.
	 *
	 * Return: 0, or -EINVAL: no such port
	 */
	int (*counters)(unsigned port, struct devx_emu_counters *c, size_t bytes);

	/**
	 * @wire_faults: set the faults of a port's wire, such as "drop=0.01,seed=7"; "" removes all
	 *
	 * Return: 0, or -EINVAL: no such port, invalid @spec, or the adapter cannot be powered on
	 */
	int (*wire_faults)(unsigned port, const char *spec);

	/**
	 * @inject: raise event @what on a port, as a device would on its own
	 *
	 * Return: 0, or -EINVAL: no such port or object, or this process has opened no device yet
	 */
	int (*inject)(unsigned port, enum devx_emu_inject what, uint32_t id);

	/** @reset_mistakes: zero the counts of protocol mistakes, after deliberate ones */
	void (*reset_mistakes)(void);

	/**
	 * @evict_cqes: evict the rings of all CQs of a port from the caches of all CPUs
	 *
	 * Software then reads CQEs from memory, as on a machine whose adapter cannot write into the
	 * cache.
	 *
	 * Return: number of bytes evicted; -EINVAL: no such port, or this process has opened no
	 * device yet; -ENOTSUP: emu has no cache eviction for this processor
	 */
	int64_t (*evict_cqes)(unsigned port);

	/**
	 * @record_wqes: append each send WQE that a port executes to the record at @to; NULL: stop
	 *
	 * WQEs follow each other without gaps; field ds of the control segment is the length of a
	 * WQE. The record skips failed and flushed WQEs, and ends before the first WQE that does
	 * not fit into @bytes.
	 *
	 * Return: number of bytes in the previous record, which this call ends; -EINVAL: no such
	 * port, or this process has opened no device yet
	 */
	int64_t (*record_wqes)(unsigned port, void *to, size_t bytes);

	/**
	 * @command_time: set the duration of later firmware commands, as devx-emu --command-time
	 *
	 * Applies to all ports; the engine runs meanwhile. 0: a command takes no extra time
	 */
	void (*command_time)(uint32_t us);

	/**
	 * @age_counters: add @n lost frames to out_of_buffer of each queue counter of a port
	 *
	 * A 32-bit counter then wraps soon, as on an adapter that has run for days.
	 *
	 * Return: 0, or -EINVAL: no such port, or this process has opened no device yet
	 */
	int (*age_counters)(unsigned port, uint32_t n);

	/**
	 * @clock: choose what advances the device clock from now on, and advance it by @ns now
	 *
	 * The clock register shows the new time at once. Work that is due at the new time waits for
	 * step() or the next turn of the engine.
	 *
	 * Return: the new time in ns; 0: this process has opened no device yet, or does not own the
	 * adapter
	 */
	uint64_t (*clock)(enum devx_emu_clock clock, uint64_t ns);

	/**
	 * @hold_commands: release at most @n held firmware commands of a port, and hold later ones
	 *
	 * @n < 0 releases all and stops holding. The engine keeps running. While a command is held,
	 * other functions of this table may block, except step() and fail() of commands.
	 *
	 * Return: number of commands still held; 0 if this process has no adapter
	 */
	unsigned (*hold_commands)(unsigned port, int n);

	/**
	 * @option: set a profile option on all ports, as devx-emu --profile NAME,@name=N
	 *
	 * Later commands obey the new @value. The emulated kernel sends commands to read the
	 * capabilities of its devices again; a program sees them at its next open of a device.
	 *
	 * Return: the previous value; -EINVAL: no such option, @value is too large, or the adapter
	 * cannot be powered on
	 */
	int64_t (*option)(const char *name, uint32_t value);
};

/** devx_emu_ctl_find - find the control table of emu. Return: NULL without devx-emu */
static inline const struct devx_emu_ctl *devx_emu_ctl_find(void)
{
	const uintptr_t symbol = (uintptr_t)dlsym(RTLD_DEFAULT, "devx_emu_ctl");
	const struct devx_emu_ctl *(*ctl)(void) = (const struct devx_emu_ctl *(*)(void))symbol;

	return ctl ? ctl() : NULL;
}

#endif
