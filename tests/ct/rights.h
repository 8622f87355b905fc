/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RIGHTS_H
#define RIGHTS_H

#include <linux/capability.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/**
 * rights_raw - switch CAP_NET_RAW of this thread on or off
 *
 * Changes both the effective capabilities, which a kernel checks, and DEVX_EMU_CAPS, which emu
 * checks. "On" only restores a capability that the thread had before.
 *
 * Return: true unless the kernel refuses the change
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
