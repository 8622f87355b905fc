/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NEEDS_EMU_H
#define NEEDS_EMU_H

#include <stdlib.h>

#include "ct.h"
#include "emu/uverbs/emu_ctl.h"
#include "emu/uverbs/shared.h"

/**
 * DOC: Tests that run on emu and on a real kernel
 *
 * A kernel has no controls for tests, so a test that needs them is skipped there. Under devx-emu
 * the controls must exist: if they are missing, the test fails instead of being skipped. Controls
 * are of the adapter in the process. With OTHER_OWNER_ENV another process owns the adapter, so
 * there are none, as on a kernel.
 */
#define OTHER_OWNER_ENV "DEVX_TEST_OTHER_OWNER"

/* Syndrome of a command that emu_if_any()->fail() made fail: EMU_SYND_INJECTED of lib/emu. */
enum { EMU_FAILED_SYNDROME = 0xe00007 };

/** emu_if_any - emu's controls for tests, or NULL on a real kernel */
static inline const struct devx_emu_ctl *emu_if_any(void)
{
	const struct devx_emu_ctl *emu = devx_emu_ctl_find();

	if (getenv(OTHER_OWNER_ENV))
		return NULL;
	if (!emu && getenv(EMU_SHARED_ENV))
		ADD_FAILURE("devx-emu runs this program, but it finds no devx_emu_ctl");
	return emu;
}

/** NEEDS_EMU - skip the test on a real kernel; @why: such as "to let a command fail" */
#define NEEDS_EMU(why)                                                                             \
	do {                                                                                       \
		if (!emu_if_any())                                                                 \
			SKIP("needs emu %s", why);                                                 \
	} while (0)

/** EXPECT_EQ_ON_EMU - EXPECT_EQ for a value that only emu reports; skipped on a real kernel */
#define EXPECT_EQ_ON_EMU(want, got)                                                                \
	do {                                                                                       \
		if (emu_if_any())                                                                  \
			EXPECT_EQ(want, got);                                                      \
	} while (0)

#endif
