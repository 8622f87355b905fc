/* SPDX-License-Identifier: BSD-3-Clause */
#include "write_trap.h"

#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "ct.h"

enum { PAGE_BYTES = 4096, TRAP_FLAG = 0x100 };

/* The armed trap, the last store to it, and the handlers from before. */
static struct {
	struct write_trap *trap;
	const void *at;
	struct sigaction segv, step;
} armed;

static bool protect_pages(const struct write_trap *trap, int prot)
{
	bool ok = true;

	for (unsigned int i = 0; i < trap->n; i++)
		ok = !mprotect(trap->page[i], PAGE_BYTES, prot) && ok;
	return ok;
}

static bool has_page(const struct write_trap *trap, const void *at)
{
	for (unsigned int i = 0; i < trap->n; i++)
		if ((uintptr_t)at - (uintptr_t)trap->page[i] < PAGE_BYTES)
			return true;
	return false;
}

/* Lets the interrupted code go on, one instruction at a time if @step. */
static void set_step(void *context, bool step)
{
#ifdef __x86_64__
	greg_t *flags = &((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL];

	*flags = step ? *flags | TRAP_FLAG : *flags & ~TRAP_FLAG;
#else
	(void)context;
	(void)step;
#endif
}

static void catch_store(int sig, siginfo_t *info, void *context)
{
	if (!has_page(armed.trap, info->si_addr)) { /* the instruction faults again */
		sigaction(sig, &armed.segv, NULL);
		return;
	}
	armed.at = info->si_addr;
	protect_pages(armed.trap, PROT_READ | PROT_WRITE);
	set_step(context, true);
}

static void catch_step(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)info;
	set_step(context, false);
	armed.trap->written(armed.trap->arg, armed.at);
	protect_pages(armed.trap, PROT_READ);
}

bool write_trap_is_possible(void)
{
#ifdef __x86_64__
	return true;
#else
	return false;
#endif
}

void write_trap_add(struct write_trap *trap, const void *at)
{
	if (has_page(trap, at))
		return;
	ASSERT_LT(trap->n, WRITE_TRAP_PAGES);
	trap->page[trap->n++] = (char *)(uintptr_t)at - (uintptr_t)at % PAGE_BYTES;
}

void write_trap_arm(struct write_trap *trap)
{
	const struct sigaction segv = { .sa_sigaction = catch_store, .sa_flags = SA_SIGINFO };
	const struct sigaction step = { .sa_sigaction = catch_step, .sa_flags = SA_SIGINFO };

	armed.trap = trap;
	EXPECT_EQ(0, sigaction(SIGSEGV, &segv, &armed.segv));
	EXPECT_EQ(0, sigaction(SIGTRAP, &step, &armed.step));
	EXPECT_TRUE(protect_pages(trap, PROT_READ));
}

void write_trap_disarm(struct write_trap *trap)
{
	EXPECT_TRUE(protect_pages(trap, PROT_READ | PROT_WRITE));
	sigaction(SIGSEGV, &armed.segv, NULL);
	sigaction(SIGTRAP, &armed.step, NULL);
}
