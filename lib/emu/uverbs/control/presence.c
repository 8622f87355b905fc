/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/control/presence.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "emu/uverbs/base/front.h"
#include "emu/uverbs/files/file.h"

enum { PATH_BYTES = 512 };

/* The launcher names its directory to libibverbs in SYSFS_PATH. */
static void format_function(char *path, const char *prefix, unsigned port)
{
	const char *sys = getenv("SYSFS_PATH");

	snprintf(path, PATH_BYTES, "%s/bus/pci/devices/%s" EMU_PCI_ADDRESS, sys ? sys : "/sys",
		 prefix, port);
}

/* Renames the directory of the PCI function, so that no program finds it under its address. */
static int hide_function(unsigned port, bool hide)
{
	char shown[PATH_BYTES], hidden[PATH_BYTES];

	format_function(shown, "", port);
	format_function(hidden, "unplugged-", port);
	if (!rename(hide ? shown : hidden, hide ? hidden : shown) || errno == ENOENT)
		return 0;
	return -errno;
}

int uv_presence_fail(unsigned port)
{
	if (!uv_front.dev[port])
		return -EINVAL;
	uv_file_remove_device(uv_front.dev[port]);
	return 0;
}

int uv_presence_remove(unsigned port, bool unplug)
{
	int rc = unplug ? hide_function(port, true) : 0;

	if (rc)
		return rc;
	__atomic_store_n(&uv_front.shared->absent[port], 1, __ATOMIC_RELEASE);
	return uv_presence_fail(port);
}

int uv_presence_return(unsigned port)
{
	const int rc = hide_function(port, false);

	if (!rc)
		__atomic_store_n(&uv_front.shared->absent[port], 0, __ATOMIC_RELEASE);
	return rc;
}
