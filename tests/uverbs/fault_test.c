/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SIGSEGV and SIGBUS of the program, while emu handles both: each behaves as without emu. Each test
 * runs a program in a child.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "quiet_fork.h"
#include "verbs_rig.h"

FIXTURE(fault)
{
	struct ibv_context *ctx;
	uint8_t *page; /* not mapped */
};

FIXTURE_SETUP(fault)
{
	self->ctx = verbs_rig_open(true);
	ASSERT_NE(NULL, self->ctx);
	self->page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

FIXTURE_TEARDOWN(fault)
{
	munmap(self->page, 4096);
	EXPECT_EQ(0, ibv_close_device(self->ctx));
}

static uint8_t *volatile at;
static volatile sig_atomic_t n_calls, seen_code, is_blocked;
static sigjmp_buf back;

static void touch_page(void)
{
	*(volatile uint8_t *)at = 1;
}

/* Runs @program in a child. Return: its wait status */
static int run_child(struct ct_fix_fault *self, int (*program)(void))
{
	const struct rlimit no_core = { 0, 0 };
	const pid_t pid = quiet_fork();
	int status = -1;

	if (!pid) {
		at = self->page;
		setrlimit(RLIMIT_CORE, &no_core);
		_exit(program());
	}
	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	return status;
}

/* ---- default action ---------------------------------------------------------------------- */

static int fault_by_default(void)
{
	signal(SIGSEGV, SIG_DFL); /* AddressSanitizer has set a handler */
	touch_page();
	return 1;
}
static int fault_ignored(void)
{
	signal(SIGSEGV, SIG_IGN);
	touch_page();
	return 1;
}
static int kill_by_default(void)
{
	signal(SIGSEGV, SIG_DFL);
	kill(getpid(), SIGSEGV);
	return 1;
}
static int raise_bus_by_default(void)
{
	signal(SIGBUS, SIG_DFL);
	raise(SIGBUS);
	return 1;
}
static int kill_ignored(void)
{
	signal(SIGSEGV, SIG_IGN);
	kill(getpid(), SIGSEGV);
	return 7;
}

static const struct recipe {
	const char *name;
	int (*run)(void);
	int signal, status; /* the signal that ends the program; or its exit status */
} defaults[] = {
	{ "fault", fault_by_default, SIGSEGV, 0 },
	{ "ignored_fault", fault_ignored, SIGSEGV, 0 },
	{ "kill", kill_by_default, SIGSEGV, 0 },
	{ "raised_bus_error", raise_bus_by_default, SIGBUS, 0 },
	{ "ignored_kill", kill_ignored, 0, 7 },
};

TEST_F_EACH(fault, default_action_ends_the_program, struct recipe, defaults)
{
	const int status = run_child(self, row->run);

	EXPECT_EQ(row->signal, WIFSIGNALED(status) ? WTERMSIG(status) : 0);
	if (!row->signal)
		EXPECT_EQ(row->status, WEXITSTATUS(status));
}

/* ---- handlers of the program --------------------------------------------------------------- */

static void map_page(int sig, siginfo_t *info, void *context)
{
	sigset_t now;

	(void)context;
	n_calls++;
	seen_code = info->si_code;
	pthread_sigmask(SIG_SETMASK, NULL, &now);
	is_blocked = sigismember(&now, sig) && sigismember(&now, SIGUSR1);
	mprotect(at, 4096, PROT_READ | PROT_WRITE);
}

static void jump_back(int sig)
{
	n_calls++;
	siglongjmp(back, sig);
}

static int handle_with_siginfo(void)
{
	struct sigaction act = { .sa_sigaction = map_page, .sa_flags = SA_SIGINFO }, old;

	sigaddset(&act.sa_mask, SIGUSR1);
	if (sigaction(SIGSEGV, &act, NULL))
		return 1;
	touch_page();
	if (n_calls != 1 || seen_code != SEGV_ACCERR || !is_blocked)
		return 2;
	return sigaction(SIGSEGV, NULL, &old) || old.sa_sigaction != map_page ||
	       !sigismember(&old.sa_mask, SIGUSR1);
}

static int handle_with_signal(void)
{
	signal(SIGSEGV, SIG_DFL);
	if (signal(SIGSEGV, jump_back) != SIG_DFL)
		return 1;
	for (volatile int i = 0; i < 3; i++)
		if (!sigsetjmp(back, 1))
			touch_page();
	return n_calls != 3 || signal(SIGSEGV, SIG_DFL) != jump_back;
}

/* A handler that resets itself, as those that print a backtrace and crash again. */
static int handle_once(void)
{
	struct sigaction act = { .sa_handler = jump_back, .sa_flags = SA_RESETHAND }, old;

	sigaction(SIGSEGV, &act, NULL);
	if (!sigsetjmp(back, 1))
		touch_page();
	if (n_calls != 1 || sigaction(SIGSEGV, NULL, &old) || old.sa_handler != SIG_DFL)
		return 1;
	touch_page();
	return 2;
}

static void crash_again(int sig)
{
	signal(sig, SIG_DFL);
	raise(sig);
}

static int handle_and_crash(void)
{
	signal(SIGSEGV, crash_again);
	touch_page();
	return 1;
}

static const struct recipe handlers[] = {
	{ "with_siginfo", handle_with_siginfo, 0, 0 },
	{ "with_signal", handle_with_signal, 0, 0 },
	{ "once", handle_once, SIGSEGV, 0 },
	{ "and_crash", handle_and_crash, SIGSEGV, 0 },
};

TEST_F_EACH(fault, reaches_the_handler_of_the_program, struct recipe, handlers)
{
	const int status = run_child(self, row->run);

	EXPECT_EQ(row->signal, WIFSIGNALED(status) ? WTERMSIG(status) : 0);
	if (!row->signal)
		EXPECT_EQ(row->status, WEXITSTATUS(status));
}

TEST_F(fault, uverbs_file_cannot_be_truncated)
{
	EXPECT_EQ(-1, ftruncate(self->ctx->cmd_fd, 0));
}
