/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_RATE_REASON_H
#define PKTGEN_RATE_REASON_H

#include <stddef.h>
#include <stdint.h>

/** enum rate_reason - why a port sent less than the requested rate */
enum rate_reason {
	RATE_REASON_CPU,   /* the port had room for frames; the send loop did not fill it */
	RATE_REASON_PORT,  /* no free send descriptor: the port sends no faster */
	RATE_REASON_PAUSE, /* the same, and the port received pause frames */
};

/**
 * struct rate_signs - what is known about the sender
 * @n_samples, @n_blocked: see struct run
 * @n_pauses: pause frames that the port received; 0 also if it does not count them
 */
struct rate_signs {
	uint64_t n_samples, n_blocked, n_pauses;
};

/** rate_reason_find - find the reason */
enum rate_reason rate_reason_find(const struct rate_signs *s);

/** rate_reason_get_code - get the name of a reason for programs: it stays the same */
const char *rate_reason_get_code(enum rate_reason reason);

/** rate_reason_write - write a reason as text of at most @bytes bytes for people */
void rate_reason_write(enum rate_reason reason, const struct rate_signs *s, char *text,
		       size_t bytes);

#endif
