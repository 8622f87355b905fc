/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RIGHTS_H
#define RIGHTS_H

#include <linux/capability.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/**
 * rights_raw - let this thread have CAP_NET_RAW, or not
 *
 * A kernel looks at the thread's effective capabilities, emu at DEVX_EMU_CAPS. What is given
 * back must have been taken before.
 *
 * Return: whether that could be done
 */
static inline bool rights_raw(bool on)
{
	struct __user_cap_header_struct hdr = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct caps[2];
	const uint32_t bit = 1u << CAP_NET_RAW;

	if (on)
		unsetenv("DEVX_EMU_CAPS");
	else
		setenv("DEVX_EMU_CAPS", "", 1);
	if (syscall(SYS_capget, &hdr, caps))
		return false;
	caps[0].effective =
		on ? caps[0].effective | (caps[0].permitted & bit) : caps[0].effective & ~bit;
	return !syscall(SYS_capset, &hdr, caps);
}

#endif
