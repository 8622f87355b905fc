/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/control/control.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "emu/uverbs/base/front.h"
#include "emu/uverbs/files/file.h"

enum { PATH_BYTES = 512 };

/* enum function - kind of function with which a name vanishes; NONE: with the RDMA device */
enum function { NONE, PCI, SUB_FUNCTION };

/*
 * Names below the launcher's directory that vanish with a device, in this order. move_name() skips
 * names that do not exist, because the port has the other kind of function.
 */
static const struct name {
	const char *format; /* for snprintf(), with the number of the port plus @first */
	unsigned first;
	enum function function;
} names[] = {
	{ "dev/infiniband/uverbs%u" },
	{ "dev/char/" EMU_CDEV_MAJOR_TEXT ":%u", EMU_CDEV_MINOR },
	{ "sys/dev/char/" EMU_CDEV_MAJOR_TEXT ":%u", EMU_CDEV_MINOR },
	{ "sys/class/infiniband/mlx5_%u" },
	{ "sys/class/infiniband_verbs/uverbs%u" },
	{ "sys/" EMU_PCI_FUNCTION "/infiniband" },
	{ "sys/" EMU_PCI_FUNCTION "/infiniband_verbs" },
	{ "sys/" EMU_SF_FUNCTION "/infiniband", EMU_SF_FIRST },
	{ "sys/" EMU_SF_FUNCTION "/infiniband_verbs", EMU_SF_FIRST },
	{ "sys/bus/pci/devices/" EMU_PCI_ADDRESS, .function = PCI },
	{ "sys/bus/pci/drivers/mlx5_core/" EMU_PCI_ADDRESS, .function = PCI },
	{ "sys/" EMU_PCI_FUNCTION, .function = PCI },
	{ "sys/bus/auxiliary/devices/" EMU_SF_NAME, EMU_SF_FIRST, SUB_FUNCTION },
	{ "sys/bus/auxiliary/drivers/mlx5_core.sf/" EMU_SF_NAME, EMU_SF_FIRST, SUB_FUNCTION },
	{ "sys/" EMU_SF_FUNCTION, EMU_SF_FIRST, SUB_FUNCTION },
};
enum { N_NAMES = sizeof(names) / sizeof(names[0]) };

/* Moves a name to a hidden directory, or back. Returns 1; 0 if it does not exist; or -errno. */
static int move_name(unsigned k, unsigned port, bool hide)
{
	char name[PATH_BYTES / 2], shown[PATH_BYTES + 1], hidden[PATH_BYTES];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(name, sizeof(name), names[k].format, names[k].first + port);
#pragma GCC diagnostic pop
	snprintf(shown, sizeof(shown), "%s/%s", uv_front.shared->dir, name);
	snprintf(hidden, sizeof(hidden), "%s/hidden/%u.%u", uv_front.shared->dir, k, port);
	if (!rename(hide ? shown : hidden, hide ? hidden : shown))
		return 1;
	return errno == ENOENT ? 0 : -errno;
}

/* Hides the names of a device. If that fails for one, restores those hidden before it. */
static int hide_device(unsigned port, bool unplug)
{
	const enum function leaves = !unplug                          ? NONE
				     : uv_front.shared->sub_functions ? SUB_FUNCTION
								      : PCI;
	bool moved[N_NAMES] = { false };
	int rc = 0;
	unsigned k;

	for (k = 0; rc >= 0 && k < N_NAMES; k++) {
		rc = names[k].function == NONE || names[k].function == leaves
			     ? move_name(k, port, true)
			     : 0;
		moved[k] = rc > 0;
	}
	if (rc >= 0)
		return 0;
	while (k-- > 0)
		if (moved[k])
			move_name(k, port, false);
	return rc;
}

static int show_device(unsigned port)
{
	int rc = 0;

	for (unsigned k = N_NAMES; rc >= 0 && k-- > 0;)
		rc = move_name(k, port, false);
	return rc < 0 ? rc : 0;
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
	int rc = hide_device(port, unplug);

	if (rc)
		return rc;
	__atomic_store_n(&uv_front.shared->absent[port], 1, __ATOMIC_RELEASE);
	return uv_presence_fail(port);
}

int uv_presence_restore(unsigned port)
{
	const int rc = show_device(port);

	if (!rc)
		__atomic_store_n(&uv_front.shared->absent[port], 0, __ATOMIC_RELEASE);
	return rc;
}
