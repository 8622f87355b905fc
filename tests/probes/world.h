/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_PROBES_WORLD_H
#define TESTS_PROBES_WORLD_H

#include <infiniband/verbs.h>
#include <stdbool.h>

#include "ask.h"

/**
 * DOC: what there is to ask about
 *
 *     context A: mine, twin      two of everything
 *     context B: theirs          the same once more: handles that mean nothing in A
 *     context C: no DEVX
 *     file D: no context at all
 *
 * Objects are named by the command that makes them; what no command makes has a name of its own.
 */

/** enum thing - an object of a set */
enum thing {
#define THING(name) THING_##name,
#include "things.def"
	N_THINGS
};

/** struct object - its uverbs handle and its number in firmware */
struct object {
	bool made;
	uint32_t handle, number;
};

/** struct set - one of everything, in one context */
struct set {
	int fd;
	struct object o[N_THINGS];
	uint8_t *mem;      /* that umem covers */
	struct ibv_pd *pd; /* of verbs */
	struct ibv_cq *cq;
	struct ibv_mr *mr;
	uint32_t cqn; /* of that CQ */
};

/* Where things are in the memory of a set. */
enum {
	PAGE = 4096,
	AT_CQ = 0,
	AT_SQ = 1 * PAGE,
	AT_RQ = 2 * PAGE,
	AT_DATA = 3 * PAGE,
	AT_DBR = 4 * PAGE,
	SET_BYTES = 5 * PAGE,
	DBR_BYTES = 64
};

/** struct world - all of it */
struct world {
	struct ibv_context *a, *b;
	struct set mine, twin, theirs;
	int no_devx, no_context;
	char path[64 + IBV_SYSFS_NAME_MAX]; /* of the uverbs file */
	uint32_t eqn;
};

/** world_open - Return: NULL, or what could not be had */
const char *world_open(struct world *w);
/** world_close - what is left goes with the contexts */
void world_close(struct world *w);

/** umem_of - a question that registers memory */
struct ask umem_of(void *addr, uint64_t bytes, uint32_t *id);
/** context_of - GET_CONTEXT; @req NULL: of a context without DEVX (contexts.c) */
struct ask context_of(const void *req, size_t bytes);

#endif
