/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/record_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/files.h"
#include "cli/messages.h"

static enum pktgen_exit report_failure(struct record_file *f, const char *what, int error)
{
	f->failed = true;
	return report_error(PKTGEN_REPORT, "--%s %s: cannot %s: %s", f->option, f->path, what,
			    files_explain(error));
}

static enum pktgen_exit open_path(struct record_file *f)
{
	int fd = files_create(f->path, O_EXCL);

	f->is_new = fd >= 0;
	if (fd == -EEXIST)
		fd = files_create(f->path, 0);
	if (fd < 0)
		return report_failure(f, "create the file", -fd);
	f->fd = fd;
	return PKTGEN_MET;
}

enum pktgen_exit record_file_open(struct record_file *f, const char *option, const char *path)
{
	*f = (struct record_file){ .option = option, .path = path, .fd = -1 };
	if (!path)
		return PKTGEN_MET;
	if (strcmp(path, "-"))
		return open_path(f);
	fflush(stdout);
	f->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (f->fd < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		return report_failure(f, "use stdout and stderr", errno);
	return PKTGEN_MET;
}

static bool is_regular(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode);
}

enum pktgen_exit record_file_begin(struct record_file *f)
{
	f->has_begun = true;
	if (f->fd < 0 || !strcmp(f->path, "-") || !is_regular(f->fd) || !ftruncate(f->fd, 0))
		return PKTGEN_MET;
	return report_failure(f, "remove the old content", errno);
}

/*
 * Truncates a regular file to @bytes, so that a line that did not fit leaves no fragment. Never
 * truncates stdout, because other programs may write to it.
 */
static void cut_file(const struct record_file *f, off_t bytes)
{
	if (strcmp(f->path, "-") && bytes >= 0 && is_regular(f->fd) && ftruncate(f->fd, bytes))
		report_warning("--%s %s: the last line is not complete", f->option, f->path);
}

enum pktgen_exit record_file_write(struct record_file *f, const char *text, size_t bytes)
{
	const off_t start = f->fd >= 0 ? lseek(f->fd, 0, SEEK_CUR) : -1;
	int error;

	if (f->failed)
		return PKTGEN_REPORT;
	if (f->fd < 0)
		return PKTGEN_MET;
	while (bytes) {
		const ssize_t n = write(f->fd, text, bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			error = n ? errno : EIO;
			cut_file(f, start);
			return report_failure(f, "write the report", error);
		}
		text += n;
		bytes -= (size_t)n;
	}
	return PKTGEN_MET;
}

/* Removes the empty file, unless somebody has put another one in its place. */
static void remove_file(const struct record_file *f)
{
	struct stat here, there;

	if (!fstat(f->fd, &here) && !lstat(f->path, &there) && here.st_dev == there.st_dev &&
	    here.st_ino == there.st_ino && !here.st_size)
		unlink(f->path);
}

enum pktgen_exit record_file_close(struct record_file *f)
{
	const int fd = f->fd;

	if (fd >= 0 && f->is_new && !f->has_begun)
		remove_file(f);
	f->fd = -1;
	if (f->path && fd >= 0 && !strcmp(f->path, "-")) {
		fflush(stdout);
		dup2(fd, STDOUT_FILENO);
	}
	if (f->path && fd >= 0 && close(fd) && !f->failed)
		return report_failure(f, "write the report", errno);
	return f->failed ? PKTGEN_REPORT : PKTGEN_MET;
}
