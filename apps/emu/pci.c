/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/files.h"
#include "emu/pci/pci.h"
#include "report.h"
#include "pci_options.h"

static void print_line(void *arg, const char *line)
{
	(void)arg;
	fprintf(stderr, "devx-emu: %s\n", line);
}

static void print_trace_line(void *arg, const char *line)
{
	fprintf(arg, "%s\n", line);
}

static void block_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, set, NULL);
}

static void *wait_for_signals(void *arg)
{
	struct emu_pci *pci = arg;
	char line[400];
	sigset_t set;
	int sig = 0;

	block_signals(&set);
	while (!sigwait(&set, &sig) && sig == SIGUSR1) {
		emu_pci_list_objects(pci, line, sizeof(line));
		fprintf(stderr, "devx-emu: firmware objects: %s\n", line[0] ? line : "none");
	}
	emu_pci_stop(pci);
	return NULL;
}

/* Return: exit status of devx-emu */
static int report_service(const struct launcher_pci_options *o)
{
	uint64_t n_mistakes;

	if (o->counters)
		launcher_report_traffic(0, o->function.wire, o->function.traffic);
	n_mistakes = launcher_report_mistakes(o->function.mistakes);
	if (n_mistakes || !o->quiet)
		launcher_report_end(n_mistakes, NULL, 0);
	return n_mistakes ? LAUNCHER_EXIT_MISTAKES : 0;
}

static int serve_clients(struct emu_pci *pci, const struct launcher_pci_options *o)
{
	char why[256];
	const int listener = emu_pci_listen(o->socket, why, sizeof(why));
	pthread_t signals;
	int error;

	if (listener < 0)
		return launcher_fail(LAUNCHER_EXIT_ENVIRONMENT, "%s", why);
	error = pthread_create(&signals, NULL, wait_for_signals, pci);
	if (error) {
		close(listener);
		return launcher_fail(LAUNCHER_EXIT_ENVIRONMENT,
				     "cannot start the thread that waits for signals (%s)",
				     strerror(error));
	}
	if (!o->quiet)
		fprintf(stderr, "devx-emu: serving profile %s on %s, wire %s\n",
			o->function.profile, o->socket, o->function.wire);
	error = emu_pci_run(pci, listener);
	if (error) {
		launcher_fail(0, "socket %s: cannot accept clients: %s", o->socket,
			      strerror(-error));
		pthread_kill(signals, SIGTERM);
	}
	pthread_join(signals, NULL);
	close(listener);
	unlink(o->socket);
	return error ? LAUNCHER_EXIT_ENVIRONMENT : 0;
}

/* Checks for links again, since the path may have changed. Returns NULL with errno on failure. */
static FILE *open_trace_file(const char *path)
{
	const int fd = files_create(path, O_APPEND);

	errno = fd < 0 ? -fd : 0;
	return fd < 0 ? NULL : fdopen(fd, "a");
}

/* Return: 0 or exit code */
static int open_trace(struct launcher_pci_options *o)
{
	int rc;

	if (!o->trace)
		return 0;
	rc = launcher_check_trace(o->trace);
	if (rc)
		return rc;
	o->function.arg = strcmp(o->trace, "-") ? open_trace_file(o->trace) : stderr;
	if (!o->function.arg)
		return launcher_fail(LAUNCHER_EXIT_USAGE, "--trace %s: %s", o->trace,
				     files_explain(errno));
	setvbuf(o->function.arg, NULL, _IOLBF, 0); /* keeps complete lines after kill -9 */
	o->function.trace = print_trace_line;
	return 0;
}

int launcher_serve_pci(int argc, char **argv)
{
	static struct emu_mistakes mistakes;
	static struct emu_traffic traffic;
	struct launcher_pci_options o = { .function = { .profile = "cx6dx",
							.wire = "loop",
							.mac = { 0x02, 0xde, 0x5c, 0, 0, 1 },
							.mtu = 1500,
							.mistakes = &mistakes,
							.traffic = &traffic,
							.say = print_line } };
	struct emu_pci *pci;
	char why[256];
	sigset_t set;
	int status;

	launcher_parse_pci_options(&o, argc, argv);
	status = open_trace(&o);
	if (status)
		return status;
	block_signals(&set); /* before any thread starts: threads inherit the mask */
	pci = emu_pci_create(&o.function, why, sizeof(why));
	if (!pci)
		return launcher_fail(LAUNCHER_EXIT_USAGE, "%s", why);
	status = serve_clients(pci, &o);
	emu_pci_destroy(pci);
	if (o.function.arg && o.function.arg != stderr)
		fclose(o.function.arg);
	return status ? status : report_service(&o);
}
