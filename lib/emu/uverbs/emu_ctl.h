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
 * For tests and benchmarks. A program links nothing of emu: devx_emu_ctl_find() looks the table up
 * with dlsym(), and returns NULL on a real adapter and in a process without devx-emu.
 *
 *	const struct devx_emu_ctl *emu = devx_emu_ctl_find();
 *
 *	if (emu) {
 *		emu->fail(DEVX_EMU_FAIL_COMMAND, 3, 0x08);  // the 4th command from now: LIM_ERR
 *		...
 *		emu->fail(DEVX_EMU_FAIL_COMMAND, -1, 0);
 *	}
 *
 * Later versions add members only at the end of the table and of its structs. Compare
 * devx_emu_ctl.bytes with the size at compile time, and pass sizeof of your struct to counters().
 * The first port is 0. Until this process opens a device, the counters of a port are 0, except
 * those of all ports. Every function may be called from any thread, and none from a signal handler.
 */

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
 * the register makes progress.
 */
enum devx_emu_clock {
	DEVX_EMU_CLOCK_REAL,
	DEVX_EMU_CLOCK_HELD,
	DEVX_EMU_CLOCK_STEPPED,
};

/** enum devx_emu_fail - kinds of operations that fail() can make fail */
enum devx_emu_fail {
	DEVX_EMU_FAIL_IOCTL,   /* a uverbs ioctl; @how: errno, 0 = EIO */
	DEVX_EMU_FAIL_COMMAND, /* a firmware command of each port; @how: status, 0 = INT_ERR */
	DEVX_EMU_FAIL_MMAP,    /* an mmap of a uverbs file; @how: errno, 0 = ENOMEM */
	DEVX_EMU_FAIL_DEVICE,  /* the device disappears before a uverbs ioctl; @how is ignored */
};

/** enum devx_emu_inject - events that a device can raise by itself */
enum devx_emu_inject {
	DEVX_EMU_INJECT_SQ_ERROR,  /* SQ number @id goes to error state and flushes its WQEs */
	DEVX_EMU_INJECT_RQ_ERROR,  /* RQ number @id goes to error state and flushes its WQEs */
	DEVX_EMU_INJECT_LINK_DOWN, /* @id is ignored */
	DEVX_EMU_INJECT_LINK_UP,
	DEVX_EMU_INJECT_CQ_ERROR, /* CQ number @id and its SQs and RQs go to error state for good */
	DEVX_EMU_INJECT_DEVICE_FATAL, /* the kernel reports it and removes the device from every
				       * open file; an open finds it again. @id is ignored */
	/* the kernel has no memory for the next event of a channel with data. @id is ignored */
	DEVX_EMU_INJECT_EVENT_LOSS,
	/* as DEVICE_FATAL; no program finds the RDMA device until RETURN. @id is ignored */
	DEVX_EMU_INJECT_DEVICE_REMOVE,
	/* as DEVICE_REMOVE, and the PCI function leaves sysfs. @id is ignored */
	DEVX_EMU_INJECT_DEVICE_UNPLUG,
	/* ends DEVICE_REMOVE or DEVICE_UNPLUG: an open finds the device again. @id is ignored */
	DEVX_EMU_INJECT_DEVICE_RETURN,
};

/** struct devx_emu_ctl - table of control functions */
struct devx_emu_ctl {
	/** @bytes: size of this table in the running emu */
	size_t bytes;

	/** @n_ports: number of ports, as given by devx-emu --ports */
	unsigned (*n_ports)(void);

	/** @pause: stop the engine, and return when it has stopped; doorbells stay pending */
	void (*pause)(void);

	/** @resume: start the paused engine again */
	void (*resume)(void);

	/**
	 * @step: run the data path of one port of a paused engine, for at most @budget packets
	 *
	 * Return: number of packets moved; 0 = none can move now, or this process has no adapter
	 */
	unsigned (*step)(unsigned port, unsigned budget);

	/**
	 * @fail: make one operation of kind @what fail, after @k others; @k < 0 disarms
	 *
	 * Each port counts its own commands, so one command of each port fails.
	 *
	 * Commands that the emulated kernel sends by itself (for open, a PD, an MR, a flow) also
	 * count, and commands that destroy an object: disarm before you clean up.
	 */
	void (*fail)(enum devx_emu_fail what, int64_t k, int how);

	/**
	 * @fail_pending: number of operations before the armed one, which fails
	 *
	 * Return: that number, for commands the smallest of all ports; -1 if no operation is armed,
	 * or if the armed one has failed
	 */
	int64_t (*fail_pending)(enum devx_emu_fail what);

	/**
	 * @counters: read the counters of a port
	 *
	 * @bytes is the caller's sizeof(*c). The function writes exactly that many bytes, and sets
	 * members that the running emu does not have to 0.
	 *
	 * Return: 0, or -EINVAL: no such port
	 */
	int (*counters)(unsigned port, struct devx_emu_counters *c, size_t bytes);

	/**
	 * @wire_faults: set the faults of a port's wire, as in "drop=0.01,seed=7"; "" removes all
	 *
	 * Return: 0, or -EINVAL: no such port, invalid @spec, or the adapter cannot be powered on
	 */
	int (*wire_faults)(unsigned port, const char *spec);

	/**
	 * @inject: raise event @what on a port, as a device does without a command
	 *
	 * Return: 0, or -EINVAL: no such port or object, or this process has opened no device yet
	 */
	int (*inject)(unsigned port, enum devx_emu_inject what, uint32_t id);

	/** @reset_mistakes: set the counts of protocol mistakes to 0, after deliberate ones */
	void (*reset_mistakes)(void);

	/**
	 * @evict_cqes: evict the rings of all CQs of a port from the caches of all CPUs
	 *
	 * Then software finds them in memory. An adapter writes there if the machine does not let
	 * it write into the cache.
	 *
	 * Return: number of bytes evicted; -EINVAL: no such port, or this process has opened no
	 * device yet; -ENOTSUP: emu knows no instruction for it on this processor
	 */
	int64_t (*evict_cqes)(unsigned port);

	/**
	 * @record_wqes: copy each send WQE that a port executes to @to; NULL: stop
	 *
	 * WQEs follow each other without gaps; each has the length that ds of its control segment
	 * says. Failed and flushed WQEs are left out. The first WQE that does not fit into @bytes
	 * ends the record.
	 *
	 * Return: number of bytes in the record that ends with this call; -EINVAL: no such port, or
	 * this process has opened no device yet
	 */
	int64_t (*record_wqes)(unsigned port, void *to, size_t bytes);

	/**
	 * @command_time: set how long each later firmware command of all ports takes
	 *
	 * As devx-emu --command-time. The engine runs meanwhile. 0: no longer than its work
	 */
	void (*command_time)(uint32_t us);

	/**
	 * @age_counters: add @n lost frames to out_of_buffer of each queue counter of a port
	 *
	 * A counter of 32 bits then wraps soon, as on an adapter that runs for days.
	 *
	 * Return: 0, or -EINVAL: no such port, or this process has opened no device yet
	 */
	int (*age_counters)(unsigned port, uint32_t n);

	/**
	 * @clock: choose how the time of the device passes from now on, and move it by @ns
	 *
	 * The clock register shows a new time at once. step() or the next turn of the engine acts
	 * on it.
	 *
	 * Return: the new time in ns; 0: this process has opened no device yet, or is not the owner
	 */
	uint64_t (*clock)(enum devx_emu_clock clock, uint64_t ns);

	/**
	 * @hold_commands: hold each later firmware command of a port before it runs
	 *
	 * Lets at most @n held commands run; @n < 0: all, and holds no later one. The engine
	 * continues. Other functions of this table may block, except step() and fail() of
	 * commands.
	 *
	 * Return: number of commands that are still held; 0 if this process has no adapter
	 */
	unsigned (*hold_commands)(unsigned port, int n);

	/**
	 * @option: set an option of the profile of all ports, as devx-emu --profile NAME,@name=N
	 *
	 * Commands obey the new @value from now on. The emulated kernel reads the capabilities of
	 * its devices again, by commands; a program reads them when it opens a device.
	 *
	 * Return: the value before; -EINVAL: no such option, @value is too large, or the adapter
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
