/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CLI_REASON_H
#define CLI_REASON_H

/**
 * reason_format - format the reason for refusing an argument
 * @format: as for printf(); arguments may be results of this function
 *
 * Return: the text, at most 511 characters, in one of five buffers of this thread: the fifth later
 * call overwrites it
 */
const char *reason_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
