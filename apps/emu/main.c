/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launcher.h"
#include "report.h"

#define LIBRARY "libdevx-emu.so"

/* Finds libdevx-emu.so relative to devx-emu. Return: 0 or exit code */
static int find_preload(struct launcher *l)
{
	/* in the same directory; in the build tree of meson; in the installation */
	static const char *const places[] = { "%s/" LIBRARY, "%s/../../lib/emu/uverbs/" LIBRARY,
					      "%s/../" DEVX_LIBDIR "/" LIBRARY };
	char self[2048], path[4096];
	const ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n > 0) {
		self[n] = '\0';
		*strrchr(self, '/') = '\0';
		for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
			snprintf(path, sizeof(path), places[i], self);
#pragma GCC diagnostic pop
			if (realpath(path, l->preload) && !access(l->preload, R_OK))
				return 0;
		}
	}
	return launcher_fail(LAUNCHER_EXIT_ENVIRONMENT,
			     LIBRARY ": not found beside %s, in its build tree or in its "
				     "installation; build it, or run meson install",
			     n > 0 ? self : "devx-emu");
}

/* Return: exit status of devx-emu */
static int report_run(const struct launcher *l, int wait_status)
{
	const struct emu_shared *s = l->shared;
	const int status = launcher_exit_status(wait_status);
	uint64_t n_mistakes;

	launcher_report_warnings(s);
	if (s->why[0])
		launcher_fail(0, "%s: the adapter cannot be powered on: %s", l->program[0], s->why);
	for (unsigned i = 0; l->counters && i < s->n_ports; i++)
		launcher_report_traffic(i, s->port[i].wire, &s->traffic[i]);
	n_mistakes = launcher_report_mistakes(&s->mistakes);
	if (n_mistakes || !l->quiet)
		launcher_report_end(n_mistakes, l->program[0], wait_status);
	return !status && n_mistakes ? LAUNCHER_EXIT_MISTAKES : status;
}

static int launch_program(struct launcher *l)
{
	int wait_status = 0;
	int rc = find_preload(l);

	if (!rc)
		rc = launcher_check_capabilities();
	if (!rc)
		rc = launcher_check_wires(l);
	if (!rc)
		rc = launcher_make_taps(l);
	if (!rc)
		rc = launcher_check_adapter(l);
	if (!rc)
		rc = launcher_check_trace(l->shared->trace);
	if (!rc)
		rc = launcher_make_workdir(l, l->shared);
	if (!rc)
		rc = launcher_make_sysfs(l);
	if (!rc)
		rc = launcher_make_nodes(l);
	if (rc)
		return rc;
	launcher_check_program_file(l);
	rc = launcher_run_program(l, &wait_status);
	return rc ? rc : report_run(l, wait_status);
}

/* Runs PROGRAM on the adapter of another devx-emu; that one reports mistakes and warnings. */
static int launch_attached(struct launcher *l)
{
	int wait_status = 0;
	int rc = find_preload(l);

	if (!rc)
		rc = launcher_check_capabilities();
	if (!rc)
		rc = launcher_attach(l);
	if (rc)
		return rc;
	launcher_check_program_file(l);
	rc = launcher_run_program(l, &wait_status);
	return rc ? rc : launcher_exit_status(wait_status);
}

int main(int argc, char **argv)
{
	struct launcher l = { .lock_fd = -1 };
	static struct emu_shared wanted; /* l.shared until launcher_make_workdir() maps the file */
	int rc;

	if (argc > 1 && !strcmp(argv[1], "pci"))
		return launcher_serve_pci(argc - 1, argv + 1);
	l.shared = &wanted;
	launcher_parse_options(&l, argc, argv);
	if (l.attach)
		return launch_attached(&l);
	rc = launch_program(&l);
	launcher_remove_workdir(&l);
	launcher_remove_taps(&l);
	return rc;
}
