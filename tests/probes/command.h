/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_PROBES_COMMAND_H
#define TESTS_PROBES_COMMAND_H

#include "recipe.h"

/** struct command - a DEVX command on its way into the kernel */
struct command {
	enum entry by;
	int fd;
	int64_t handle; /* BY_MODIFY, BY_QUERY, BY_ASYNC */
	int cmd_fd;     /* BY_ASYNC: where the reply comes */
	const void *in;
	size_t in_bytes, out_bytes;
	bool bad_out; /* the output's address is not there */
	bool keep;    /* BY_CREATE: what is made stays */
};

/** struct reply - the kernel's errno, firmware's status */
struct reply {
	int error, status; /* as say_answer() takes them */
	uint32_t handle;   /* BY_CREATE */
	const void *out;   /* of ASK_ROOM, until the next command */
};

struct reply command_run(const struct command *c);
/** command_ask - the same as a question, to be spoilt; the output goes to @out */
struct ask command_ask(const struct command *c, void *out);
/** command_destroy - a DEVX object. Return: errno */
int command_destroy(int fd, int64_t handle);

/* ---- methods without a command ------------------------------------------------------ */

struct ask eqn_of(uint32_t vector, uint32_t *eqn);
struct ask uar_of(uint64_t type, uint64_t *offset, uint32_t *bytes, uint32_t *page_id);
/** cmd_fd_of, event_fd_of - files of replies and of events */
struct ask cmd_fd_of(void);
struct ask event_fd_of(uint64_t flags);

#endif
