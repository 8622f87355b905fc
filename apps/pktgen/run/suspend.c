/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/suspend.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t is_requested;
static struct sigaction before;

static void request_suspend(int number)
{
	(void)number;
	is_requested = 1;
}

static void set_handler(void)
{
	const struct sigaction action = { .sa_handler = request_suspend, .sa_flags = SA_RESTART };

	sigaction(SIGTSTP, &action, NULL);
}

void suspend_catch(void)
{
	is_requested = 0;
	sigaction(SIGTSTP, NULL, &before);
	if (before.sa_handler != SIG_IGN)
		set_handler();
}

void suspend_release(void)
{
	sigaction(SIGTSTP, &before, NULL);
	if (is_requested)
		suspend_process();
}

bool suspend_is_requested(void)
{
	return is_requested;
}

void suspend_process(void)
{
	struct sigaction current;

	sigaction(SIGTSTP, NULL, &current);
	signal(SIGTSTP, SIG_DFL);
	is_requested = 0;
	raise(SIGTSTP);
	sigaction(SIGTSTP, &current, NULL);
}
