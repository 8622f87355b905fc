/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_STALL_H
#define PKTGEN_STALL_H

#include <stdbool.h>
#include <stdint.h>

/** struct stall - finds out for how long the port of one flow has taken no frame */
struct stall {
	uint64_t sent;     /* packets that the port had taken at the last update */
	uint64_t since_ms; /* last update with a packet sent or an unblocked sender */
};

/**
 * stall_update - note what a sender did until now
 * @s: zeroed at time 0
 * @sent: packets that the port has taken since the start
 * @is_blocked: the sender has a frame that the port did not take, or no free buffer
 * @now_ms: milliseconds since the start
 *
 * A sender that has no CPU keeps its @is_blocked, so the time without a CPU belongs to the stall.
 *
 * Return: for how many milliseconds the sender has been blocked without sending a packet
 */
static inline uint64_t stall_update(struct stall *s, uint64_t sent, bool is_blocked,
				    uint64_t now_ms)
{
	if (sent != s->sent || !is_blocked)
		s->since_ms = now_ms;
	s->sent = sent;
	return now_ms - s->since_ms;
}

#endif
