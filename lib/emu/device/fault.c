/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/host.h"

#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "emu/base/dev.h"
#include "emu/base/guard.h"

struct caught {
	int sig;
	struct sigaction program; /* the action that the program set */
};

static struct caught caught[] = { { .sig = SIGSEGV }, { .sig = SIGBUS } };
enum { N_CAUGHT = sizeof(caught) / sizeof(caught[0]) };

static emu_sigaction set_action; /* NULL: emu_fault_catch() was not called */

/* A spin lock, held with all signals blocked: a signal handler may call sigaction(). */
static bool locked;

static void lock_actions(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, before);
	while (__atomic_test_and_set(&locked, __ATOMIC_ACQUIRE))
		sched_yield();
}

static void unlock_actions(const sigset_t *before)
{
	__atomic_clear(&locked, __ATOMIC_RELEASE);
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

void emu_fault_forget_threads(void)
{
	__atomic_clear(&locked, __ATOMIC_RELEASE);
}

static struct caught *find_caught(int sig)
{
	for (int i = 0; i < N_CAUGHT; i++)
		if (caught[i].sig == sig)
			return &caught[i];
	return NULL;
}

/* ---- a signal that is not for emu ------------------------------------------------------- */

/*
 * Makes the default action end the process once the handler returns. A faulting access then faults
 * again; a signal that a process sent has to be queued again.
 */
static void take_default(int sig, siginfo_t *info)
{
	const struct sigaction act = { .sa_handler = SIG_DFL };

	set_action(sig, &act, NULL);
	if (info->si_code <= 0)
		syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), sig, info);
}

static void pass_on(int sig, siginfo_t *info, void *context)
{
	struct caught *c = find_caught(sig);
	struct sigaction act;
	sigset_t before;

	lock_actions(&before);
	act = c->program;
	if (act.sa_flags & SA_RESETHAND)
		c->program = (struct sigaction){ .sa_handler = SIG_DFL };
	unlock_actions(&before);
	if (act.sa_flags & SA_SIGINFO)
		act.sa_sigaction(sig, info, context);
	else if (act.sa_handler == SIG_IGN && info->si_code <= 0)
		return;
	else if (act.sa_handler == SIG_DFL || act.sa_handler == SIG_IGN)
		take_default(sig, info); /* in Linux a program cannot ignore a fault */
	else
		act.sa_handler(sig);
}

static void handle_signal(int sig, siginfo_t *info, void *context)
{
	const int saved = errno;

	emu_guard_catch(info, context);
	pass_on(sig, info, context);
	errno = saved;
}

struct copy {
	void *to;
	const void *from;
	size_t bytes;
	bool began, is_done;
};

static void copy_once(void *arg)
{
	struct copy *c = arg;

	if (c->began)
		return; /* after a fault */
	c->began = true;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	memcpy(c->to, c->from, c->bytes);
	c->is_done = true;
}

bool emu_fault_copy(struct emu *emu, void *to, const void *from, size_t bytes)
{
	struct copy c = { to, from, bytes, false, false };

	emu_lock(emu->adapter);
	emu_guard_run(emu, copy_once, &c);
	emu_unlock(emu->adapter);
	return c.is_done;
}

/* ---- actions -------------------------------------------------------------------------- */

/*
 * Installs the handler with the mask and flags of the program's action. The program's handler then
 * runs on the stack, and with the blocked signals, that the program asked for.
 */
static int install_handler(const struct caught *c)
{
	struct sigaction act = c->program;

	act.sa_sigaction = handle_signal;
	act.sa_flags = (act.sa_flags & ~SA_RESETHAND) | SA_SIGINFO;
	return set_action(c->sig, &act, NULL);
}

void emu_fault_catch(emu_sigaction set)
{
	sigset_t before;

	lock_actions(&before);
	if (!set_action) {
		set_action = set;
		for (int i = 0; i < N_CAUGHT; i++)
			if (!set(caught[i].sig, NULL, &caught[i].program))
				install_handler(&caught[i]);
	}
	unlock_actions(&before);
}

bool emu_fault_is_caught(int sig)
{
	return set_action && find_caught(sig);
}

int emu_fault_action(int sig, const struct sigaction *act, struct sigaction *old)
{
	struct caught *c = find_caught(sig);
	struct sigaction now, was;
	sigset_t mask;
	int rc = 0;

	if (act)
		now = *act; /* before the lock, because an invalid pointer faults here */
	lock_actions(&mask);
	was = c->program;
	if (act) {
		c->program = now;
		rc = install_handler(c);
		if (rc)
			c->program = was;
	}
	unlock_actions(&mask);
	if (old && !rc)
		*old = was;
	return rc;
}
