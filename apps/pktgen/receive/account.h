/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_ACCOUNT_H
#define PKTGEN_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

struct rx;

/** struct account - what became of all packets of one flow, or of all flows; see track.h */
struct account {
	uint64_t sent, received, lost, duplicated, reordered, corrupted, unreadable, foreign;
	uint64_t untracked;
};

/** account_make - the account of the flow that @rx receives. @send_only: nothing counts as lost */
struct account account_make(const struct rx *rx, bool send_only);

/** account_add - add @a to @sum */
void account_add(struct account *sum, const struct account *a);

#endif
