/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_TESTBED_CHECK_H
#define BENCH_TESTBED_CHECK_H

#include "harness/port.h"

/**
 * bench_testbed_check - send numbered frames on each queue, and compare those that arrive
 * @from: the sender; NULL: a capture with the frames from number 0 on arrives again and again
 * @to: the receiver, on any queue; may be @from
 * @contents: compare all bytes; otherwise only the length
 * @why: receives one clause on failure
 * @why_bytes: size of @why
 *
 * Return: 0; -EIO if a frame is wrong, or still missing after 1.5 s; or -ENOMEM without mbufs
 */
int bench_testbed_check(const struct bench_port *from, const struct bench_port *to, bool contents,
			char *why, size_t why_bytes);

#endif
