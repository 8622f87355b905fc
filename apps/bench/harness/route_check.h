/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_ROUTE_CHECK_H
#define BENCH_ROUTE_CHECK_H

#include "harness/port.h"

/**
 * bench_route_check - send numbered frames on each queue, and compare those that arrive
 * @from: sends; NULL: the frames of a capture arrive by themselves, from number 0 on, and again
 * @to: receives on any queue; may be @from
 * @contents: compare all bytes; otherwise only the length
 * @why: receives one clause on failure
 * @why_bytes: its size
 *
 * Return: 0; -EIO: a frame is wrong, or is missing after 1.5 s; -ENOMEM: no mbufs
 */
int bench_route_check(const struct bench_port *from, const struct bench_port *to, bool contents,
		      char *why, size_t why_bytes);

#endif
