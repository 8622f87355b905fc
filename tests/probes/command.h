/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_PROBES_COMMAND_H
#define TESTS_PROBES_COMMAND_H

#include "recipe.h"

/** struct command - a DEVX command to send */
struct command {
	enum entry by;
	int fd;
	int64_t handle; /* object, for BY_MODIFY, BY_QUERY, BY_ASYNC */
	int cmd_fd;     /* BY_ASYNC: file of the reply */
	const void *in;
	size_t in_bytes, out_bytes;
	bool bad_out; /* true: the address of the output is not mapped */
	bool keep;    /* BY_CREATE: true: do not destroy the new object */
};

/** struct reply - errno of the kernel and status of firmware */
struct reply {
	int error, status; /* arguments of say_answer() */
	uint32_t handle;   /* BY_CREATE */
	const void *out;   /* ASK_ROOM bytes, valid until the next command_run() */
};

/**
 * command_run - send a command
 *
 * Destroys a new object unless c->keep is set. The reply then has the errno of the destroy.
 */
struct reply command_run(const struct command *c);
/** command_ask - make the ioctl of a command without sending it; the output goes to @out */
struct ask command_ask(const struct command *c, void *out);
/** command_destroy - destroy a DEVX object. Return: 0 or errno */
int command_destroy(int fd, int64_t handle);

/* ---- methods without a command ------------------------------------------------------ */

/** eqn_of - make the ioctl QUERY_EQN of completion vector @vector; @eqn receives the EQ number */
struct ask eqn_of(uint32_t vector, uint32_t *eqn);
/** uar_of - make the ioctl that allocates a UAR; the pointers receive its outputs */
struct ask uar_of(uint64_t type, uint64_t *offset, uint32_t *bytes, uint32_t *page_id);
/** cmd_fd_of - make the ioctl that creates a file for replies to asynchronous queries */
struct ask cmd_fd_of(void);
/** event_fd_of - make the ioctl that creates a file for DEVX events */
struct ask event_fd_of(uint64_t flags);

#endif
