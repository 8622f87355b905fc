/* SPDX-License-Identifier: BSD-3-Clause */
#include "rows.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/bench-unit.XXXXXX";
static bool made;

static void remove_file(void)
{
	unlink(path);
}

struct bench_row rows_make(const char *burst, double cycles, double half, double count)
{
	struct bench_row row = { .case_name = "cycles/rx", .driver = "net_devx" };

	strcpy(row.function, "Scalar");
	bench_row_key(&row, "burst", "%s", burst);
	bench_row_key(&row, "size", "%d", 60);
	row.value[row.n_values++] = (struct bench_value){ "tsc_cycles_per_packet",
							  "cycles/packet",
							  cycles,
							  cycles - half,
							  cycles + half,
							  20,
							  3 };
	bench_row_exact(&row, "instructions_per_packet", "instructions/packet", count);
	return row;
}

char *rows_print(const struct bench_table *table, void (*print)(FILE *, const struct bench_table *))
{
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);

	print(to, table);
	fclose(to);
	return text;
}

const char *rows_write_file(const char *text)
{
	FILE *f;

	if (!made) {
		close(mkstemp(path));
		atexit(remove_file);
	}
	made = true;
	f = fopen(path, "w");
	fputs(text, f);
	fclose(f);
	return path;
}
