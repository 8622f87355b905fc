/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CLI_MESSAGES_H
#define CLI_MESSAGES_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

/**
 * DOC: Lines that a program of apps/ prints
 *
 * Results go to stdout, errors to stderr with the name of the program in front. A program that
 * writes its results calls report_check_stdout() once before it works, and once at its end.
 *
 * These functions print a control character as \xNN, so that no file and no argument can change the
 * terminal or add a line. A reader of a file refuses names that report_can_print() refuses.
 */

/** report_can_print - true if @text is UTF-8 without control characters */
bool report_can_print(const char *text);

/** report_text - print text to a stream, as the functions below do */
void report_text(FILE *to, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));

/** report_line - print one line of the report to stdout */
void report_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/** report_error - print one line to stderr: the reason why the program ends. Return: @status */
int report_error(int status, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** report_warning - print one line to stderr: the run starts, and will probably fail */
void report_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/**
 * report_check_stdout - did every write to stdout succeed so far?
 * @status: exit status of a program whose report cannot be written
 *
 * Return: 0, or @status after one line on stderr: stdout is closed, not open for writing, or a
 * write failed
 */
int report_check_stdout(int status);

/**
 * report_progress_line - print a progress line; on a terminal it replaces the previous one
 * @to: stdout or stderr, the same for all progress lines of a program
 */
void report_progress_line(FILE *to, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** end_progress_line - on a terminal, end the progress line, so that the next text has its own */
void end_progress_line(void);

#endif
