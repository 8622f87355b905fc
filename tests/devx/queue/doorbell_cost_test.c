/* SPDX-License-Identifier: BSD-3-Clause */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ct.h"
#include "devx/sq.h"

/*
 * Cost of a doorbell: a child process rings while its parent steps through it, one instruction at
 * a time. The parent counts instructions, fences (sfence), and the writes to a page that stands in
 * for the UAR page. The figures are those of this compiler and this optimization; fences and bytes
 * do not depend on them.
 */

enum { PAGE = 4096, BUFFER = 256, MAX_STEPS = 100000 };

/* Fields that a queue and its ring need, shared by parent and child. */
struct scene {
	uint8_t page[PAGE];
	struct devx_wqebb wqebbs[8];
	prm_be32 dbrec[2];
	struct devx_sq sq;
};

__attribute__((noinline)) static void ring_8_bytes(struct devx_sq *sq, struct prm_ctrl_seg *wqe)
{
	devx_sq_ring(sq, wqe);
}

__attribute__((noinline)) static void ring_next(struct devx_sq *sq, struct prm_ctrl_seg *wqe)
{
	devx_sq_ring_next(sq, wqe);
}

__attribute__((noinline)) static void ring_wqe(struct devx_sq *sq, struct prm_ctrl_seg *wqe)
{
	devx_sq_ring_wqe(sq, wqe);
}

struct cost {
	unsigned instructions, fences, writes, bytes;
};

static const struct variant {
	const char *name;
	void (*ring)(struct devx_sq *sq, struct prm_ctrl_seg *wqe);
	bool nc;
	uint16_t n_blocks;
	struct cost want; /* instructions: not compared */
} variants[] = {
	{ "non_cached_8_bytes", ring_8_bytes, true, 1, { 0, 0, 1, 8 } },
	{ "blueflame_8_bytes", ring_8_bytes, false, 1, { 0, 2, 1, 8 } },
	{ "blueflame_8_bytes_in_turn", ring_next, false, 1, { 0, 2, 1, 8 } },
	{ "blueflame_wqe_of_64_bytes", ring_wqe, false, 1, { 0, 2, 8, 64 } },
	{ "blueflame_wqe_of_256_bytes", ring_wqe, false, 4, { 0, 2, 32, 256 } },
};

#ifdef __x86_64__

/* The child: stops, calls @v->ring once, and exits. */
static void ring_once(const struct variant *v, struct scene *s)
{
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	raise(SIGSTOP);
	v->ring(&s->sq, &s->wqebbs[0].ctrl);
	_exit(0);
}

static bool step_child(pid_t child, struct user_regs_struct *regs)
{
	int status;

	return !ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) &&
	       waitpid(child, &status, 0) == child && WIFSTOPPED(status) &&
	       !ptrace(PTRACE_GETREGS, child, NULL, regs);
}

static bool is_fence(pid_t child, uint64_t at)
{
	const long code = ptrace(PTRACE_PEEKTEXT, child, (void *)at, NULL);

	return (code & 0xffffff) == 0xf8ae0f; /* sfence: 0f ae f8 */
}

/* Adds what the last instruction changed in the UAR page. */
static void count_writes(const struct scene *s, uint8_t seen[PAGE], struct cost *c)
{
	unsigned n = 0;

	for (unsigned i = 0; i < PAGE; i++)
		n += seen[i] != s->page[i];
	c->writes += n > 0;
	c->bytes += n;
	memcpy(seen, s->page, PAGE);
}

/* Steps until @ring is entered, and counts until it has returned. */
static bool count_cost(pid_t child, const struct variant *v, const struct scene *s, struct cost *c)
{
	struct user_regs_struct r;
	uint8_t seen[PAGE];
	uint64_t stack;
	unsigned n = 0;

	do
		if (++n > MAX_STEPS || !step_child(child, &r))
			return false;
	while (r.rip != (uintptr_t)v->ring);
	stack = r.rsp;
	memcpy(seen, s->page, PAGE);
	for (; r.rsp <= stack && ++n < MAX_STEPS; c->instructions++) {
		c->fences += is_fence(child, r.rip);
		if (!step_child(child, &r))
			return false;
		count_writes(s, seen, c);
	}
	return true;
}

static void prepare_scene(struct scene *s, const struct variant *v)
{
	memset(s->wqebbs, 0x5a, sizeof(s->wqebbs)); /* differs from the page in every byte */
	s->wqebbs[0].ctrl.opmod_idx_opcode = prm_ctrl_dw0(1, 0x0100, PRM_WQE_SEND);
	s->sq = (struct devx_sq){ .wqebbs = s->wqebbs,
				  .dbrec = s->dbrec,
				  .doorbell = s->page + PRM_UAR_BF,
				  .nc = v->nc,
				  .log2_n = 3,
				  .bf_bytes = v->nc ? 0 : BUFFER,
				  .pi = (uint16_t)(0x0100 + v->n_blocks) };
	memset(s->page, 0xa5, sizeof(s->page));
}

TEST_EACH(doorbell_cost, ring_writes_and_fences_as_documented, struct variant, variants)
{
	struct scene *s =
		mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct cost c = { 0 };
	bool counted;
	pid_t child;

	ASSERT_NE(MAP_FAILED, s);
	prepare_scene(s, row);
	child = fork();
	if (!child)
		ring_once(row, s);
	ASSERT_LT(0, child);
	waitpid(child, NULL, 0);
	counted = count_cost(child, row, s, &c);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	munmap(s, sizeof(*s));
	if (!counted)
		SKIP("cannot step through a child process (ptrace)");
	printf("%-28s %3u instructions, %u fences, %2u writes of %3u bytes in all\n", row->name,
	       c.instructions, c.fences, c.writes, c.bytes);
	EXPECT_EQ(row->want.fences, c.fences);
	EXPECT_EQ(row->want.bytes, c.bytes);
	EXPECT_EQ(row->want.writes, c.writes);
}

#endif
