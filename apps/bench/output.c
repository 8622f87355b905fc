/* SPDX-License-Identifier: BSD-3-Clause */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/exit.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "launch/launch.h"
#include "report/csv.h"
#include "report/diff.h"
#include "report/json.h"
#include "report/merge.h"
#include "report/plot.h"
#include "report/table.h"

enum { WHY_BYTES = 256, PATH_BYTES = 4096 };

/* Checks that a file can be written. Keeps its contents, because the run may still fail. */
static int check_file(const char *option, const char *path)
{
	int fd;

	if (!path || !strcmp(path, "-"))
		return 0;
	fd = files_create(path, 0);
	if (fd < 0)
		return report_error(BENCH_ENVIRONMENT, "%s %s: cannot write it: %s", option, path,
				    files_explain(-fd));
	close(fd);
	return 0;
}

/* Reads the rows of an older run. Return: 0, or exit status after one line on stderr */
static int read_rows(const char *option, const char *path, struct bench_table *table,
		     struct report_about *about)
{
	char why[WHY_BYTES];
	int rc;

	if (!path)
		return 0;
	rc = report_json_read(path, table, about, why, sizeof(why));
	if (!rc)
		return 0;
	return report_error(rc == -EINVAL ? BENCH_USAGE : BENCH_ENVIRONMENT, "%s %s: %s", option,
			    path, why);
}

/* Finds targets.json next to the program, as in a build tree, or in the installation. */
static const char *find_targets(void)
{
	static char path[PATH_BYTES];
	const char *self = launch_path(), *slash = strrchr(self, '/');
	const int folder = slash ? (int)(slash - self) : 0;

	snprintf(path, sizeof(path), "%.*s/targets.json", folder, self);
	if (access(path, R_OK))
		snprintf(path, sizeof(path), "%.*s/../" BENCH_DATADIR "/targets.json", folder,
			 self);
	return path;
}

static int read_targets(struct output *out)
{
	struct bench_options *o = out->o;
	struct report_targets *t = &out->targets;
	const char *path = o->targets ? o->targets : find_targets();
	const bool filtered = o->run.n_filters > 0;
	char why[WHY_BYTES];
	int rc;

	if (strcmp(o->command, "compare"))
		return 0;
	rc = report_targets_read(path, t, why, sizeof(why));
	if (rc)
		return report_error(rc == -EINVAL ? BENCH_USAGE : BENCH_ENVIRONMENT,
				    "targets %s: %s", path, why);
	for (unsigned i = 0; !filtered && i < t->n; i++)
		if (!t->target[i].unavailable[0] && o->run.n_filters < BENCH_MAX_FILTERS)
			o->filter[o->run.n_filters++] = t->target[i].select;
	return 0;
}

int output_prepare(struct output *out)
{
	const struct bench_options *o = out->o;
	int rc = read_rows("--compare", o->old, &out->old, &out->old_about);

	if (!rc)
		rc = read_rows("--with", o->with, &out->with, &out->with_about);
	if (!rc)
		rc = read_targets(out);
	if (!rc)
		rc = check_file("--json", o->json);
	if (!rc)
		rc = check_file("--csv", o->csv);
	if (!rc && o->plot && files_is_shared(o->plot))
		rc = report_error(BENCH_ENVIRONMENT,
				  "--plot %s: others can write this folder; name one of your own",
				  o->plot);
	return rc ? rc : check_file("--markdown", o->markdown);
}

/* Opens the file of an option; "-" is stdout. Return: NULL after one line on stderr */
static FILE *open_output(const char *option, const char *path)
{
	FILE *f = NULL;
	int fd;

	if (!strcmp(path, "-"))
		return stdout;
	fd = files_create(path, O_TRUNC);
	if (fd >= 0)
		f = fdopen(fd, "w");
	if (f)
		return f;
	report_error(BENCH_ENVIRONMENT, "%s %s: cannot write it: %s", option, path,
		     files_explain(fd < 0 ? -fd : errno));
	if (fd >= 0)
		close(fd);
	return NULL;
}

/* Closes a file whose writer returned @rc. Return: 0 or exit status */
static int close_output(FILE *f, const char *option, const char *path, int rc)
{
	if (f != stdout && fclose(f) && !rc)
		rc = -EIO;
	return rc ? report_error(BENCH_ENVIRONMENT, "%s %s: cannot write it: %s", option, path,
				 strerror(-rc))
		  : 0;
}

static int write_markdown(FILE *to, const struct bench_table *table,
			  const struct report_grid *merged)
{
	const int rc = report_markdown_write(to, table);

	if (rc || !merged->n_lines)
		return rc;
	fputs("\n## " REPORT_MERGE_TITLE "\n\n", to);
	report_grid_write_markdown(to, merged);
	return fflush(to) || ferror(to) ? -EIO : 0;
}

static int write_files(const struct bench_options *o, const struct bench_table *table,
		       const struct report_grid *merged, const struct report_about *about)
{
	FILE *f;
	int rc = 0;

	if (o->json) {
		f = open_output("--json", o->json);
		rc |= !f || close_output(f, "--json", o->json, report_json_write(f, table, about));
	}
	if (o->csv) {
		f = open_output("--csv", o->csv);
		rc |= !f || close_output(f, "--csv", o->csv, report_csv_write(f, table));
	}
	if (o->markdown) {
		f = open_output("--markdown", o->markdown);
		rc |= !f ||
		      close_output(f, "--markdown", o->markdown, write_markdown(f, table, merged));
	}
	return rc ? BENCH_ENVIRONMENT : 0;
}

static int draw_plots(const char *folder, const struct bench_table *table)
{
	char why[WHY_BYTES];
	const int n = report_plot(folder, table, why, sizeof(why));

	if (n < 0)
		return report_error(BENCH_ENVIRONMENT, "--plot %s: %s", folder, why);
	if (n)
		fprintf(stderr, "--plot %s: %d pictures, as SVG and PNG\n", folder, n);
	else
		report_warning("--plot %s: nothing drawn: %s", folder, why);
	return 0;
}

/* Prints the verdicts of the targets or of --compare. Return: 0 or BENCH_WORSE */
static int print_verdicts(struct output *out, const struct bench_table *table, const char *cpu,
			  FILE *to)
{
	const bool other_cpu = strcmp(out->old_about.cpu, cpu) != 0;
	struct report_verdicts verdicts = { 0 };
	struct report_diff diff = { 0 };

	if (out->targets.n)
		report_targets_print(to, &out->targets, table, &verdicts);
	if (out->o->old) {
		fputc('\n', to);
		report_diff_print(to, &out->old, table, other_cpu, &diff);
	}
	return verdicts.n_missed || diff.n_worse ? BENCH_WORSE : 0;
}

/*
 * Adds the rows of --with, and names each driver after its DPDK: "net_mlx5 (DPDK 25.11.4)".
 * Return: 0 or exit status
 */
static int add_other_run(struct output *out, struct bench_table *table,
			 const struct report_about *about, struct report_grid *merged)
{
	const struct report_run now = { table, about->dpdk };
	const struct report_run other = { &out->with, out->with_about.dpdk };
	int rc = report_merge(&now, &other, merged);

	for (size_t i = 0; !rc && i < out->with.n_rows; i++) {
		struct bench_row row = out->with.row[i];
		const size_t used = strlen(row.driver);

		snprintf(row.driver + used, sizeof(row.driver) - used, " (%s)", other.dpdk);
		rc = bench_table_add(table, &row);
	}
	return rc ? report_error(BENCH_ENVIRONMENT, "no memory for the rows of --with") : 0;
}

static int print_tables(FILE *to, const struct bench_table *table, const struct report_grid *merged)
{
	const int rc = report_table_print(to, table);

	if (rc)
		return report_error(BENCH_ENVIRONMENT, "stdout: cannot write the table");
	if (merged->n_lines) {
		fputs("\n" REPORT_MERGE_TITLE "\n", to);
		report_grid_print(to, merged);
	}
	return 0;
}

int output_write(struct output *out, struct bench_table *table, const struct report_about *about,
		 int rc)
{
	const struct bench_options *o = out->o;
	FILE *to = options_wants_stdout(o) ? stderr : stdout;
	struct report_grid merged;
	int bad;

	end_progress_line();
	bad = add_other_run(out, table, about, &merged);
	/* the command compare prints a line for each target instead */
	if (!bad && to == stdout && !out->targets.n)
		bad = print_tables(to, table, &merged);
	if (bad)
		return bad;
	bad = write_files(o, table, &merged, about);
	report_grid_free(&merged);
	rc = rc ? rc : bad;
	if (o->plot) {
		bad = draw_plots(o->plot, table);
		rc = rc ? rc : bad;
	}
	bad = print_verdicts(out, table, about->cpu, to);
	if (*about->net_devx && to == stdout)
		fprintf(to, "net_devx: %s\n", about->net_devx);
	rc = rc ? rc : bad;
	bad = report_check_stdout(BENCH_ENVIRONMENT);
	return rc ? rc : bad;
}

void output_free(struct output *out)
{
	bench_table_free(&out->old);
	bench_table_free(&out->with);
}
