/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CORE_RIG_REFUSE_H
#define CORE_RIG_REFUSE_H

#include "core_rig.h"

/**
 * DOC: Commands that emu must refuse
 *
 * A test fills in a command that would succeed. Each row of its table sets one field to a bad
 * value, and names the status and the syndrome that emu must answer:
 *
 *	static const struct core_rig_refusal bad_cqs[] = {
 *		{ "too_large", "cq_context.log_cq_size", 23, BAD, EMU_SYND_SIZE },
 *		...
 *	};
 *
 *	CORE_RIG_EXPECT_REFUSALS(&self->r, bad_cqs, PRM_OP_create_cq, self->cq_in);
 */

/**
 * struct core_rig_refusal - one bad field, with the status and syndrome that emu must answer
 * @says: a part of the sentence with its numbers, where it has several; or NULL
 */
struct core_rig_refusal {
	const char *name, *field;
	uint64_t value;
	uint8_t status;
	uint32_t syndrome;
	const char *says;
};

/**
 * core_rig_expect_refusal - send @good with the bad field of @bad; expect the answer of @bad
 * @good: input of @bytes that would succeed; unchanged
 *
 * Also expects that the sentence of the refusal names its subject and fits its buffer.
 */
void core_rig_expect_refusal(struct core_rig *r, const struct core_rig_refusal *bad,
			     uint16_t opcode, const void *good, size_t bytes);

/** core_rig_expect_refusals - core_rig_expect_refusal() for each of @n rows */
void core_rig_expect_refusals(struct core_rig *r, const struct core_rig_refusal *bads, size_t n,
			      uint16_t opcode, const void *good, size_t bytes);

/** CORE_RIG_EXPECT_REFUSALS - core_rig_expect_refusals() for arrays and structs of known size */
#define CORE_RIG_EXPECT_REFUSALS(r, bads, opcode, good)                                            \
	core_rig_expect_refusals((r), (bads), sizeof(bads) / sizeof((bads)[0]), (opcode), &(good), \
				 sizeof(good))

#endif
