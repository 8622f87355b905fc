/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report.h"

/* Reads a whole file of /proc and appends a zero byte. Returns NULL with errno on failure. */
static char *read_file(const char *path, size_t *bytes)
{
	FILE *f = fopen(path, "re");
	size_t room = 0;
	char *text = NULL;
	ssize_t n;

	if (!f)
		return NULL;
	errno = 0;
	n = getdelim(&text, &room, EOF, f); /* reads to the end: text contains no byte 0xff */
	fclose(f);
	if (n < 0 && errno) {
		free(text);
		return NULL;
	}
	*bytes = n < 0 ? 0 : (size_t)n;
	return text;
}

/*
 * Copies the path of the shared file from the environment of a process. Returns false with errno if
 * the environment cannot be read, or with errno 0 if no devx-emu started the process.
 */
static bool find_shared(long pid, char *path, size_t room)
{
	static const char prefix[] = EMU_SHARED_ENV "=";
	char name[64];
	size_t bytes;
	char *environment;
	bool found = false;

	snprintf(name, sizeof(name), "/proc/%ld/environ", pid);
	environment = read_file(name, &bytes);
	if (!environment)
		return false;
	for (char *p = environment; !found && p < environment + bytes; p += strlen(p) + 1) {
		found = !strncmp(p, prefix, sizeof(prefix) - 1) && strlen(p) < room;
		if (found)
			strcpy(path, p + sizeof(prefix) - 1);
	}
	free(environment);
	errno = 0;
	return found;
}

/* For the process of a devx-emu: only the program that it runs has the environment variable. */
static bool find_shared_of_child(long pid, char *path, size_t room)
{
	char name[64];
	size_t bytes;
	char *children, *next;
	bool found = false;

	snprintf(name, sizeof(name), "/proc/%ld/task/%ld/children", pid, pid);
	children = read_file(name, &bytes);
	for (char *p = children; p && !found; p = next) {
		const long child = strtol(p, &next, 10);

		if (next == p)
			break;
		found = find_shared(child, path, room);
	}
	free(children);
	return found;
}

/* Returns the uid of a process; -1 with errno if the process does not exist. */
static long find_user(long pid)
{
	static const char key[] = "\nUid:\t";
	char name[64], *text;
	const char *line;
	size_t bytes;
	long user = -1;

	snprintf(name, sizeof(name), "/proc/%ld/status", pid);
	text = read_file(name, &bytes);
	line = text ? strstr(text, key) : NULL;
	if (line)
		user = strtol(line + sizeof(key) - 1, NULL, 10);
	free(text);
	return user;
}

/*
 * Replaces @path, which another process chose, by its real path, so that nobody can redirect a link
 * in it later. Returns false unless only this user can access the file and its folder.
 */
static bool resolve_own(char *path, size_t room)
{
	char *real = realpath(path, NULL), *slash = real ? strrchr(real, '/') : NULL;
	struct stat file, dir;
	bool own = false;

	if (slash && strlen(real) < room && !lstat(real, &file)) {
		strcpy(path, real);
		*slash = '\0';
		own = !lstat(real, &dir) && file.st_uid == geteuid() && dir.st_uid == geteuid() &&
		      !((file.st_mode | dir.st_mode) & 077);
	}
	free(real);
	return own;
}

static struct emu_shared *map_shared(const char *path)
{
	const int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	struct emu_shared *s = MAP_FAILED;
	struct stat st;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && st.st_size == sizeof(*s))
		s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return s != MAP_FAILED && s->magic == EMU_SHARED_MAGIC && s->bytes == sizeof(*s) ? s : NULL;
}

/* Refuses a process of another user: its environment would choose the file that root writes. */
static int check_user(long pid)
{
	const long user = find_user(pid);

	if (user < 0)
		return launcher_fail(LAUNCHER_EXIT_ENVIRONMENT, "--attach %ld: %s", pid,
				     errno == ENOENT ? "no such process" : strerror(errno));
	if ((uid_t)user == geteuid())
		return 0;
	return launcher_fail(LAUNCHER_EXIT_ENVIRONMENT,
			     "--attach %ld: the process belongs to user %ld (valid: your own, user "
			     "%u); run it as that user, as with: sudo -u '#%ld' devx-emu ...",
			     pid, user, geteuid(), user);
}

int launcher_attach(struct launcher *l)
{
	struct emu_shared *s;

	if (check_user(l->attach))
		return LAUNCHER_EXIT_ENVIRONMENT;
	if (!find_shared(l->attach, l->shared_path, sizeof(l->shared_path))) {
		if (errno)
			return launcher_fail(LAUNCHER_EXIT_ENVIRONMENT, "--attach %ld: %s",
					     l->attach,
					     errno == ENOENT ? "no such process" : strerror(errno));
		if (!find_shared_of_child(l->attach, l->shared_path, sizeof(l->shared_path)))
			return launcher_fail(LAUNCHER_EXIT_ENVIRONMENT,
					     "--attach %ld: the process is not a devx-emu, and no "
					     "devx-emu started it; choose one from: ps -C devx-emu",
					     l->attach);
	}
	if (!resolve_own(l->shared_path, sizeof(l->shared_path)))
		return launcher_fail(
			LAUNCHER_EXIT_ENVIRONMENT,
			"--attach %ld: its file %s is gone, or others may change it (valid: a file "
			"in your own folder of mode 0700); attach to another devx-emu",
			l->attach, l->shared_path);
	s = map_shared(l->shared_path);
	if (!s)
		return launcher_fail(
			LAUNCHER_EXIT_ENVIRONMENT,
			"--attach %ld: its file %s belongs to a devx-emu of another build; "
			"attach with the devx-emu that started the process",
			l->attach, l->shared_path);
	snprintf(l->dir, sizeof(l->dir), "%.*s",
		 (int)(strrchr(l->shared_path, '/') - l->shared_path), l->shared_path);
	l->shared = s;
	return 0;
}
