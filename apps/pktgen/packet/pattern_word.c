/* SPDX-License-Identifier: BSD-3-Clause */
#include "packet/pattern_word.h"

void pattern_word_init(struct pattern_word *w, const struct pattern *p)
{
	const unsigned __int128 range = (unsigned __int128)1 << 64;

	*w = (struct pattern_word){
		.kind = p->kind == PATTERN_DECREMENT ? PATTERN_INCREMENT : p->kind,
		.start = (uint64_t)p->start,
		.step = p->kind == PATTERN_DECREMENT ? -(uint64_t)p->step : (uint64_t)p->step,
		.count = p->count,
		.reciprocal = p->count > 1 ? (uint64_t)(range / p->count) : UINT64_MAX,
		.repeat = p->repeat,
		.seed = p->seed,
		.list = p->list,
	};
}
