/* SPDX-License-Identifier: BSD-3-Clause */
#include "cases/pktgen_child.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STATUS_NO_PROGRAM = 127, STATUS_SIGNAL = 128 };

static void exec_program(char *const *args, int in, int out)
{
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	execvp(args[0], args);
	dprintf(STDERR_FILENO, "%s: cannot run it: %s\n", args[0], strerror(errno));
	_exit(STATUS_NO_PROGRAM);
}

int child_start(struct child *child, char *const *args)
{
	int in[2], out[2];

	*child = (struct child){ 0 };
	if (pipe2(in, O_CLOEXEC))
		return -errno;
	if (pipe2(out, O_CLOEXEC)) {
		close(in[0]);
		close(in[1]);
		return -EMFILE;
	}
	child->in = in[1];
	child->out = fdopen(out[0], "r");
	child->pid = child->out ? fork() : -1;
	if (!child->pid)
		exec_program(args, in[0], out[1]);
	close(in[0]);
	close(out[1]);
	if (child->pid > 0)
		return 0;
	close(in[1]);
	if (child->out)
		fclose(child->out);
	else
		close(out[0]);
	return -ENOMEM;
}

bool child_read_until(struct child *child, const char *text, char line[CHILD_LINE_BYTES])
{
	while (fgets(line, CHILD_LINE_BYTES, child->out)) {
		line[strcspn(line, "\n")] = '\0';
		if (line[0])
			memcpy(child->last, line, CHILD_LINE_BYTES);
		if (text && strstr(line, text))
			return true;
	}
	return false;
}

int child_end(struct child *child)
{
	char line[CHILD_LINE_BYTES];
	struct rusage usage = { 0 };
	int status = 0;

	close(child->in);
	child_read_until(child, NULL, line);
	fclose(child->out);
	while (wait4(child->pid, &status, 0, &usage) < 0 && errno == EINTR)
		;
	child->peak_kib = usage.ru_maxrss;
	return WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_SIGNAL + WTERMSIG(status);
}
