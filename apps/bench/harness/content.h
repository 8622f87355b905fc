/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_CONTENT_H
#define BENCH_CONTENT_H

#include "harness/engine.h"

/**
 * bench_content_check - send numbered frames and compare every received byte and field
 * @port: the engine of emu is paused, and nothing is in flight; its frame is set
 * @why: receives one clause on failure
 * @why_bytes: size of @why
 *
 * Measuring a driver that loses or changes packets would be worthless. Leaves frames of the same
 * length in the buffers; bench_port_set_frame() restores the numbers.
 *
 * Return: 0; -EIO: @why says which frame differs; -ENOMEM: no mbufs
 */
int bench_content_check(const struct bench_port *port, char *why, size_t why_bytes);

/**
 * bench_content_check_ring - the same with the port's ring, which sends copies of one frame
 *
 * Return: 0; -EIO: @why says which frame differs
 */
int bench_content_check_ring(const struct bench_port *port, char *why, size_t why_bytes);

#endif
