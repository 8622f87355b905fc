/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/plot.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NAME_BYTES = 200, PATH_BYTES = 4096, MAX_CURVES = 8 };

/* One picture: the rows of a case that agree in every key but @x. */
struct picture {
	const char *folder, *x;
	const struct bench_table *table;
	const struct bench_row *first;
	const struct bench_value *like; /* the metric: this value of the first row */
	char name[NAME_BYTES];          /* name of its files, without the ending */
	const char *driver[MAX_CURVES];
	unsigned n_drivers;
	bool has_line; /* points with different values of @x */
};

static bool is_x(const struct bench_row *row, const char *x)
{
	return bench_row_get_key(row, x) && !row->missing[0];
}

/* Does @row belong to the picture of @first? */
static bool belongs_to(const struct bench_row *first, const struct bench_row *row, const char *x)
{
	if (strcmp(first->case_name, row->case_name) || first->n_keys != row->n_keys ||
	    !is_x(row, x))
		return false;
	for (unsigned i = 0; i < first->n_keys; i++) {
		const char *value = bench_row_get_key(row, first->key[i].name);

		if (!value)
			return false;
		if (strcmp(first->key[i].name, x) && strcmp(first->key[i].value, value))
			return false;
	}
	return true;
}

static bool is_first_of_picture(const struct bench_table *table, size_t index, const char *x)
{
	if (!is_x(&table->row[index], x))
		return false;
	for (size_t i = 0; i < index; i++)
		if (is_x(&table->row[i], x) && belongs_to(&table->row[i], &table->row[index], x))
			return false;
	return true;
}

/* Finds the value that a picture shows. */
static const struct bench_value *find_drawn(const struct bench_row *row)
{
	for (unsigned i = 0; i < row->n_values; i++)
		if (!strcmp(row->value[i].unit, "cycles/packet") ||
		    !strcmp(row->value[i].unit, "commands"))
			return &row->value[i];
	return NULL;
}

/* Makes a name for every file system, such as cycles-rx-by-burst-size=60-cache=hot. */
static void name_picture(struct picture *p)
{
	size_t used =
		(size_t)snprintf(p->name, sizeof(p->name), "%s-by-%s", p->first->case_name, p->x);

	for (unsigned i = 0; i < p->first->n_keys && used < sizeof(p->name); i++)
		if (strcmp(p->first->key[i].name, p->x))
			used += (size_t)snprintf(p->name + used, sizeof(p->name) - used, "-%s=%s",
						 p->first->key[i].name, p->first->key[i].value);
	for (char *at = p->name; *at; at++)
		if (!isalnum((unsigned char)*at) && !strchr("-=._", *at))
			*at = '-';
}

static void find_drivers(struct picture *p)
{
	for (size_t i = 0; i < p->table->n_rows; i++) {
		const struct bench_row *row = &p->table->row[i];
		unsigned d = 0;

		if (!belongs_to(p->first, row, p->x) || !bench_row_get_value(row, p->like->metric))
			continue;
		p->has_line |= strcmp(bench_row_get_key(row, p->x),
				      bench_row_get_key(p->first, p->x)) != 0;
		while (d < p->n_drivers && strcmp(p->driver[d], row->driver))
			d++;
		if (d == p->n_drivers && d < MAX_CURVES)
			p->driver[p->n_drivers++] = row->driver;
	}
}

/* "cycles/rx, frames of 60 bytes, cache hot": the case, and the keys other than x */
static void write_title(FILE *f, const struct picture *p)
{
	fprintf(f, "set title \"%s", p->first->case_name);
	for (unsigned i = 0; i < p->first->n_keys; i++) {
		const struct bench_key *key = &p->first->key[i];

		if (!strcmp(key->name, p->x))
			continue;
		if (!strcmp(key->name, "size"))
			fprintf(f, ", frames of %s bytes", key->value);
		else if (!strcmp(key->name, "burst"))
			fprintf(f, ", bursts of %s", key->value);
		else
			fprintf(f, ", %s %s", key->name, key->value);
	}
	fputs("\" noenhanced\n", f);
}

/* "TSC cycles per packet"; a name without "per" gets the unit */
static void write_y_label(FILE *f, const struct picture *p)
{
	const char *name = p->like->metric;
	const bool tsc = !strncmp(name, "tsc_", 4), has_unit = strstr(name, "_per_");

	fprintf(f, "set ylabel \"%s", tsc ? "TSC " : "");
	for (name += tsc ? 4 : 0; *name; name++)
		fputc(*name == '_' ? ' ' : *name, f);
	fprintf(f, "%s%s\" noenhanced\n", has_unit ? "" : ", in ", has_unit ? "" : p->like->unit);
}

static const char *get_x_label(const char *x)
{
	if (!strcmp(x, "burst"))
		return "burst: packets that a call asks for";
	return !strcmp(x, "size") ? "frame size in bytes, without FCS" : "";
}

/*
 * A driver looks the same in every picture: colours that people with colour blindness tell apart
 * (Okabe and Ito), and a shape of its points.
 */
static const struct style {
	const char *driver, *colour;
	unsigned shape;
} styles[] = {
	{ "net_devx", "#0072b2", 7 }, { "net_mlx5", "#d55e00", 5 }, { "", "#009e73", 9 },
	{ "", "#cc79a7", 11 },        { "", "#000000", 13 },        { "", "#e69f00", 4 },
	{ "", "#56b4e9", 6 },         { "", "#777777", 8 },
};

static const struct style *find_style(const struct picture *p, unsigned driver)
{
	unsigned other = 2;

	for (unsigned d = 0; d <= driver; d++) {
		unsigned s = 0;

		while (s < 2 && strcmp(styles[s].driver, p->driver[d]))
			s++;
		if (d == driver && s < 2)
			return &styles[s];
		if (d == driver)
			return &styles[other];
		other += s == 2 && other < MAX_CURVES - 1;
	}
	return &styles[0];
}

static FILE *open_file(const struct picture *p, const char *ending)
{
	char path[PATH_BYTES];

	snprintf(path, sizeof(path), "%s/%s.%s", p->folder, p->name, ending);
	return fopen(path, "we");
}

/* gnuplot needs quotes around the name of a bar, and none around a number. */
static void write_point(FILE *f, const struct picture *p, const struct bench_row *row,
			const struct bench_value *v)
{
	const char *quote = !strcmp(p->x, "stage") ? "\"" : "";

	fprintf(f, "%s%s%s %.9g %.9g %.9g\n", quote, bench_row_get_key(row, p->x), quote, v->median,
		v->low, v->high);
}

/* Data: a block for each driver, with x, median, low and high; two blank lines end a block. */
static int write_data(const struct picture *p)
{
	FILE *f = open_file(p, "dat");

	if (!f)
		return -errno;
	for (unsigned d = 0; d < p->n_drivers; d++) {
		fprintf(f, "# %s\n", p->driver[d]);
		for (size_t i = 0; i < p->table->n_rows; i++) {
			const struct bench_row *row = &p->table->row[i];
			const struct bench_value *v = bench_row_get_value(row, p->like->metric);

			if (v && belongs_to(p->first, row, p->x) &&
			    !strcmp(row->driver, p->driver[d]))
				write_point(f, p, row, v);
		}
		fputs("\n\n", f);
	}
	return fclose(f) ? -EIO : 0;
}

static void write_curve(FILE *f, const struct picture *p, unsigned d, bool bars)
{
	const struct style *s = find_style(p, d);

	fprintf(f, "%s \"%s.dat\" index %u using ", d ? "," : "", p->name, d);
	if (bars)
		fprintf(f, "2:xtic(1)");
	else
		fprintf(f, "1:2:3:4:xtic(1) with yerrorlines lw 2 pt %u ps 1", s->shape);
	fprintf(f, " lc rgb \"%s\" title \"%s\"", s->colour, p->driver[d]);
}

/* In enhanced text, gnuplot reads _ as "subscript"; the script switches that off. */
static int write_script(const struct picture *p)
{
	const bool bars = !strcmp(p->x, "stage");
	FILE *f = open_file(p, "gnuplot");

	if (!f)
		return -errno;
	write_title(f, p);
	write_y_label(f, p);
	fprintf(f, "set xlabel \"%s\"\n", get_x_label(p->x));
	fputs("set yrange [0:*]\nset grid ytics\nset border 3\nset tics nomirror\n"
	      "set key below height 1 noenhanced\n",
	      f);
	if (bars)
		fputs("set style data histogram\nset style histogram clustered gap 1\n"
		      "set style fill solid 0.8\n",
		      f);
	else
		fputs("set logscale x 2\nset offsets graph 0.03, graph 0.03, graph 0.1, 0\n", f);
	for (int png = 0; png < 2; png++) {
		fprintf(f, "set terminal %s\nset output \"%s.%s\"\nplot",
			png ? "png size 1000,600" : "svg size 800,480 background \"white\"",
			p->name, png ? "png" : "svg");
		for (unsigned d = 0; d < p->n_drivers; d++)
			write_curve(f, p, d, bars);
		fputc('\n', f);
	}
	return fclose(f) ? -EIO : 0;
}

/* Runs gnuplot in the folder. Return: 0; -ENOENT: no gnuplot; -EIO: it failed, and said why */
static int run_gnuplot(const struct picture *p)
{
	const pid_t pid = fork();
	char script[NAME_BYTES + 16];
	int status;

	if (pid < 0)
		return -errno;
	if (!pid) {
		snprintf(script, sizeof(script), "%s.gnuplot", p->name);
		if (chdir(p->folder))
			_exit(1);
		unsetenv("LD_PRELOAD"); /* gnuplot needs no adapter */
		execlp("gnuplot", "gnuplot", script, (char *)NULL);
		_exit(errno == ENOENT ? 127 : 1);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return -ENOENT;
	return status ? -EIO : 0;
}

/* Return: 1 picture; 0: all rows have the same @x; or -errno */
static int draw_picture(const struct picture *wanted)
{
	struct picture p = *wanted;
	int rc;

	name_picture(&p);
	find_drivers(&p);
	if (!p.has_line)
		return 0;
	rc = write_data(&p);
	if (!rc)
		rc = write_script(&p);
	if (!rc)
		rc = run_gnuplot(&p);
	return rc ? rc : 1;
}

static int draw_all(const char *folder, const struct bench_table *table)
{
	static const char *const xs[] = { "burst", "size", "stage", "queues" };
	int n = 0, rc;

	for (unsigned x = 0; x < sizeof(xs) / sizeof(xs[0]); x++)
		for (size_t i = 0; i < table->n_rows; i++) {
			const struct picture p = {
				.folder = folder,
				.x = xs[x],
				.table = table,
				.first = &table->row[i],
				.like = find_drawn(&table->row[i]),
			};

			if (!p.like || !is_first_of_picture(table, i, xs[x]))
				continue;
			rc = draw_picture(&p);
			if (rc < 0)
				return rc;
			n += rc;
		}
	return n;
}

int report_plot(const char *folder, const struct bench_table *table, char *why, size_t bytes)
{
	int rc = mkdir(folder, 0777) && errno != EEXIST ? -errno : 0;

	why[0] = '\0';
	if (!rc)
		rc = draw_all(folder, table);
	if (!rc)
		snprintf(why, bytes,
			 "no rows with different bursts, sizes, stages or queues in cycles/packet "
			 "or commands");
	if (rc == -ENOENT) {
		snprintf(why, bytes, "gnuplot was not found; install the package gnuplot-nox");
		return 0;
	}
	if (rc < 0)
		snprintf(why, bytes, "%s", rc == -EIO ? "gnuplot failed" : strerror(-rc));
	return rc;
}
