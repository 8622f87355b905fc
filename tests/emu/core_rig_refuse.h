/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CORE_RIG_REFUSE_H
#define CORE_RIG_REFUSE_H

#include "core_rig.h"

/**
 * DOC: Commands that are refused
 *
 * A test makes a command that would succeed, and says in a table how to spoil it, one field a
 * row, and what the answer is then:
 *
 *	static const struct core_rig_refusal bad_cqs[] = {
 *		{ "too_large", "cq_context.log_cq_size", 23, PRM_STATUS_BAD_PARAM, EMU_SYND_SIZE },
 *		...
 *	};
 *
 *	CORE_RIG_EXPECT_REFUSALS(&self->r, bad_cqs, PRM_OP_create_cq, self->cq_in);
 */

/** struct core_rig_refusal - one wrong field, and the answer to it */
struct core_rig_refusal {
	const char *name, *field;
	uint64_t value;
	uint8_t status;
	uint32_t syndrome;
};

/** core_rig_expect_refusal - @good with the wrong field of @bad is refused as @bad says */
void core_rig_expect_refusal(struct core_rig *r, const struct core_rig_refusal *bad,
			     uint16_t opcode, const void *good, size_t bytes);

/** core_rig_expect_refusals - so is each of @n rows; every one spoils a copy of @good */
void core_rig_expect_refusals(struct core_rig *r, const struct core_rig_refusal *bads, size_t n,
			      uint16_t opcode, const void *good, size_t bytes);

/** CORE_RIG_EXPECT_REFUSALS - the same with the sizes of the table and of the input */
#define CORE_RIG_EXPECT_REFUSALS(r, bads, opcode, good)                                            \
	core_rig_expect_refusals((r), (bads), sizeof(bads) / sizeof((bads)[0]), (opcode), &(good), \
				 sizeof(good))

#endif
