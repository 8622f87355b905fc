/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/watch.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/messages.h"
#include "run/run.h"

/* ---- Ctrl-Z ---------------------------------------------------------------------- */

static volatile sig_atomic_t is_requested;
static struct sigaction before;

static void request_suspend(int number)
{
	(void)number;
	is_requested = 1;
}

void suspend_catch(void)
{
	const struct sigaction action = { .sa_handler = request_suspend, .sa_flags = SA_RESTART };

	is_requested = 0;
	sigaction(SIGTSTP, NULL, &before);
	if (before.sa_handler != SIG_IGN)
		sigaction(SIGTSTP, &action, NULL);
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

/* ---- ports ----------------------------------------------------------------------- */

enum { TEXT_BYTES = 96 };

static char text[TEXT_BYTES];

static void report_event(const struct run *r, const struct port *port,
			 const struct port_event *event)
{
	static const char *const what[] = {
		[PORT_LINK_DOWN] = "the link went down",
		[PORT_LINK_UP] = "the link came up",
		[PORT_REMOVED] = "the device was removed",
	};

	end_progress_line();
	report_line("%6.1f s: port %u: %s", (double)run_clock_to_ns(&r->clock, event->tsc) / 1e9,
		    port->id, what[event->kind]);
}

const char *port_watch_report(struct run *r)
{
	const char *why = NULL;

	for (unsigned i = 0; i < r->ports.n; i++) {
		struct port *port = &r->ports.port[i];
		const struct port_event *event;

		events_poll(&port->events);
		while ((event = events_take(&port->events)))
			report_event(r, port, event);
		if (atomic_load(&port->events.is_removed)) {
			snprintf(text, sizeof(text), "the device of port %u was removed", port->id);
			why = text;
		}
	}
	return why;
}

const char *port_watch_explain_stall(const struct run *r)
{
	for (unsigned i = 0; i < r->ports.n; i++) {
		const struct port *port = &r->ports.port[i];

		if (!atomic_load(&port->events.is_down))
			continue;
		snprintf(text, sizeof(text),
			 "a port accepted no frame for 5 s: the link of port %u is down", port->id);
		return text;
	}
	return "a port accepted no frame for 5 s";
}
