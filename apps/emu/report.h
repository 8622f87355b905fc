/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_REPORT_H
#define LAUNCHER_REPORT_H

#include "emu/control.h"

/** launcher_report_mistakes - print one line per kind of mistake that was made. Return: the sum */
uint64_t launcher_report_mistakes(const struct emu_mistakes *m);

/** launcher_report_traffic - print one line with the frames of a port */
void launcher_report_traffic(unsigned port, const char *wire, const struct emu_traffic *t);

/**
 * launcher_report_end - print the last line: the number of mistakes and how PROGRAM ended
 * @program: its name, or NULL: there is no program
 * @wait_status: as waitpid() gives it
 */
void launcher_report_end(uint64_t n_mistakes, const char *program, int wait_status);

#endif
