/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_PROBES_PROCESS_H
#define TESTS_PROBES_PROCESS_H

#include "command.h"
#include "spark.h"

/**
 * DOC: A second process that uses the context of this one
 *
 *     forked     a child of fork
 *     executed   a child that called exec: devx-probes again, with the command descriptor
 *
 * Both find the objects in struct process_shared, in a memory file that both processes map. The
 * other process can ask its parent for an action at any time, and waits until the action is done.
 */

/** enum process_act - what the other process asks its parent to do */
enum process_act { ACT_RAISE, ACT_CLOSE };

/** struct process_shared - what both processes see */
struct process_shared {
	uint8_t mem[SET_BYTES];   /* memory of the umem of @world.mine */
	uint8_t other[SET_BYTES]; /* memory that only the other process registers */
	struct world world;       /* that of the parent; only @mine and @eqn are valid */
	uint32_t n_posted;        /* NOPs of both processes */
	bool last;                /* the probes of a process that has the context alone */
	uint32_t pd;              /* handle of a PD that the parent created */
	uint32_t kept_pd;         /* handles and offset of objects that the other process leaves */
	struct object kept_umem;
	uint64_t kept_uar_offset;
};

/** struct process - a second process */
struct process {
	const char *name; /* in the names of the probes */
	struct process_shared *shared;
	struct world world; /* with addresses of this process */
	int memory, sock;   /* descriptors: of @shared, and of the other side */
	int context, bare;  /* uverbs files of the parent: with a context, and without one */
	int commands;       /* the parent's file for replies, with one reply; -1: not here */
	struct spark spark; /* that of the parent; without a mapping in an executed process */
};

/** process_ask - ask the parent for an action, and wait until it is done */
void process_ask(const struct process *p, enum process_act act);

/**
 * process_open - create a context and its objects for a second process
 * @name: a word for the names of the probes
 * @last: the parent will close its descriptor before the other process
 */
void process_open(struct process *p, const struct world *w, const char *name, bool last);
/**
 * process_run - run the probes of the second process, and serve it until it ends
 * @by_exec: the process is this program again
 *
 * Return: its exit status, or -1: a signal ended it
 */
int process_run(struct process *p, bool by_exec);
/** process_close - close what process_open() opened */
void process_close(struct process *p);

/** process_begin - in an executed process: take @argv, which process_run() made. Return: success */
bool process_begin(struct process *p, int argc, char **argv);

/** probe_process - the probes of the second process */
void probe_process(struct process *p);

#endif
