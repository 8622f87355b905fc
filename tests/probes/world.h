/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_PROBES_WORLD_H
#define TESTS_PROBES_WORLD_H

#include <infiniband/verbs.h>
#include <stdbool.h>

#include "ask.h"

/**
 * DOC: The contexts and objects that probes use
 *
 *     context A: mine, twin      two sets of all objects
 *     context B: theirs          a third set, whose handles are invalid in A
 *     context C                  without DEVX
 *     file D                     no context
 *
 * An object has the name of the command that creates it. umem and uar, which users create by
 * methods of their own, have names of their own.
 */

/** enum thing - an object of a set */
enum thing {
#define THING(name) THING_##name,
#include "things.def"
	N_THINGS
};

/** struct object - handle and firmware number of an object */
struct object {
	bool made;
	uint32_t handle, number;
};

/** struct set - one object of each kind that the probes use, all in one context */
struct set {
	int fd;
	struct object o[N_THINGS];
	uint64_t uar_offset; /* offset of the UAR, for mmap() */
	uint8_t *mem;        /* memory of the umem */
	struct ibv_pd *pd;   /* created by verbs, as @cq and @mr */
	struct ibv_cq *cq;
	struct ibv_mr *mr;
	uint32_t cqn; /* number of @cq */
};

/* Offsets of the rings, data and doorbell records in the memory of a struct set. */
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

/** struct world - all contexts and sets */
struct world {
	struct ibv_context *a, *b;
	struct set mine, twin, theirs;
	int no_devx, no_context;
	char path[64 + IBV_SYSFS_NAME_MAX]; /* path of the uverbs file */
	uint32_t eqn;
};

/** world_open - open contexts and create objects. Return: NULL, or the reason of a failure */
const char *world_open(struct world *w);
/** world_close - destroy the objects and close the contexts of a complete world */
void world_close(struct world *w);

/**
 * world_make_set - create the objects of a set, without those of verbs, in the context of @fd
 *
 * Allocates s->mem if it is NULL.
 *
 * Return: 0, or -1: out of memory. The objects end with the context; free s->mem afterwards.
 */
int world_make_set(const struct world *w, struct set *s, int fd);

/** umem_of - make the ioctl that registers a umem; @id receives its number */
struct ask umem_of(void *addr, uint64_t bytes, uint32_t *id);
/** context_open_devx - open a uverbs file and a DEVX context. Return: a descriptor, or -1 */
int context_open_devx(const struct world *w);
/** context_of - make the ioctl GET_CONTEXT with request @req; NULL: for a context without DEVX */
struct ask context_of(const void *req, size_t bytes);

#endif
