/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/emu_ctl.h"

#include <errno.h>
#include <string.h>

#include "emu/control.h"
#include "emu/uverbs/base/front.h"
#include "emu/uverbs/control/counters.h"
#include "emu/uverbs/device/power.h"
#include "emu/uverbs/device/process.h"

static unsigned n_ports(void)
{
	return uv_front.shared->n_ports;
}

static void set_paused(bool paused)
{
	uv_lock();
	if (!uv_adapter_get())
		emu_set_paused(uv_front.adapter, paused);
	uv_unlock();
}

static void pause_engine(void) { set_paused(true); }
static void resume_engine(void) { set_paused(false); }

static unsigned step(unsigned port, unsigned budget)
{
	struct emu *emu = uv_front_port(port);

	return emu ? emu_poll(emu, budget) : 0;
}

/* ---- failures -------------------------------------------------------------------- */

static void fail_command(int64_t k, uint8_t status)
{
	if (uv_adapter_get())
		return;
	for (unsigned i = 0; i < uv_front.shared->n_ports; i++)
		emu_fail_command(uv_front_port(i), k, status);
}

static int64_t command_pending(void)
{
	int64_t first = -1;

	if (!uv_front.adapter)
		return -1;
	for (unsigned i = 0; i < uv_front.shared->n_ports; i++) {
		const int64_t k = emu_fail_pending(uv_front_port(i));

		if (k >= 0 && (first < 0 || k < first))
			first = k;
	}
	return first;
}

static void fail(enum devx_emu_fail what, int64_t k, int how)
{
	uv_lock();
	switch (what) {
	case DEVX_EMU_FAIL_IOCTL:
		uv_front.fail_ioctl_errno = how ? how : EIO;
		uv_front.fail_ioctl = k;
		break;
	case DEVX_EMU_FAIL_COMMAND:
		fail_command(k, how ? (uint8_t)how : PRM_STATUS_INT_ERR);
		break;
	case DEVX_EMU_FAIL_MMAP:
		uv_front.fail_mmap_errno = how ? how : ENOMEM;
		uv_front.fail_mmap = k;
		break;
	}
	uv_unlock();
}

static int64_t fail_pending(enum devx_emu_fail what)
{
	int64_t k = -1;

	uv_lock();
	switch (what) {
	case DEVX_EMU_FAIL_IOCTL:
		k = uv_front.fail_ioctl;
		break;
	case DEVX_EMU_FAIL_COMMAND:
		k = command_pending();
		break;
	case DEVX_EMU_FAIL_MMAP:
		k = uv_front.fail_mmap;
		break;
	}
	uv_unlock();
	return k < 0 ? -1 : k;
}

static void forgive(void)
{
	uv_lock();
	if (uv_front.adapter)
		emu_lock(uv_front.adapter);
	memset(&uv_front.shared->mistakes, 0, sizeof(uv_front.shared->mistakes));
	if (uv_front.adapter)
		emu_unlock(uv_front.adapter);
	uv_unlock();
}

/* ---- what happens to a device ------------------------------------------------------ */

static int wire_faults(unsigned port, const char *spec)
{
	struct emu *emu;
	char why[160];
	int rc = -EINVAL;

	uv_lock();
	emu = uv_adapter_get() ? NULL : uv_front_port(port);
	if (emu)
		rc = emu_set_wire_faults(emu, spec, why, sizeof(why));
	uv_unlock();
	return rc;
}

static int set_up(struct emu *emu, bool up)
{
	struct emu_link link;

	emu_get_link(emu, &link);
	link.up = up;
	emu_set_link(emu, &link);
	return 0;
}

static int inject(unsigned port, enum devx_emu_inject what, uint32_t id)
{
	struct emu *emu;
	int rc = -EINVAL;

	uv_lock();
	emu = uv_front_port(port);
	if (emu && (what == DEVX_EMU_INJECT_LINK_DOWN || what == DEVX_EMU_INJECT_LINK_UP))
		rc = set_up(emu, what == DEVX_EMU_INJECT_LINK_UP);
	else if (emu)
		rc = emu_fail_queue(emu, what == DEVX_EMU_INJECT_SQ_ERROR ? EMU_SQ : EMU_RQ, id);
	uv_unlock();
	return rc;
}

static const struct devx_emu_ctl ctl = {
	.bytes = sizeof(ctl), .n_ports = n_ports, .pause = pause_engine, .resume = resume_engine,
	.step = step, .fail = fail, .fail_pending = fail_pending, .counters = uv_ctl_counters,
	.wire_faults = wire_faults, .inject = inject, .forgive = forgive,
};

const struct devx_emu_ctl *devx_emu_ctl(void);

__attribute__((visibility("default"))) const struct devx_emu_ctl *devx_emu_ctl(void)
{
	return uv_active() ? &ctl : NULL;
}
