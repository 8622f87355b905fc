/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/control/control.h"

#include <errno.h>
#include <stdbool.h>

#include "emu/control.h"
#include "emu/uverbs/base/front.h"
#include "emu/uverbs/device/dev.h"

static void arm_command(int64_t k, uint8_t status)
{
	for (unsigned i = 0; i < uv_front.shared->n_ports; i++)
		emu_fail_command(uv_front_find_port(i), k, status);
}

static bool power_on(void)
{
	int rc;

	if (uv_front.adapter)
		return true;
	uv_front_lock();
	rc = uv_power_on();
	uv_front_unlock();
	return !rc;
}

static int64_t find_pending_command(void)
{
	int64_t first = -1;

	if (!uv_front.adapter)
		return -1;
	for (unsigned i = 0; i < uv_front.shared->n_ports; i++) {
		const int64_t k = emu_fail_pending(uv_front_find_port(i));

		if (k >= 0 && (first < 0 || k < first))
			first = k;
	}
	return first;
}

/* Returns the countdown of a failure other than DEVX_EMU_FAIL_COMMAND. */
static int64_t *get_countdown(enum devx_emu_fail what)
{
	if (what == DEVX_EMU_FAIL_IOCTL)
		return &uv_front.fail_ioctl;
	return what == DEVX_EMU_FAIL_MMAP ? &uv_front.fail_mmap : &uv_front.fail_device;
}

/* For a command, does not take uv_front_lock(): an ioctl whose command is held has that lock. */
void uv_arm_failure(enum devx_emu_fail what, int64_t k, int how)
{
	if (what == DEVX_EMU_FAIL_COMMAND) {
		if (power_on())
			arm_command(k, how ? (uint8_t)how : PRM_STATUS_INT_ERR);
		return;
	}
	uv_front_lock();
	*get_countdown(what) = k;
	if (what == DEVX_EMU_FAIL_IOCTL)
		uv_front.fail_ioctl_errno = how ? how : EIO;
	else if (what == DEVX_EMU_FAIL_MMAP)
		uv_front.fail_mmap_errno = how ? how : ENOMEM;
	uv_front_unlock();
}

int64_t uv_query_failure(enum devx_emu_fail what)
{
	int64_t k;

	if (what == DEVX_EMU_FAIL_COMMAND)
		return find_pending_command();
	uv_front_lock();
	k = *get_countdown(what);
	uv_front_unlock();
	return k < 0 ? -1 : k;
}
