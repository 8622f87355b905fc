/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "emu_app.h"
#include "pci.h"

int emu_fail(int status, const char *fmt, ...)
{
	va_list args;

	fflush(stdout);
	fputs("devx-emu: ", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	return status;
}

static int launch(struct emu_app *app)
{
	int rc = emu_find_preload(app);

	if (!rc)
		rc = emu_tap_make(app);
	if (!rc)
		rc = emu_check(app);
	if (!rc)
		rc = emu_workdir_make(app, app->shared);
	if (!rc)
		rc = emu_sysfs_make(app);
	if (rc)
		return rc;
	rc = emu_run(app);
	if (app->shared->why[0])
		emu_fail(0, "there was no adapter: %s", app->shared->why);
	/* mistakes win: a program that fails because of its mistakes shall not hide them */
	return emu_report(app->shared) ? EMU_EXIT_MISTAKES : rc;
}

int main(int argc, char **argv)
{
	struct emu_app app = { .lock_fd = -1 };
	struct emu_shared *wanted; /* until there is a file to map */
	int rc;

	if (argc > 1 && !strcmp(argv[1], "pci"))
		return pci_main(argc - 1, argv + 1);
	wanted = calloc(1, sizeof(*wanted));
	app.shared = wanted;
	if (!wanted)
		return emu_fail(EMU_EXIT_ENVIRONMENT, "out of memory");
	emu_options(&app, argc, argv);
	rc = launch(&app);
	emu_workdir_remove(&app);
	emu_tap_remove(&app);
	free(wanted);
	return rc;
}
