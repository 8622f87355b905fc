/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_PKTGEN_SENDER_FIXTURE_H
#define TESTS_PKTGEN_SENDER_FIXTURE_H

#include "send/tx.h"

static uint64_t clock_now;

static uint64_t read_clock(void)
{
	return clock_now;
}

static unsigned room = PKTGEN_BURST; /* frames that the sender can make */

static unsigned make_frames(struct tx *tx, unsigned n, uint64_t first, uint64_t now)
{
	(void)tx;
	(void)first;
	(void)now;
	return n < room ? n : room;
}

static unsigned send_frames(struct tx *tx)
{
	return tx->n_pending;
}

/* A sender whose port accepts every frame. It takes no time, because a test moves the clock. */
static const struct sender sender = { .make = make_frames, .send = send_frames };

#endif
