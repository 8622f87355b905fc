/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_PAUSE_H
#define PKTGEN_PAUSE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * DOC: Pause frames
 *
 * A port stops sending while the other side sends pause frames (IEEE 802.3x) or priority pause
 * frames (802.1Qbb). Ports count them in extended statistics, whose names differ by driver.
 */

/** pause_is_counter - tell whether the extended statistic @name counts received pause frames */
bool pause_is_counter(const char *name);

/**
 * pause_read - read how many pause frames a port has received
 * @port: number of an ethdev port
 * @n: receives the sum of its counters of received pause frames
 *
 * Allocates memory: not for the packet path.
 *
 * Return: true; or false with *@n = 0 if the port does not count them or cannot be read
 */
bool pause_read(uint16_t port, uint64_t *n);

#endif
