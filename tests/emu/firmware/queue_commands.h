/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef QUEUE_COMMANDS_H
#define QUEUE_COMMANDS_H

#include "core_rig_queue.h"

/**
 * DOC: Valid inputs of CREATE_CQ, CREATE_SQ and CREATE_RQ
 *
 * Tests change one field at a time. A ring has one page, at the start of a umem of two pages. The
 * doorbell record is at the start of the second page.
 */

enum { LOG_CQES = 6, LOG_WQES = 6, RING = CORE_RIG_PAGE, BYTES = 2 * CORE_RIG_PAGE };

struct queue_commands {
	uint32_t umem, read_only;
	struct core_rig_cq cq;
	struct prm_create_cq_in cq_in;
	struct prm_create_sq_in sq_in;
	struct prm_create_rq_in rq_in;
};

void queue_commands_fill(struct core_rig *r, struct queue_commands *c);

/** queue_commands_expect_unused - expect that refused commands left no reference to a umem */
void queue_commands_expect_unused(const struct core_rig *r, const struct queue_commands *c);

/** queue_commands_destroy - send DESTROY command @opcode with @id in @field. Return: the status */
uint8_t queue_commands_destroy(struct core_rig *r, uint16_t opcode, const char *field, uint32_t id);

/** queue_commands_make_eq - create an EQ for a mask of events. Return: its number */
uint32_t queue_commands_make_eq(struct core_rig *r, uint64_t events);

#endif
