/* SPDX-License-Identifier: BSD-3-Clause */
#include "channel.h"
#include "process.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_ARGUMENTS = 7, ALARM_S = 60 };

static struct process_shared *map_shared(int memory)
{
	struct process_shared *s =
		mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);

	if (s == MAP_FAILED)
		abort();
	return s;
}

/* ---- the other process ------------------------------------------------------------ */

void process_ask(const struct process *p, enum process_act act)
{
	const uint8_t asked = (uint8_t)act;
	uint8_t done;

	if (write(p->sock, &asked, 1) != 1 || read(p->sock, &done, 1) != 1)
		abort();
}

bool process_begin(struct process *p, int argc, char **argv)
{
	if (argc != N_ARGUMENTS)
		return false;
	*p = (struct process){ .name = argv[2],
			       .memory = atoi(argv[3]),
			       .sock = atoi(argv[4]),
			       .context = atoi(argv[5]),
			       .bare = atoi(argv[6]),
			       .commands = -1 };
	p->shared = map_shared(p->memory);
	p->world = p->shared->world;
	p->world.mine.fd = p->context;
	p->world.mine.mem = p->shared->mem;
	p->spark.uar = MAP_FAILED;
	return true;
}

/* Runs this program again; it calls process_begin(). */
static void exec_again(const struct process *p)
{
	const int fds[] = { p->memory, p->sock, p->context, p->bare };
	char text[4][16];

	for (int i = 0; i < 4; i++) {
		fcntl(fds[i], F_SETFD, 0); /* not close-on-exec */
		snprintf(text[i], sizeof(text[i]), "%d", fds[i]);
	}
	execl("/proc/self/exe", "devx-probes", "process", p->name, text[0], text[1], text[2],
	      text[3], NULL);
	_exit(127);
}

static void become_other(struct process *p, const int *sock, bool by_exec)
{
	close(sock[0]);
	p->sock = sock[1];
	alarm(ALARM_S);
	if (by_exec)
		exec_again(p);
	probe_process(p);
	fflush(stdout);
	_exit(0);
}

/* ---- its parent ------------------------------------------------------------------- */

static void make_shared(struct process *p, const struct world *w)
{
	struct process_shared *s;
	struct set *mine;

	p->memory = memfd_create("probes", MFD_CLOEXEC);
	if (p->memory < 0 || ftruncate(p->memory, sizeof(*s)))
		abort();
	s = p->shared = map_shared(p->memory);
	mine = &p->world.mine;
	p->world.eqn = w->eqn;
	mine->mem = s->mem;
	if (world_make_set(w, mine, p->context) || spark_open(&p->spark, mine))
		abort();
	s->world = p->world;
}

static void make_pd(struct process *p)
{
	uint8_t in[COMMAND_BYTES];
	struct command c = { .by = BY_CREATE,
			     .fd = p->context,
			     .in = in,
			     .keep = true,
			     .out_bytes = sizeof(struct prm_alloc_pd_out) };

	c.in_bytes = recipe_make(NULL, PRM_OP_alloc_pd, in, NULL, NULL);
	p->shared->pd = command_run(&c).handle;
}

static void make_reply(struct process *p)
{
	struct channel c = { .context = p->context, .set = p->world.mine };

	p->commands = channel_make(CHANNEL_COMMAND, p->context);
	channel_query_async(&c, p->commands);
	if (channel_wait(p->commands))
		abort();
}

void process_open(struct process *p, const struct world *w, const char *name, bool last)
{
	*p = (struct process){ .name = name, .context = context_open_devx(w) };
	p->bare = open(w->path, O_RDWR | O_CLOEXEC);
	if (p->context < 0 || p->bare < 0)
		abort();
	make_shared(p, w);
	p->shared->last = last;
	make_pd(p);
	make_reply(p);
}

static void do_act(struct process *p, enum process_act what)
{
	switch (what) {
	case ACT_RAISE:
		p->spark.n_posted = p->shared->n_posted;
		spark_raise(&p->spark);
		p->shared->n_posted = p->spark.n_posted;
		break;
	case ACT_CLOSE:
		spark_close(&p->spark);
		close(p->commands);
		close(p->context);
		p->context = p->commands = -1;
		break;
	}
}

static int await_end(pid_t pid)
{
	int status;

	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int process_run(struct process *p, bool by_exec)
{
	int sock[2];
	uint8_t what;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sock))
		abort();
	pid = fork();
	if (!pid)
		become_other(p, sock, by_exec);
	close(sock[1]);
	while (read(sock[0], &what, 1) == 1) {
		do_act(p, (enum process_act)what);
		if (write(sock[0], &what, 1) != 1)
			break;
	}
	close(sock[0]);
	return await_end(pid);
}

void process_close(struct process *p)
{
	spark_close(&p->spark);
	if (p->context >= 0) {
		close(p->commands);
		close(p->context);
	}
	close(p->bare);
	munmap(p->shared, sizeof(*p->shared));
	close(p->memory);
}
