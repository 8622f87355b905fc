/* SPDX-License-Identifier: BSD-3-Clause */
#include "mistakes.h"

#include <inttypes.h>
#include <stdio.h>

uint64_t launcher_report_mistakes(const struct emu_shared *shared)
{
	const struct emu_mistakes *m = &shared->mistakes;
	uint64_t total = 0;

	for (unsigned i = 0; i < EMU_N_MISTAKES; i++) {
		if (!m->n[i])
			continue;
		total += m->n[i];
		fprintf(stderr, "devx-emu: %" PRIu64 " x %s; the first: %.*s\n", m->n[i],
			emu_mistake_text(i), (int)sizeof(m->first[i]), m->first[i]);
	}
	fprintf(stderr, "devx-emu: %" PRIu64 " protocol mistake%s\n", total, total == 1 ? "" : "s");
	return total;
}
