/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report.h"

enum { SIGNAL_BASE = 128 }; /* plus N: exit status after signal N, as in shells */

static volatile sig_atomic_t child;

/*
 * Returns true if the kernel has sent the signal to the program as well.
 *
 * On Ctrl-C and Ctrl-\ the kernel signals the foreground process group, but a program such as
 * timeout(1) leaves that group. When a terminal is closed, the kernel sends SIGHUP and SIGCONT only
 * to the session leader, which is the launcher under `ssh -t`.
 */
static bool program_got_signal(int sig, const siginfo_t *about)
{
	const bool sent_by_kernel = about->si_code > 0;
	const bool to_leader = (sig == SIGHUP || sig == SIGCONT) && getsid(0) == getpid();

	return sent_by_kernel && !to_leader && getpgid((pid_t)child) == getpgrp();
}

static void pass_signal_on(int sig, siginfo_t *about, void *context)
{
	const int saved = errno;

	(void)context;
	if (child > 0 && !program_got_signal(sig, about))
		kill((pid_t)child, sig);
	errno = saved;
}

static const int passed_on[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCONT };
enum { N_PASSED_ON = sizeof(passed_on) / sizeof(passed_on[0]) };

/** struct signals - signal handling before catch_signals(); the program starts with it */
struct signals {
	struct sigaction action[N_PASSED_ON];
	sigset_t mask;
};

/* Also blocks the signals. The caller unblocks them once @child is set, so none is lost. */
static void catch_signals(struct signals *before)
{
	struct sigaction sa = { .sa_sigaction = pass_signal_on,
				.sa_flags = SA_SIGINFO | SA_RESTART };
	sigset_t block;

	sigemptyset(&block);
	for (int i = 0; i < N_PASSED_ON; i++)
		sigaddset(&block, passed_on[i]);
	sigprocmask(SIG_BLOCK, &block, &before->mask);
	for (int i = 0; i < N_PASSED_ON; i++)
		sigaction(passed_on[i], &sa, &before->action[i]);
}

/* Runs in the child. The program still ignores the signals that nohup(1) or a shell ignored. */
static void restore_signals(const struct signals *before)
{
	for (int i = 0; i < N_PASSED_ON; i++)
		sigaction(passed_on[i], &before->action[i], NULL);
	sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

static void set_path(const char *name, const char *dir, const char *below)
{
	char value[512];

	snprintf(value, sizeof(value), "%s%s", dir, below);
	setenv(name, value, 1);
}

/*
 * Sets LD_PRELOAD to the sanitizer's runtime (if it is needed and not yet there), the previous
 * value, and libdevx-emu.so.
 */
static void set_preload(const char *library, const char *runtime)
{
	const char *old = getenv("LD_PRELOAD");
	const char *first = old && strstr(old, runtime) ? "" : runtime;
	const size_t bytes = strlen(library) + strlen(first) + (old ? strlen(old) : 0) + 3;
	char *value = malloc(bytes);

	if (!value)
		return;
	snprintf(value, bytes, "%s%s%s%s%s", first, *first ? ":" : "", old ? old : "",
		 old && *old ? ":" : "", library);
	setenv("LD_PRELOAD", value, 1);
	free(value);
}

/* Runs in the child. Returns only if execvp() failed. */
static void exec_program(const struct launcher *l, pid_t parent)
{
	/* the kernel will send the program SIGTERM if the launcher is killed */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(LAUNCHER_EXIT_ENVIRONMENT);
	set_path("SYSFS_PATH", l->dir, "/sys");
	set_path("SYSFS_PCI_DEVICES", l->dir, "/sys/bus/pci/devices");
	set_path(EMU_SHARED_ENV, l->shared_path, "");
	set_preload(l->preload, l->runtime);
	execvp(l->program[0], l->program);
}

/*
 * Waits until the program ends. If the program stops, for example after Ctrl-Z, the launcher stops
 * as well. When the shell continues the launcher, the launcher continues the program.
 */
static int wait_for_program(pid_t pid)
{
	int status;

	for (;;) {
		if (waitpid(pid, &status, WUNTRACED) < 0) {
			if (errno == EINTR)
				continue;
			return LAUNCHER_EXIT_ENVIRONMENT << 8;
		}
		if (!WIFSTOPPED(status))
			return status;
		raise(SIGSTOP);
		kill(pid, SIGCONT);
	}
}

int launcher_exit_status(int wait_status)
{
	return WIFSIGNALED(wait_status) ? SIGNAL_BASE + WTERMSIG(wait_status)
					: WEXITSTATUS(wait_status);
}

int launcher_run_program(struct launcher *l, int *wait_status)
{
	const pid_t parent = getpid();
	struct signals before;
	int report[2], error = 0;
	pid_t pid;

	if (pipe2(report, O_CLOEXEC))
		return launcher_fail(LAUNCHER_EXIT_ENVIRONMENT, "cannot start %s: pipe: %s",
				     l->program[0], strerror(errno));
	catch_signals(&before);
	pid = fork();
	if (pid < 0)
		return launcher_fail(LAUNCHER_EXIT_ENVIRONMENT, "cannot start %s: fork: %s",
				     l->program[0], strerror(errno));
	if (!pid) {
		restore_signals(&before);
		exec_program(l, parent);
		error = errno;
		if (write(report[1], &error, sizeof(error)) < 0)
			_exit(LAUNCHER_EXIT_ENVIRONMENT);
		_exit(LAUNCHER_EXIT_CANNOT_RUN);
	}
	child = pid;
	sigprocmask(SIG_SETMASK, &before.mask, NULL);
	close(report[1]);
	if (read(report[0], &error, sizeof(error)) != sizeof(error))
		error = 0; /* a successful execvp() closed the pipe */
	close(report[0]);
	*wait_status = wait_for_program(pid);
	if (!error)
		return 0;
	return launcher_fail(error == ENOENT ? LAUNCHER_EXIT_NOT_FOUND : LAUNCHER_EXIT_CANNOT_RUN,
			     "%s: %s", l->program[0], strerror(error));
}
