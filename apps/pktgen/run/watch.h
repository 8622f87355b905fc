/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_WATCH_H
#define PKTGEN_WATCH_H

#include <stdbool.h>
#include <stdint.h>

struct run;

/**
 * DOC: Ctrl-Z (SIGTSTP)
 *
 * The time between SIGTSTP and SIGCONT counts neither in durations nor in rates. Therefore the
 * signal only sets a flag while a run is in progress. The controller then parks the workers and
 * stops the process. After SIGCONT it shifts all times of the run by the length of the pause.
 * SIGSTOP cannot be caught: a pause by SIGSTOP counts as time of the run.
 */

/** suspend_catch - make SIGTSTP only set a flag from now on, unless the process ignores it */
void suspend_catch(void);

/** suspend_release - undo suspend_catch(); stop the process if SIGTSTP arrived meanwhile */
void suspend_release(void);

/** suspend_is_requested - tell whether SIGTSTP has arrived since the last suspend_process() */
bool suspend_is_requested(void);

/** suspend_process - stop the process as SIGTSTP does by default. Returns after SIGCONT */
void suspend_process(void);

/** struct stall - measures for how long a port has accepted no frame of a stream */
struct stall {
	uint64_t sent;     /* packets that the port had accepted at the last update */
	uint64_t since_ms; /* last update with a packet sent or an unblocked sender */
};

/**
 * stall_update - update the stall of a sender
 * @s: zeroed at time 0
 * @sent: packets that the port has accepted since the start
 * @is_blocked: the sender has a frame that the port did not accept, or no free buffer
 * @now_ms: milliseconds since the start
 *
 * A sender without a CPU cannot change @is_blocked, so a stall goes on while it has no CPU.
 *
 * Return: for how many milliseconds the sender has been blocked without sending a packet
 */
static inline uint64_t stall_update(struct stall *s, uint64_t sent, bool is_blocked,
				    uint64_t now_ms)
{
	if (sent != s->sent || !is_blocked)
		s->since_ms = now_ms;
	s->sent = sent;
	return now_ms - s->since_ms;
}

/**
 * port_watch_report - print what happened to the ports since the last call (link down, link up)
 *
 * Return: NULL; or the reason to end the run if a port was removed
 */
const char *port_watch_report(struct run *r);
const char *port_watch_explain_stall(const struct run *r);

#endif
