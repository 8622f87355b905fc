/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_PROBES_ASK_H
#define TESTS_PROBES_ASK_H

#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <stddef.h>
#include <stdint.h>

/**
 * DOC: a question to the kernel
 *
 * One ioctl of the uverbs interface, attribute by attribute, as a library would make it and
 * as none would. An answer is an errno, by name, or "ok".
 */

enum { ASK_ATTRS = 12, ASK_ROOM = 0x10000 };

/* A handle that nothing has. */
enum { NO_HANDLE = 0x7ffffff0 };

/** enum ask_kind - what an attribute is */
enum ask_kind { ASK_IN, ASK_OUT, ASK_OBJ, ASK_NEW };

/** struct ask - an ioctl being made */
struct ask {
	struct ib_uverbs_ioctl_hdr hdr;
	struct ib_uverbs_attr attr[ASK_ATTRS];
	const char *name[ASK_ATTRS];
	enum ask_kind kind[ASK_ATTRS];
};

/** ask_of - one without attributes */
struct ask ask_of(uint16_t object, uint16_t method);
/** ask_in - @len bytes for the kernel; up to 8 travel in the attribute */
void ask_in(struct ask *a, const char *name, uint16_t id, const void *data, size_t len);
/** ask_num - a number of 8 bytes */
void ask_num(struct ask *a, const char *name, uint16_t id, uint64_t value);
/** ask_num32 - a number of 4 bytes */
void ask_num32(struct ask *a, const char *name, uint16_t id, uint32_t value);
/** ask_out - room for @len bytes of the kernel's */
void ask_out(struct ask *a, const char *name, uint16_t id, void *room, size_t len);
/** ask_obj - an object, by its handle or descriptor */
void ask_obj(struct ask *a, const char *name, uint16_t id, int64_t handle);
/** ask_new - where the kernel writes the handle of what it makes */
void ask_new(struct ask *a, const char *name, uint16_t id);

/** ask_send - send it to uverbs file @fd. Return: 0 or errno */
int ask_send(struct ask *a, int fd);
/** ask_handle - what the kernel wrote into ask_new()'s attribute */
uint32_t ask_handle(const struct ask *a);

/** ask_destroy - destroy an object by the method that takes only its handle. Return: errno */
int ask_destroy(int fd, uint16_t object, uint16_t method, uint16_t attr, int64_t handle);

/** ask_nowhere - an address that is not there */
void *ask_nowhere(void);

/**
 * say_answer - a line of the table: the probe's name and the answer
 *
 * @error is an errno or 0; @status firmware's, for EREMOTEIO.
 */
void say_answer(int error, int status, const char *name, ...) __attribute__((format(printf, 3, 4)));

/* status of say_answer() where firmware said nothing */
enum { SAY_NO_STATUS = -1, SAY_UNWRITTEN = -2 };

#endif
