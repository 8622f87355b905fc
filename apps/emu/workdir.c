/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report.h"

#define PREFIX "devx-emu-"
#define SHARED "shared"

/*
 * The program inherits the descriptor of the lock. Its number is LOCK_FD_FROM or higher, because
 * programs may expect low numbers to be free. MIN_OPEN_FILES leaves room for it.
 */
enum { LOCK_FD_FROM = 200, MIN_OPEN_FILES = 256, MAX_OPEN_DIRS = 16 };

static const char *get_tmp_dir(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir == '/' && strlen(dir) < 160 ? dir : "/tmp";
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	remove(path);
	return 0;
}

static void remove_tree(const char *dir)
{
	nftw(dir, remove_entry, MAX_OPEN_DIRS, FTW_DEPTH | FTW_PHYS);
}

/*
 * Returns true if no process uses @dir any more. A launcher and the processes that it started hold
 * a lock on the shared file in their directory.
 */
static bool is_stale(const char *dir)
{
	char path[640];
	bool stale;
	int fd;

	snprintf(path, sizeof(path), "%s/" SHARED, dir);
	fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return false; /* not ours, or its launcher has not created the file yet */
	stale = !flock(fd, LOCK_EX | LOCK_NB);
	close(fd);
	return stale;
}

static void remove_stale_dirs(void)
{
	DIR *dir = opendir(get_tmp_dir());
	const struct dirent *e;

	while (dir && (e = readdir(dir))) {
		char path[512];
		struct stat st;

		if (strncmp(e->d_name, PREFIX, strlen(PREFIX)))
			continue;
		snprintf(path, sizeof(path), "%s/%s", get_tmp_dir(), e->d_name);
		if (!lstat(path, &st) && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
		    is_stale(path))
			remove_tree(path);
	}
	if (dir)
		closedir(dir);
}

/* The front removes l->dir from paths that the kernel returns, so it must not contain links. */
static int resolve_symlinks(struct launcher *l)
{
	char *real = realpath(l->dir, NULL);
	int rc = 0;

	if (!real)
		rc = launcher_fail(LAUNCHER_EXIT_ENVIRONMENT, "%s: %s", l->dir, strerror(errno));
	else if (strlen(real) >= sizeof(l->dir))
		rc = launcher_fail(LAUNCHER_EXIT_ENVIRONMENT,
				   "%s: %zu characters without symbolic links (valid: at most "
				   "%zu); set TMPDIR to another directory",
				   real, strlen(real), sizeof(l->dir) - 1);
	else
		strcpy(l->dir, real);
	free(real);
	return rc;
}

/* Locks the file before it gets its final name, so that no other launcher considers it stale. */
static int map_shared_file(struct launcher *l, const struct emu_shared *content)
{
	char unlocked[sizeof(l->shared_path) + sizeof(".new")];
	struct emu_shared *s;
	int fd;

	snprintf(unlocked, sizeof(unlocked), "%s.new", l->shared_path);
	fd = open(unlocked, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	l->lock_fd = fcntl(fd, F_DUPFD, LOCK_FD_FROM);
	if (l->lock_fd < 0 || flock(l->lock_fd, LOCK_EX | LOCK_NB) || ftruncate(fd, sizeof(*s)) ||
	    rename(unlocked, l->shared_path)) {
		close(fd);
		return -1;
	}
	s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (s == MAP_FAILED)
		return -1;
	*s = *content;
	snprintf(s->dir, sizeof(s->dir), "%s", l->dir);
	l->shared = s;
	return 0;
}

int launcher_make_workdir(struct launcher *l, const struct emu_shared *content)
{
	if (sysconf(_SC_OPEN_MAX) < MIN_OPEN_FILES)
		return launcher_fail(LAUNCHER_EXIT_ENVIRONMENT,
				     "file descriptors: the limit is %ld (needed: at least %d); "
				     "raise it with: ulimit -n 1024",
				     sysconf(_SC_OPEN_MAX), MIN_OPEN_FILES);
	remove_stale_dirs();
	snprintf(l->dir, sizeof(l->dir), "%s/" PREFIX "XXXXXX", get_tmp_dir());
	if (!mkdtemp(l->dir)) {
		const int error = errno;

		l->dir[0] = '\0';
		return launcher_fail(LAUNCHER_EXIT_ENVIRONMENT,
				     "cannot make a directory in %s: %s; set TMPDIR to a directory "
				     "that you may write",
				     get_tmp_dir(), strerror(error));
	}
	if (resolve_symlinks(l))
		return LAUNCHER_EXIT_ENVIRONMENT;
	snprintf(l->shared_path, sizeof(l->shared_path), "%s/" SHARED, l->dir);
	if (map_shared_file(l, content))
		return launcher_fail(LAUNCHER_EXIT_ENVIRONMENT, "cannot make %s: %s",
				     l->shared_path, strerror(errno));
	return 0;
}

void launcher_remove_workdir(struct launcher *l)
{
	if (l->dir[0])
		remove_tree(l->dir);
	l->dir[0] = '\0';
}
