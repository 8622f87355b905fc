/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/emu_ctl.h"

#include <errno.h>
#include <string.h>

#include "emu/control.h"
#include "emu/uverbs/base/front.h"
#include "emu/uverbs/control/control.h"
#include "emu/uverbs/device/dev.h"
#include "emu/uverbs/events/event.h"

static unsigned count_ports(void)
{
	return uv_front.shared->n_ports;
}

static void set_paused(bool paused)
{
	uv_front_lock();
	if (!uv_power_on())
		emu_set_paused(uv_front.adapter, paused);
	uv_front_unlock();
}

static void pause_engine(void)
{
	set_paused(true);
}
static void resume_engine(void)
{
	set_paused(false);
}

static unsigned step_port(unsigned port, unsigned budget)
{
	struct emu *emu = uv_front_find_port(port);

	return emu ? emu_poll(emu, budget) : 0;
}

static void reset_mistakes(void)
{
	uv_front_lock();
	if (uv_front.adapter)
		emu_lock(uv_front.adapter);
	memset(&uv_front.shared->mistakes, 0, sizeof(uv_front.shared->mistakes));
	if (uv_front.adapter)
		emu_unlock(uv_front.adapter);
	uv_front_unlock();
}

/* ---- events of a device ------------------------------------------------------------ */

static int set_wire_faults(unsigned port, const char *spec)
{
	struct emu *emu;
	char why[160];
	int rc = -EINVAL;

	uv_front_lock();
	emu = uv_power_on() ? NULL : uv_front_find_port(port);
	if (emu)
		rc = emu_set_wire_faults(emu, spec, why, sizeof(why));
	uv_front_unlock();
	return rc;
}

static int set_link_up(struct emu *emu, bool up)
{
	struct emu_link link;

	emu_get_link(emu, &link);
	link.up = up;
	emu_set_link(emu, &link);
	return 0;
}

static int lose_event(unsigned port)
{
	if (!uv_front.dev[port])
		return -EINVAL;
	uv_event_lose_next(uv_front.dev[port]);
	return 0;
}

static int inject_into(struct emu *emu, unsigned port, enum devx_emu_inject what, uint32_t id)
{
	switch (what) {
	case DEVX_EMU_INJECT_SQ_ERROR:
		return emu_fail_queue(emu, EMU_SQ, id);
	case DEVX_EMU_INJECT_RQ_ERROR:
		return emu_fail_queue(emu, EMU_RQ, id);
	case DEVX_EMU_INJECT_CQ_ERROR:
		return emu_fail_queue(emu, EMU_CQ, id);
	case DEVX_EMU_INJECT_LINK_DOWN:
	case DEVX_EMU_INJECT_LINK_UP:
		return set_link_up(emu, what == DEVX_EMU_INJECT_LINK_UP);
	case DEVX_EMU_INJECT_DEVICE_FATAL:
		return uv_presence_fail(port);
	case DEVX_EMU_INJECT_DEVICE_REMOVE:
		return uv_presence_remove(port, false);
	case DEVX_EMU_INJECT_DEVICE_UNPLUG:
		return uv_presence_remove(port, true);
	case DEVX_EMU_INJECT_DEVICE_RETURN:
		return uv_presence_restore(port);
	case DEVX_EMU_INJECT_EVENT_LOSS:
		return lose_event(port);
	}
	return -EINVAL;
}

static int inject_error(unsigned port, enum devx_emu_inject what, uint32_t id)
{
	struct emu *emu;
	int rc;

	uv_front_lock();
	emu = uv_front_find_port(port);
	rc = emu ? inject_into(emu, port, what, id) : -EINVAL;
	uv_front_unlock();
	return rc;
}

static int64_t evict_cqes(unsigned port)
{
	struct emu *emu;
	int64_t n;

	uv_front_lock();
	emu = uv_front_find_port(port);
	n = emu ? emu_evict_cqes(emu) : -EINVAL;
	uv_front_unlock();
	return n;
}

static int64_t record_wqes(unsigned port, void *to, size_t bytes)
{
	struct emu *emu;
	int64_t n;

	uv_front_lock();
	emu = uv_front_find_port(port);
	n = emu ? (int64_t)emu_record_wqes(emu, to, bytes) : -EINVAL;
	uv_front_unlock();
	return n;
}

static int age_counters(unsigned port, uint32_t n)
{
	struct emu *emu;

	uv_front_lock();
	emu = uv_front_find_port(port);
	if (emu)
		emu_age_counters(emu, n);
	uv_front_unlock();
	return emu ? 0 : -EINVAL;
}

/* Also sets the time of an adapter that this process powers on later. */
static void set_command_time(uint32_t us)
{
	uv_front_lock();
	uv_front.shared->command_us = us;
	uv_set_command_time();
	uv_front_unlock();
}

/* emu_ctl.h copies enum emu_clock, in order not to include headers of emu. Both must agree. */
_Static_assert((int)DEVX_EMU_CLOCK_REAL == (int)EMU_CLOCK_REAL, "real");
_Static_assert((int)DEVX_EMU_CLOCK_HELD == (int)EMU_CLOCK_HELD, "held");
_Static_assert((int)DEVX_EMU_CLOCK_STEPPED == (int)EMU_CLOCK_STEPPED, "stepped");

static uint64_t set_clock(enum devx_emu_clock clock, uint64_t ns)
{
	uint64_t now = 0;

	uv_front_lock();
	if (uv_front.adapter)
		now = emu_set_clock(uv_front.adapter, (enum emu_clock)clock, ns);
	uv_front_unlock();
	return now;
}

/* Also rereads the capabilities of each open device, as if the kernel reloaded its driver. */
static int64_t set_option(const char *name, uint32_t value)
{
	int64_t before = -EINVAL;

	uv_front_lock();
	if (!uv_power_on())
		before = emu_set_option(uv_front.adapter, name, value);
	for (unsigned i = 0; before >= 0 && i < count_ports(); i++)
		if (uv_front.dev[i] && uv_dev_read_caps(uv_front.dev[i]))
			before = -EINVAL;
	uv_front_unlock();
	return before;
}

/* Does not take uv_front_lock(), because its holder may be waiting for a held command. */
static unsigned hold_commands(unsigned port, int n)
{
	struct emu *emu = uv_front_find_port(port);

	return emu ? emu_hold_commands(emu, n) : 0;
}

static const struct devx_emu_ctl ctl = {
	.bytes = sizeof(ctl),
	.n_ports = count_ports,
	.pause = pause_engine,
	.resume = resume_engine,
	.step = step_port,
	.fail = uv_arm_failure,
	.fail_pending = uv_query_failure,
	.counters = uv_read_counters,
	.wire_faults = set_wire_faults,
	.inject = inject_error,
	.reset_mistakes = reset_mistakes,
	.evict_cqes = evict_cqes,
	.record_wqes = record_wqes,
	.command_time = set_command_time,
	.age_counters = age_counters,
	.clock = set_clock,
	.hold_commands = hold_commands,
	.option = set_option,
};

const struct devx_emu_ctl *devx_emu_ctl(void);

__attribute__((visibility("default"))) const struct devx_emu_ctl *devx_emu_ctl(void)
{
	return uv_is_launched() ? &ctl : NULL;
}
