/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_PUBLISH_H
#define PKTGEN_PUBLISH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/progress.h"

/**
 * DOC: Figures for `devx-pktgen monitor`
 *
 * With --allow-monitor the controller of a run writes its progress into a memory zone of EAL, which
 * a second process reads. The workers are not involved. @seq is odd while the controller writes;
 * a reader tries again if @seq was odd, or had changed after the read.
 */

#define PUBLISH_ZONE "devx_pktgen"

/* Raise it when struct published changes. */
enum { PUBLISH_LAYOUT = 1, PUBLISH_STAGE_BYTES = 16 };

/**
 * struct published - the memory zone
 * @layout: PUBLISH_LAYOUT
 * @seq: number of the write
 * @ms, @sent, @arrived, @share, @left_s: as in struct progress
 * @distinct: packets of which a copy arrived
 * @stage: "sending", "draining" or "ended": then the ports close
 */
struct published {
	uint32_t layout;
	_Atomic uint32_t seq;
	uint64_t ms, sent, arrived, distinct;
	double share, left_s;
	char stage[PUBLISH_STAGE_BYTES];
};

/** publish_begin - make the memory zone. Return: 0, or -errno: no memory */
int publish_begin(void);

/** publish_write - write the progress of the run; without publish_begin(): do nothing */
void publish_write(const struct progress *p, uint64_t distinct);

/** publish_end - write that the run ended, before the ports stop */
void publish_end(void);

/**
 * publish_find - find the memory zone of the primary process
 *
 * Return: the zone, or NULL: the run has not begun. Its layout may be another one
 */
const struct published *publish_find(void);

/** publish_read - copy the zone as it was at one time. Return: false: the writer was in the way */
bool publish_read(const struct published *zone, struct published *copy);

#endif
