/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EAL_LOG_H
#define EAL_LOG_H

/**
 * DOC: Log of EAL and drivers
 *
 * A program of apps/ prints one line for a failure. It keeps the log lines of EAL and of drivers
 * back until the run starts, and takes the reason of a failure from them.
 */

/** eal_log_keep - keep log lines back until eal_log_show(); without memory for them: do nothing */
void eal_log_keep(void);

/** eal_log_get_fd - the file descriptor that kept lines are written to; -1: lines are not kept */
int eal_log_get_fd(void);

/** eal_log_clear - forget the lines kept so far */
void eal_log_clear(void);

/**
 * eal_log_read_error - the first line of level error since eal_log_clear()
 * @otherwise: the result if no such line was kept
 *
 * Return: valid until the next call of an eal_log function
 */
const char *eal_log_read_error(const char *otherwise);

/**
 * eal_log_read_last - the last line since eal_log_clear(), of any level, that names a reason
 * @otherwise: the result if no such line was kept
 *
 * While EAL starts, getopt's messages are kept too. They have no level.
 *
 * Return: valid until the next call of an eal_log function
 */
const char *eal_log_read_last(const char *otherwise);

/** eal_log_show - drop the lines kept so far; log lines go to stderr from now on */
void eal_log_show(void);

#endif
