/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_SUSPEND_H
#define PKTGEN_SUSPEND_H

#include <stdbool.h>

/**
 * DOC: Ctrl-Z (SIGTSTP)
 *
 * The time between SIGTSTP and SIGCONT counts neither in durations nor in rates. Therefore the
 * signal only sets a flag while a run is in progress. The controller then parks the workers and
 * stops the process. After SIGCONT it moves all times of the run by the length of the pause.
 * SIGSTOP cannot be caught: a pause by SIGSTOP counts as time of the run.
 */

/** suspend_catch - SIGTSTP sets a flag from now on, unless the process ignores the signal */
void suspend_catch(void);

/** suspend_release - undo suspend_catch(); stop the process if SIGTSTP arrived meanwhile */
void suspend_release(void);

/** suspend_is_requested - has SIGTSTP arrived since the last suspend_process()? */
bool suspend_is_requested(void);

/** suspend_process - stop the process as SIGTSTP does by default. Returns after SIGCONT */
void suspend_process(void);

#endif
