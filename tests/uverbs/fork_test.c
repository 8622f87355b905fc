/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A child of fork continues with the files of its parent process, and with nothing else. Linux and
 * emu answer alike.
 */
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "quiet_fork.h"
#include "verbs_rig.h"
#include "wait_limit.h"

/** struct child - a process, and the socket that it shares with this one */
struct child {
	pid_t pid;
	int sock;
};

/* Tells the other process that a step is done, or waits until it says so. */
static void tell_other(int sock)
{
	(void)!write(sock, "", 1);
}
static void await_other(int sock)
{
	char data;

	(void)!read(sock, &data, 1);
}

/* @run: in the child, with its socket and @ctx. Returns its exit status */
static struct child begin_child(int (*run)(int sock, struct ibv_context *ctx),
				struct ibv_context *ctx)
{
	struct child c = { .sock = -1 };
	int ends[2];

	EXPECT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
	c.pid = quiet_fork();
	if (!c.pid) {
		alarm(60);
		close(ends[0]);
		_exit(run(ends[1], ctx));
	}
	close(ends[1]);
	c.sock = ends[0];
	return c;
}

/* Lets the child make its last step. */
static void end_child(const struct child *c)
{
	int status = -1;

	tell_other(c->sock);
	EXPECT_EQ(c->pid, waitpid(c->pid, &status, 0));
	EXPECT_EQ(0, WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
	close(c->sock);
}

static bool can_query(struct ibv_context *ctx)
{
	struct ibv_port_attr port = { .link_layer = IBV_LINK_LAYER_UNSPECIFIED };

	return !ibv_query_port(ctx, 1, &port) && port.link_layer == IBV_LINK_LAYER_ETHERNET;
}

static int query_later(int sock, struct ibv_context *ctx)
{
	await_other(sock);
	return !can_query(ctx);
}

TEST(fork, child_goes_on_after_its_parent_has_closed)
{
	struct ibv_context *ctx = verbs_rig_open(true);
	struct child child;

	ASSERT_NE(NULL, ctx);
	child = begin_child(query_later, ctx);
	EXPECT_EQ(0, ibv_close_device(ctx));
	end_child(&child);
}

static int open_own(int sock, struct ibv_context *none)
{
	struct ibv_context *ctx;

	await_other(sock);
	ctx = verbs_rig_open(true);
	tell_other(sock);
	await_other(sock);
	return !ctx || none;
}

/* Waits until the device has @contexts. Returns false if that takes too long. */
static bool has_contexts(uint64_t contexts)
{
	for (int i = 0; i < WAIT_LIMIT_MS / 10 && verbs_rig_read_counters().contexts != contexts;
	     i++)
		usleep(10000);
	return verbs_rig_read_counters().contexts == contexts;
}

/* The owner of the adapter keeps files for other processes. A child does not have them. */
TEST(fork, child_keeps_no_context_of_another_process)
{
	struct child other = begin_child(open_own, NULL), child;
	struct ibv_context *ctx = verbs_rig_open(true);
	uint64_t before;

	ASSERT_NE(NULL, ctx);
	before = verbs_rig_read_counters().contexts;
	tell_other(other.sock);
	await_other(other.sock);
	EXPECT_EQ_ON_EMU(before + 1, verbs_rig_read_counters().contexts);
	child = begin_child(query_later, ctx);
	end_child(&other);
	EXPECT_TRUE(has_contexts(before));
	end_child(&child);
	EXPECT_EQ(0, ibv_close_device(ctx));
}
