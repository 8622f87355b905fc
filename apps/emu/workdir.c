/* SPDX-License-Identifier: BSD-3-Clause */
#include "workdir.h"

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

#include "exit.h"
#include "message.h"

#define PREFIX "devx-emu-"
#define SHARED "shared"

/* The program inherits the lock's descriptor: up here, where it does not expect any. */
enum { LOCK_FD_FROM = 200, MAX_OPEN_DIRS = 16 };

static const char *tmp(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir == '/' && strlen(dir) < 160 ? dir : "/tmp";
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	remove(path);
	return 0;
}

static void remove_tree(const char *dir)
{
	nftw(dir, remove_one, MAX_OPEN_DIRS, FTW_DEPTH | FTW_PHYS);
}

/* Whoever uses a directory holds a lock on its shared file: launcher, and what it started. */
static bool is_stale(const char *dir)
{
	char path[640];
	bool stale;
	int fd;

	snprintf(path, sizeof(path), "%s/" SHARED, dir);
	fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return false; /* not ours, or just being made */
	stale = !flock(fd, LOCK_EX | LOCK_NB);
	close(fd);
	return stale;
}

static void remove_stale(void)
{
	DIR *dir = opendir(tmp());
	const struct dirent *e;

	while (dir && (e = readdir(dir))) {
		char path[512];
		struct stat st;

		if (strncmp(e->d_name, PREFIX, strlen(PREFIX)))
			continue;
		snprintf(path, sizeof(path), "%s/%s", tmp(), e->d_name);
		if (!lstat(path, &st) && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
		    is_stale(path))
			remove_tree(path);
	}
	if (dir)
		closedir(dir);
}

static int map_shared(struct emu_app *app, const struct emu_shared *content)
{
	struct emu_shared *s;
	const int fd = open(app->shared_path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0)
		return -1;
	app->lock_fd = fcntl(fd, F_DUPFD, LOCK_FD_FROM);
	if (app->lock_fd < 0 || flock(app->lock_fd, LOCK_EX | LOCK_NB) ||
	    ftruncate(fd, sizeof(*s))) {
		close(fd);
		return -1;
	}
	s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (s == MAP_FAILED)
		return -1;
	*s = *content;
	app->shared = s;
	return 0;
}

int emu_workdir_make(struct emu_app *app, const struct emu_shared *content)
{
	remove_stale();
	snprintf(app->dir, sizeof(app->dir), "%s/" PREFIX "XXXXXX", tmp());
	if (!mkdtemp(app->dir)) {
		const int error = errno;

		app->dir[0] = '\0';
		return emu_fail(EMU_EXIT_ENVIRONMENT, "cannot make a directory in %s: %s", tmp(),
				strerror(error));
	}
	snprintf(app->shared_path, sizeof(app->shared_path), "%s/" SHARED, app->dir);
	if (map_shared(app, content))
		return emu_fail(EMU_EXIT_ENVIRONMENT, "%s: %s", app->shared_path, strerror(errno));
	return 0;
}

void emu_workdir_remove(struct emu_app *app)
{
	if (app->dir[0])
		remove_tree(app->dir);
	app->dir[0] = '\0';
}
