/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_PAUSE_H
#define PKTGEN_PAUSE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * DOC: Pause frames
 *
 * A port stops sending while the other side sends pause frames (IEEE 802.3x) or pause frames of a
 * priority (802.1Qbb). Ports count them in extended statistics, whose names differ by driver.
 */

/** pause_is_counter - is @name an extended statistic that counts received pause frames? */
bool pause_is_counter(const char *name);

/**
 * pause_read - read how many pause frames a port has received
 * @port: number of an ethdev port
 * @n: sum of its counters of received pause frames
 *
 * Allocates memory: not for the packet path.
 *
 * Return: false: the port does not count them, or its statistics cannot be read; *@n is then 0
 */
bool pause_read(uint16_t port, uint64_t *n);

#endif
