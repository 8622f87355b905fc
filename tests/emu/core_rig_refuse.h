/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CORE_RIG_REFUSE_H
#define CORE_RIG_REFUSE_H

#include "core_rig.h"

/** struct core_rig_refusal - one wrong field, and the answer to it; for TEST_EACH */
struct core_rig_refusal {
	const char *name, *field;
	uint64_t value;
	uint8_t status;
	uint32_t syndrome;
};

/** core_rig_expect_refusal - @in with the wrong field of @bad is refused as @bad says */
void core_rig_expect_refusal(struct core_rig *r, const struct core_rig_refusal *bad,
			     uint16_t opcode, void *in, size_t in_bytes);

#endif
