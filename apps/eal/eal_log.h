/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EAL_LOG_H
#define EAL_LOG_H

/**
 * DOC: Log of EAL and drivers
 *
 * A program of apps/ prints one line for a failure. So it holds back the log lines of EAL and of
 * drivers until the run starts, and finds the reason for a failure in them.
 */

/** eal_log_keep - hold back log lines until eal_log_show(); do nothing if memory runs out */
void eal_log_keep(void);

/** eal_log_get_fd - return the file descriptor of the kept lines; -1: lines are not kept */
int eal_log_get_fd(void);

/** eal_log_clear - drop the lines kept so far */
void eal_log_clear(void);

/**
 * eal_log_read_error - find the first line of level error since eal_log_clear()
 * @otherwise: the result if there is no such line
 *
 * Return: the line, valid until the next call of an eal_log function
 */
const char *eal_log_read_error(const char *otherwise);

/**
 * eal_log_read_last - find the last line since eal_log_clear(), of any level, that gives a reason
 * @otherwise: the result if there is no such line
 *
 * Includes getopt's messages while EAL starts, which have no level.
 *
 * Return: the line, valid until the next call of an eal_log function
 */
const char *eal_log_read_last(const char *otherwise);

/** eal_log_show - drop the lines kept so far, and send later log lines to stderr */
void eal_log_show(void);

#endif
