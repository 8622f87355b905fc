/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_PUBLISH_H
#define PKTGEN_PUBLISH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/progress.h"

/**
 * DOC: Figures for `devx-pktgen monitor`
 *
 * With --allow-monitor, the controller of a run writes its progress to a memory zone of EAL for a
 * second process. The workers are not involved. @seq is odd while the controller writes. A reader
 * tries again if @seq was odd or changed during the read.
 */

#define PUBLISH_ZONE "devx_pktgen"

/* Raise it when struct published changes. */
enum { PUBLISH_LAYOUT = 1, PUBLISH_STAGE_BYTES = 16 };

/**
 * struct published - the memory zone
 * @layout: PUBLISH_LAYOUT
 * @seq: twice the number of writes; odd during a write
 * @ms, @sent, @arrived, @share, @left_s: as in struct progress
 * @distinct: packets of which at least one copy arrived
 * @stage: "sending", "draining", or "ended" before the ports close
 */
struct published {
	uint32_t layout;
	_Atomic uint32_t seq;
	uint64_t ms, sent, arrived, distinct;
	double share, left_s;
	char stage[PUBLISH_STAGE_BYTES];
};

/** publish_begin - make the memory zone. Return: 0, or -errno of rte_memzone_reserve() */
int publish_begin(void);

/** publish_write - write the progress of the run; without publish_begin(), do nothing */
void publish_write(const struct progress *p, uint64_t distinct);

/** publish_end - write that the run ended; call it before the ports stop */
void publish_end(void);

/** publish_find - find the zone of the primary process, of any layout. Return: NULL before a run */
const struct published *publish_find(void);

/** publish_read - make a consistent copy of the zone. Return: false if the writer interfered */
bool publish_read(const struct published *zone, struct published *copy);

#endif
