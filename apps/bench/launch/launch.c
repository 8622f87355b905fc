/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch/launch.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/exit.h"
#include "base/program.h"
#include "cli/messages.h"
#include "emu/uverbs/emu_ctl.h"
#include "launch/namespace.h"
#include "launch/netdevs.h"

#define NO_NETDEV "DEVX_BENCH_NO_NETDEV" /* tells a case why net_mlx5 cannot run */
#define LAUNCHED "DEVX_BENCH_LAUNCHED"
#define DRIVER "librte_net_devx.so"

enum { PATH_BYTES = 4096, MAX_ARGS = 256 };

bool launch_is_on_emu(void)
{
	return devx_emu_ctl_find() != NULL;
}

const char *launch_path(void)
{
	static char path[PATH_BYTES];
	const ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[n > 0 ? n : 0] = '\0';
	return path;
}

/* Returns the length of the folder in a path, without the last '/'. */
static int measure_folder(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (int)(slash - path) : 0;
}

/* Returns the folder of net_devx in a build tree, or NULL. EAL finds an installed driver itself. */
static const char *find_driver(void)
{
	static char folder[PATH_BYTES + 32];
	const char *self = launch_path();
	char file[PATH_BYTES + 64];

	snprintf(folder, sizeof(folder), "%.*s/../../drivers/net/devx", measure_folder(self), self);
	snprintf(file, sizeof(file), "%s/" DRIVER, folder);
	return access(file, R_OK) ? NULL : folder;
}

/*
 * Makes the program that devx-emu starts find net_devx by its name. A folder that the user gave
 * comes first.
 */
static void add_driver_path(void)
{
	const char *old = getenv("LD_LIBRARY_PATH"), *folder = find_driver();
	const bool has_old = old && *old;
	char *value;

	if (!folder)
		return;
	if (asprintf(&value, "%s%s%s", has_old ? old : "", has_old ? ":" : "", folder) < 0)
		return;
	setenv("LD_LIBRARY_PATH", value, 1);
	free(value);
}

/* Makes namespaces for netdevs. If this user may not, stores the reason for the cases. */
static int prepare_netdevs(bool *made)
{
	char why[160] = "";

	*made = false;
	if (access(NETDEVS_TUN, R_OK | W_OK))
		snprintf(why, sizeof(why), "no " NETDEVS_TUN "; load the kernel module tun");
	else if (namespace_make(why, sizeof(why)))
		return report_error(BENCH_ENVIRONMENT, "network namespace: %s", why);
	else
		*made = !why[0];
	unsetenv(NO_NETDEV);
	if (why[0])
		setenv(NO_NETDEV, why, 1);
	return 0;
}

int launch_on_emu(const struct bench_case *c, char **argv)
{
	static const char *const usual[] = {
		"--ports", "4", "--wire", "pair", "--mtu", "9978", NULL
	};
	char emu[PATH_BYTES + 32];
	char *args[MAX_ARGS] = { emu, (char *)"--quiet" };
	bool netdevs;
	int n = 2, rc;

	bench_program_find("devx-emu", "emu", emu, sizeof(emu));
	add_driver_path();
	rc = c->prepare ? c->prepare() : 0;
	if (!rc)
		rc = prepare_netdevs(&netdevs);
	if (rc)
		return rc;
	if (netdevs) {
		args[n++] = (char *)"--netdev";
		args[n++] = (char *)NETDEVS_PREFIX;
	}
	for (const char *const *a = c->emu ? c->emu : usual; *a && n < MAX_ARGS - 3; a++)
		args[n++] = (char *)*a;
	args[n++] = (char *)"--";
	args[n++] = (char *)launch_path();
	for (char **a = argv + 1; *a; a++) {
		if (n == MAX_ARGS - 1)
			return report_error(BENCH_USAGE, "too many arguments (valid: at most %d)",
					    MAX_ARGS - 32);
		args[n++] = *a;
	}
	setenv(LAUNCHED, "1", 1);
	execvp(args[0], args);
	return report_error(BENCH_ENVIRONMENT,
			    "devx-emu: cannot run it (%s); build or install it, or measure an "
			    "adapter with --port DEVICE",
			    strerror(errno));
}

/* Returns whether a folder of LD_LIBRARY_PATH has net_devx. */
static bool is_driver_given(void)
{
	const char *list = getenv("LD_LIBRARY_PATH");
	char file[PATH_BYTES];

	while (list && *list) {
		const int n = (int)strcspn(list, ":;");

		snprintf(file, sizeof(file), "%.*s/" DRIVER, n, list);
		if (n && !access(file, R_OK))
			return true;
		list += n + (list[n] != '\0');
	}
	return false;
}

void launch_load_driver(void)
{
	const char *folder = find_driver();
	char file[PATH_BYTES + 64];

	if (!folder || is_driver_given())
		return;
	snprintf(file, sizeof(file), "%s/" DRIVER, folder);
	dlopen(file, RTLD_NOW | RTLD_GLOBAL);
}

int launch_prepare_netdevs(void)
{
	char why[160];

	if (!getenv(LAUNCHED) || getenv(NO_NETDEV) || !netdevs_set_up(why, sizeof(why)))
		return 0;
	return report_error(BENCH_ENVIRONMENT, "%s", why);
}
