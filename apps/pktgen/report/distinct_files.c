/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/distinct_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/files.h"
#include "cli/messages.h"
#include "cli/reason.h"

enum { FOLDER_BYTES = 4096 };

enum use_kind {
	USE_INPUT,
	USE_OUTPUT,
	USE_STREAM, /* stdout or stderr: a user may join these two */
};

/*
 * One use of a file.
 * @label: option and path, for a message
 * @dev, @ino: the file; or, with @name, the folder of a file that does not exist yet
 */
struct use {
	enum use_kind kind;
	char *label;
	dev_t dev;
	ino_t ino;
	const char *name;
};

struct uses {
	struct use *use;
	unsigned n;
	bool out_of_memory;
};

static bool is_same_file(const struct use *a, const struct use *b)
{
	return a->dev == b->dev && a->ino == b->ino && !a->name == !b->name &&
	       (!a->name || !strcmp(a->name, b->name));
}

/* Adds the use of the file that @st describes. @name: NULL, or the end of @path */
static void add_use(struct uses *u, enum use_kind kind, const struct stat *st, const char *option,
		    const char *path, const char *name)
{
	struct use *more, *use;

	if (S_ISCHR(st->st_mode) || S_ISSOCK(st->st_mode))
		return;
	more = realloc(u->use, (u->n + 1) * sizeof(*more));
	if (!more) {
		u->out_of_memory = true;
		return;
	}
	u->use = more;
	use = &more[u->n];
	if (asprintf(&use->label, "%s%s", option, path) < 0) {
		u->out_of_memory = true;
		return;
	}
	use->kind = kind;
	use->dev = st->st_dev;
	use->ino = st->st_ino;
	use->name = name ? use->label + strlen(use->label) - strlen(name) : NULL;
	u->n++;
}

static void add_descriptor(struct uses *u, enum use_kind kind, int fd, const char *option,
			   const char *path)
{
	struct stat st;

	if (!fstat(fd, &st))
		add_use(u, kind, &st, option, path, NULL);
}

static void add_path(struct uses *u, enum use_kind kind, const char *option, const char *path)
{
	const char *slash = strrchr(path, '/');
	char folder[FOLDER_BYTES];
	struct stat st;

	if (!stat(path, &st)) {
		add_use(u, kind, &st, option, path, NULL);
		return;
	}
	if (errno != ENOENT)
		return;
	files_format_folder(folder, sizeof(folder), path);
	if (!stat(folder, &st))
		add_use(u, kind, &st, option, path, slash ? slash + 1 : path);
}

static void add_input(struct uses *u, const char *option, const char *path)
{
	if (path && strcmp(path, "-"))
		add_path(u, USE_INPUT, option, path);
	else if (path)
		add_descriptor(u, USE_INPUT, STDIN_FILENO, option, path);
}

/* Adds the files of a port of net_pcap: "net_pcap0,rx_pcap=IN,tx_pcap=OUT". */
static void add_device(struct uses *u, const char *device)
{
	static const char driver[] = "net_pcap", in[] = "rx_pcap=", out[] = "tx_pcap=";
	const char *name, *arg;
	char *copy, *rest;

	if (strncmp(device, driver, strlen(driver)))
		return;
	copy = strdup(device);
	u->out_of_memory |= !copy;
	name = copy ? strtok_r(copy, ",", &rest) : NULL;
	while (name && (arg = strtok_r(NULL, ",", &rest))) {
		const bool is_input = !strncmp(arg, in, strlen(in));

		if (is_input || !strncmp(arg, out, strlen(out)))
			add_path(u, is_input ? USE_INPUT : USE_OUTPUT,
				 reason_format("%s,%s", name, is_input ? in : out),
				 arg + strlen(in));
	}
	free(copy);
}

static void add_options(struct uses *u, const struct options *o, const struct job *j)
{
	static const char vdev[] = "--vdev=";

	add_input(u, "--config ", o->config);
	for (const struct job_capture *c = j->captures; c; c = c->next)
		add_input(u, o->config ? "devx_capture " : "--pcap ", c->path);
	for (unsigned i = 0; i < o->n_ports; i++)
		add_device(u, o->ports[i]);
	for (int i = 0; i < o->n_eal; i++)
		add_device(u,
			   o->eal[i] + (strncmp(o->eal[i], vdev, strlen(vdev)) ? 0 : strlen(vdev)));
}

/* "-" has moved the descriptor of stdout to a report, and the text goes to stderr. */
static void add_outputs(struct uses *u, const struct record_file *const *reports,
			unsigned n_reports)
{
	for (unsigned i = 0; i < n_reports; i++) {
		const struct record_file *f = reports[i];

		if (f->fd >= 0)
			add_descriptor(u, strcmp(f->path, "-") ? USE_OUTPUT : USE_STREAM, f->fd,
				       reason_format("--%s ", f->option), f->path);
	}
	add_descriptor(u, USE_STREAM, STDOUT_FILENO, "stdout", "");
	add_descriptor(u, USE_STREAM, STDERR_FILENO, "stderr", "");
}

/* Reports two uses that exclude each other, whose paths may be long. Returns whether they do. */
static bool report_pair(const struct use *a, const struct use *b)
{
	const struct use *in = a->kind == USE_INPUT ? a : b, *out = in == a ? b : a;

	if (out->kind == USE_INPUT || (a->kind == USE_STREAM && b->kind == USE_STREAM) ||
	    !is_same_file(a, b))
		return false;
	if (in->kind == USE_INPUT)
		report_error(PKTGEN_USAGE,
			     "%s and %s: both are the same file, which the output would change; "
			     "give another output",
			     in->label, out->label);
	else
		report_error(PKTGEN_USAGE,
			     "%s and %s: both are the same file; give each output a file of its "
			     "own",
			     a->label, b->label);
	return true;
}

/* Reports the first two uses that exclude each other. Returns whether there are any. */
static bool report_uses(const struct uses *u)
{
	for (unsigned i = 0; i < u->n; i++) {
		for (unsigned k = 0; u->use[i].kind != USE_INPUT && k < u->n; k++) {
			if (k != i && report_pair(&u->use[i], &u->use[k]))
				return true;
		}
	}
	return false;
}

enum pktgen_exit distinct_files_check(const struct options *o, const struct job *j,
				      const struct record_file *const *reports, unsigned n_reports)
{
	enum pktgen_exit e = PKTGEN_MET;
	struct uses u = { 0 };

	add_options(&u, o, j);
	add_outputs(&u, reports, n_reports);
	if (u.out_of_memory)
		e = report_error(PKTGEN_ENVIRONMENT,
				 "no memory for the names of files; free some memory");
	else if (report_uses(&u))
		e = PKTGEN_USAGE;
	while (u.n)
		free(u.use[--u.n].label);
	free(u.use);
	return e;
}
