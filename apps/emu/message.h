/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_MESSAGE_H
#define LAUNCHER_MESSAGE_H

/** launcher_fail - print "devx-emu: ..." on standard error. Return: @status */
int launcher_fail(int status, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
