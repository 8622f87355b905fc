/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_QUIET_FORK_H
#define CT_QUIET_FORK_H

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

extern void __asan_init(void) __attribute__((weak)); /* only AddressSanitizer has it */

/* Returns true if the thread @tid of this process sleeps or has ended. */
static inline bool quiet_fork_sleeps(const char *tid)
{
	char path[64], text[512] = "";
	const char *state;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%.20s/stat", tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return true;
	if (read(fd, text, sizeof(text) - 1) < 0)
		text[0] = 0;
	close(fd);
	state = strrchr(text, ')'); /* behind the name of the thread */
	return !state || state[2] == 'S';
}

static inline bool quiet_fork_others_sleep(void)
{
	char own[24];
	DIR *tasks = opendir("/proc/self/task");
	const struct dirent *task;
	bool sleep = true;

	snprintf(own, sizeof(own), "%d", (int)gettid());
	while (tasks && sleep && (task = readdir(tasks)))
		sleep = task->d_name[0] == '.' || !strcmp(task->d_name, own) ||
			quiet_fork_sleeps(task->d_name);
	if (tasks)
		closedir(tasks);
	return sleep;
}

/*
 * quiet_fork - fork() while the other threads of the process sleep
 *
 * The allocators of AddressSanitizer in clang 14 and gcc 12 do not free their locks in the child of
 * fork(). If another thread holds one of them at that moment, the child hangs in its next malloc().
 * A thread that sleeps holds none. Without AddressSanitizer this is fork(); with it, the wait ends
 * after 1 second if a thread never sleeps.
 */
static inline pid_t quiet_fork(void)
{
	if (__asan_init)
		for (int i = 0; i < 1000 && !quiet_fork_others_sleep(); i++)
			usleep(1000);
	return fork();
}

#endif
