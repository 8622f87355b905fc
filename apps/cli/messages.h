/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CLI_MESSAGES_H
#define CLI_MESSAGES_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

/**
 * DOC: Lines that a program of apps/ prints
 *
 * Results go to stdout; errors go to stderr, after the name of the program. A program that prints
 * results calls report_check_stdout() before it starts to work and again at its end.
 *
 * All functions print a control character as \xNN, so text from a file or an argument cannot change
 * the terminal or add a line. Code that reads names from a file refuses those for which
 * report_can_print() is false.
 */

/** report_can_print - check that @text is UTF-8 without control characters */
bool report_can_print(const char *text);

/** report_text - print text to any stream */
void report_text(FILE *to, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));

/** report_line - print one line of the report to stdout */
void report_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/** report_error - print to stderr, on one line, why the program ends. Return: @status */
int report_error(int status, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** report_warning - print to stderr, on one line, why the run will probably fail */
void report_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/**
 * report_check_stdout - check that stdout is open for writing and that every write has succeeded
 * @status: exit status of the program if that is not the case
 *
 * The first write that fails has printed its line on stderr at once.
 *
 * Return: 0; or @status, after an error line on stderr
 */
int report_check_stdout(int status);

/**
 * report_progress_line - print a progress line; on a terminal it replaces the previous one
 * @to: stdout or stderr, the same for all progress lines of a program
 */
void report_progress_line(FILE *to, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** end_progress_line - on a terminal, end the progress line before other text */
void end_progress_line(void);

#endif
