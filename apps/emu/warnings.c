/* SPDX-License-Identifier: BSD-3-Clause */
#include "warnings.h"

#include "message.h"

void launcher_report_warnings(const struct emu_shared *shared)
{
	for (unsigned i = 0; i < EMU_N_WARNINGS; i++)
		if (shared->warning[i].text[0])
			launcher_fail(0, "warning: %.*s", (int)sizeof(shared->warning[i].text),
				      shared->warning[i].text);
}
