/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_REPORT_H
#define LAUNCHER_REPORT_H

#include "emu/uverbs/shared.h"

/** enum launcher_exit - exit statuses of devx-emu that do not come from the program */
enum launcher_exit {
	LAUNCHER_EXIT_USAGE = 2,       /* an option or DEVX_EMU_CAPS is wrong */
	LAUNCHER_EXIT_ENVIRONMENT = 3, /* a file, a permission or memory is missing */
	LAUNCHER_EXIT_MISTAKES = 125,  /* the program exited with 0 and made protocol mistakes */
	LAUNCHER_EXIT_CANNOT_RUN = 126,
	LAUNCHER_EXIT_NOT_FOUND = 127,
};

/** launcher_fail - print "devx-emu: ..." on standard error. Return: @status */
int launcher_fail(int status, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** launcher_report_warnings - print the warnings that libdevx-emu.so wrote to the shared file */
void launcher_report_warnings(const struct emu_shared *shared);

/** launcher_report_mistakes - print a line for each kind of mistake made. Return: their number */
uint64_t launcher_report_mistakes(const struct emu_mistakes *m);

/** launcher_report_traffic - print one line with the frames of a port */
void launcher_report_traffic(unsigned port, const char *wire, const struct emu_traffic *t);

/**
 * launcher_report_end - print the last line: the number of mistakes and how PROGRAM ended
 * @program: its name; NULL: there is no program
 * @wait_status: its status from waitpid()
 */
void launcher_report_end(uint64_t n_mistakes, const char *program, int wait_status);

#endif
