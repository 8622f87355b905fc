/* SPDX-License-Identifier: BSD-3-Clause */
#include "attach.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exit.h"
#include "message.h"

/* Reads a whole file of /proc, and ends it with a zero byte. Returns NULL with errno on failure. */
static char *read_file(const char *path, size_t *bytes)
{
	FILE *f = fopen(path, "re");
	size_t room = 0;
	char *text = NULL;
	ssize_t n;

	if (!f)
		return NULL;
	errno = 0;
	n = getdelim(&text, &room, EOF, f); /* no file of text has such a byte */
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
 * that cannot be read, or with errno 0 if the process is not below a devx-emu.
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

/* A devx-emu does not have the variable itself; the program that it runs does. */
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

static struct emu_shared *map_shared(const char *path)
{
	const int fd = open(path, O_RDWR | O_CLOEXEC);
	struct emu_shared *s = MAP_FAILED;
	struct stat st;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && st.st_size == sizeof(*s))
		s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return s != MAP_FAILED && s->magic == EMU_SHARED_MAGIC && s->bytes == sizeof(*s) ? s : NULL;
}

int launcher_attach(struct launcher *l)
{
	struct emu_shared *s;

	if (!find_shared(l->attach, l->shared_path, sizeof(l->shared_path))) {
		if (errno)
			return launcher_fail(LAUNCHER_EXIT_ENVIRONMENT, "--attach %ld: %s",
					     l->attach,
					     errno == ENOENT ? "no such process" : strerror(errno));
		if (!find_shared_of_child(l->attach, l->shared_path, sizeof(l->shared_path)))
			return launcher_fail(
				LAUNCHER_EXIT_ENVIRONMENT,
				"--attach %ld: the process is no devx-emu and no program "
				"that one runs; ps -C devx-emu lists them",
				l->attach);
	}
	s = map_shared(l->shared_path);
	if (!s)
		return launcher_fail(
			LAUNCHER_EXIT_ENVIRONMENT,
			"--attach %ld: its file %s is of a devx-emu of another build, or "
			"gone; attach with the devx-emu that the process was started with",
			l->attach, l->shared_path);
	snprintf(l->dir, sizeof(l->dir), "%.*s",
		 (int)(strrchr(l->shared_path, '/') - l->shared_path), l->shared_path);
	l->shared = s;
	return 0;
}
