/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "adapter.h"
#include "exit.h"
#include "launcher.h"
#include "message.h"
#include "mistakes.h"
#include "options.h"
#include "pci.h"
#include "preload.h"
#include "program.h"
#include "sysfs.h"
#include "tap.h"
#include "workdir.h"

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
