/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_ACCOUNT_H
#define PKTGEN_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

struct rx;
struct tx;

/**
 * struct account - counters of one stream, or sums of several
 *
 * See struct track and struct rx_stream.
 */
struct account {
	uint64_t sent, received, lost, duplicated, reordered, corrupted, unreadable;
	uint64_t changed, truncated, untimed, untracked;
};

/**
 * account_make - make the account of a stream, after polling has ended
 * @tx: the stream
 * @rx, @n_rx: all receive queues; those that do not expect the stream are ignored
 * @send_only: no packet counts as lost
 */
struct account account_make(const struct tx *tx, const struct rx *rx, unsigned n_rx,
			    bool send_only);

void account_add(struct account *sum, const struct account *a);

#endif
