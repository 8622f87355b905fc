/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef WRITE_TRAP_H
#define WRITE_TRAP_H

#include <stdbool.h>

/**
 * DOC: A function that runs right after each store to a page
 *
 * An armed trap makes its pages read-only. A store there faults, the handler lets the CPU execute
 * this one instruction, and then calls the function. So the function sees memory as it is between
 * the store and the next instruction. It may write to the pages itself.
 *
 *     store to a page -> SIGSEGV: pages writable, trap flag set -> the store
 *                     -> SIGTRAP: written(), pages read-only    -> the next instruction
 *
 * The trap flag exists on x86-64 only. Pages are those of 4 KiB. One trap can be armed at a time,
 * and no other thread writes to its pages meanwhile.
 */

enum { WRITE_TRAP_PAGES = 4 };

/**
 * struct write_trap - pages, and a function for the stores to them
 * @page: the pages
 * @n: number of pages
 * @written: runs in a signal handler; @at: first byte that the store wrote
 * @arg: argument of @written
 */
struct write_trap {
	void *page[WRITE_TRAP_PAGES];
	unsigned int n;
	void (*written)(void *arg, const void *at);
	void *arg;
};

/** write_trap_is_possible - does this processor have a trap flag that the test can set? */
bool write_trap_is_possible(void);
/** write_trap_add - add the page of @at, unless the trap has it */
void write_trap_add(struct write_trap *trap, const void *at);
/** write_trap_arm - make the pages read-only and catch stores to them */
void write_trap_arm(struct write_trap *trap);
/** write_trap_disarm - undo write_trap_arm() */
void write_trap_disarm(struct write_trap *trap);

#endif
