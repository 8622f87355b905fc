/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CLI_REASON_H
#define CLI_REASON_H

/**
 * reason_format - write the reason of a refusal
 * @format: as printf(). Arguments may also be reasons
 *
 * Return: the text, at most 511 characters. It is valid until this thread has written four more
 */
const char *reason_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
