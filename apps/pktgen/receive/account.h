/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_ACCOUNT_H
#define PKTGEN_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

struct rx;

/** struct account - counters of one flow, or sums of all flows; see struct track and struct rx */
struct account {
	uint64_t sent, received, lost, duplicated, reordered, corrupted, unreadable, foreign;
	uint64_t untracked;
};

/** account_make - make the account of the flow of @rx. @send_only: no packet counts as lost */
struct account account_make(const struct rx *rx, bool send_only);

/** account_add - add @a to @sum */
void account_add(struct account *sum, const struct account *a);

#endif
