/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/latency.h"

const unsigned latency_percentiles[LATENCY_N_PERCENTILES] = { 500000, 900000, 990000, 999000,
							      999900 };
const char *const latency_names[LATENCY_N_PERCENTILES] = { "p50", "p90", "p99", "p99.9", "p99.99" };

int latency_init(struct latency *l)
{
	int rc = histogram_init(&l->time, LATENCY_DIGITS, LATENCY_HIGHEST_NS);

	return rc ? rc : histogram_init(&l->jitter, LATENCY_DIGITS, LATENCY_HIGHEST_NS);
}

void latency_free(struct latency *l)
{
	histogram_free(&l->time);
	histogram_free(&l->jitter);
}

size_t latency_get_bytes(void)
{
	return sizeof(struct latency) + 2 * histogram_get_bytes(LATENCY_DIGITS, LATENCY_HIGHEST_NS);
}

void latency_row_end(struct latency_row *row)
{
	if (!row->n_same)
		return;
	histogram_record_many(&row->to->time, row->last_ns, row->n_same);
	/* latency_row_change() counted the jitter of the first of these frames, if it has one. */
	if (row->n_same > 1)
		histogram_record_many(&row->to->jitter, 0, row->n_same - 1);
	row->n_same = 0;
}

void latency_row_change(struct latency_row *row, uint64_t ns)
{
	const uint64_t before = row->last_ns;

	latency_row_end(row);
	if (before != UINT64_MAX)
		histogram_record(&row->to->jitter, ns > before ? ns - before : before - ns);
	row->last_ns = ns;
	row->n_same = 1;
}
