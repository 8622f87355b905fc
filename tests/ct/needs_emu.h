/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NEEDS_EMU_H
#define NEEDS_EMU_H

#include <stdlib.h>

#include "ct.h"
#include "emu/uverbs/emu_ctl.h"
#include "emu/uverbs/shared.h"

/**
 * DOC: Tests that run on emu and beside a kernel
 *
 * A kernel has no controls, and what cannot be tested without them is skipped. A program that
 * devx-emu started has them, or it fails: a symbol that got lost must not look like a pass.
 */

/** emu_if_any - emu's controls, or NULL beside a kernel */
static inline const struct devx_emu_ctl *emu_if_any(void)
{
	const struct devx_emu_ctl *emu = devx_emu_ctl_find();

	if (!emu && getenv(EMU_SHARED_ENV))
		ADD_FAILURE("devx-emu runs this program, but it finds no devx_emu_ctl");
	return emu;
}

/** NEEDS_EMU - skip the test beside a kernel; @why: what it needs emu for */
#define NEEDS_EMU(why)                                                                             \
	do {                                                                                       \
		if (!emu_if_any())                                                                 \
			SKIP("needs emu, %s", why);                                                \
	} while (0)

/** EXPECT_EQ_ON_EMU - what only emu can tell */
#define EXPECT_EQ_ON_EMU(want, got)                                                                \
	do {                                                                                       \
		if (emu_if_any())                                                                  \
			EXPECT_EQ(want, got);                                                      \
	} while (0)

#endif
