/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "adapter.h"
#include "capability.h"
#include "exit.h"
#include "launcher.h"
#include "message.h"
#include "mistakes.h"
#include "options.h"
#include "pci.h"
#include "preload.h"
#include "program.h"
#include "program_file.h"
#include "sysfs.h"
#include "tap.h"
#include "warnings.h"
#include "workdir.h"

static int launch_program(struct launcher *l)
{
	int rc = launcher_find_preload(l);

	if (!rc)
		rc = launcher_check_capabilities();
	if (!rc)
		rc = launcher_check_wires(l);
	if (!rc)
		rc = launcher_make_taps(l);
	if (!rc)
		rc = launcher_check_adapter(l);
	if (!rc)
		rc = launcher_make_workdir(l, l->shared);
	if (!rc)
		rc = launcher_make_sysfs(l);
	if (rc)
		return rc;
	launcher_check_program_file(l);
	rc = launcher_run_program(l);
	launcher_report_warnings(l->shared);
	if (l->shared->why[0])
		launcher_fail(0, "there was no adapter: %s", l->shared->why);
	/* mistakes win: a program that fails because of its mistakes shall not hide them */
	return launcher_report_mistakes(l->shared) ? LAUNCHER_EXIT_MISTAKES : rc;
}

int main(int argc, char **argv)
{
	struct launcher l = { .lock_fd = -1 };
	struct emu_shared *wanted; /* until there is a file to map */
	int rc;

	if (argc > 1 && !strcmp(argv[1], "pci"))
		return launcher_serve_pci(argc - 1, argv + 1);
	wanted = calloc(1, sizeof(*wanted));
	l.shared = wanted;
	if (!wanted)
		return launcher_fail(LAUNCHER_EXIT_ENVIRONMENT, "out of memory");
	launcher_parse_options(&l, argc, argv);
	rc = launch_program(&l);
	launcher_remove_workdir(&l);
	launcher_remove_taps(&l);
	free(wanted);
	return rc;
}
