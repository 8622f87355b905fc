/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_PKTGEN_CHILD_H
#define BENCH_PKTGEN_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

enum { CHILD_LINE_BYTES = 512 };

/**
 * struct child - a program that runs as a child process, with pipes to this one
 * @out: its stdout and stderr
 * @in: its stdin
 * @last: the last line that it printed and that is not empty
 * @peak_kib: its peak memory in KiB (VmHWM), after child_end()
 */
struct child {
	pid_t pid;
	FILE *out;
	int in;
	char last[CHILD_LINE_BYTES];
	long peak_kib;
};

/**
 * child_start - start a program
 * @child: receives its pipes
 * @args: path or name of the program, and its arguments, ended by NULL
 *
 * Return: 0 or -errno. A program that cannot be executed ends with status 127
 */
int child_start(struct child *child, char *const *args);

/**
 * child_read_until - read lines until one contains @text
 * @line: receives that line
 *
 * Return: whether such a line was printed
 */
bool child_read_until(struct child *child, const char *text, char line[CHILD_LINE_BYTES]);

/** child_end - read the remaining lines, and wait. Return: exit status, or 128 + signal number */
int child_end(struct child *child);

#endif
