/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_PROBES_ASK_H
#define TESTS_PROBES_ASK_H

#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <stddef.h>
#include <stdint.h>

/**
 * DOC: One ioctl of the uverbs interface
 *
 * A probe builds an ioctl attribute by attribute, valid or malformed. It sends the ioctl and prints
 * the answer: the name of an errno, or "ok", and the status of firmware if that is not OK.
 */

enum { ASK_ATTRS = 12, ASK_ROOM = 0x10000 };

/* A handle that no object has. */
enum { NO_HANDLE = 0x7ffffff0 };

/** enum ask_kind - kinds of attributes */
enum ask_kind { ASK_IN, ASK_OUT, ASK_OBJ, ASK_NEW };

/** struct ask - an ioctl and its attributes */
struct ask {
	struct ib_uverbs_ioctl_hdr hdr;
	struct ib_uverbs_attr attr[ASK_ATTRS];
	const char *name[ASK_ATTRS];
	enum ask_kind kind[ASK_ATTRS];
};

/** ask_of - make an ioctl without attributes */
struct ask ask_of(uint16_t object, uint16_t method);
/** ask_in - add an input of @len bytes; the attribute itself holds up to 8 bytes */
void ask_in(struct ask *a, const char *name, uint16_t id, const void *data, size_t len);
/** ask_num - add a number of 8 bytes */
void ask_num(struct ask *a, const char *name, uint16_t id, uint64_t value);
/** ask_num32 - add a number of 4 bytes */
void ask_num32(struct ask *a, const char *name, uint16_t id, uint32_t value);
/** ask_out - add an output: a buffer of @len bytes, which the kernel fills */
void ask_out(struct ask *a, const char *name, uint16_t id, void *room, size_t len);
/** ask_obj - add an object, by its handle or descriptor */
void ask_obj(struct ask *a, const char *name, uint16_t id, int64_t handle);
/** ask_new - add an attribute for the handle of a new object, which the kernel writes */
void ask_new(struct ask *a, const char *name, uint16_t id);

/** ask_send - send the ioctl to uverbs file @fd. Return: 0 or errno */
int ask_send(struct ask *a, int fd);
/** ask_handle - the new handle that the kernel wrote; UINT32_MAX: no attribute of ask_new() */
uint32_t ask_handle(const struct ask *a);

/** ask_destroy - call a method whose only attribute is the handle to destroy. Return: 0 or errno */
int ask_destroy(int fd, uint16_t object, uint16_t method, uint16_t attr, int64_t handle);

/** ask_nowhere - an address that is never mapped */
void *ask_nowhere(void);

/**
 * say_answer - print one line: the name of the probe and its answer
 * @error: an errno or 0
 * @status: status of firmware, SAY_NO_STATUS or SAY_UNWRITTEN
 */
void say_answer(int error, int status, const char *name, ...) __attribute__((format(printf, 3, 4)));

/** say_text - print one line: the name of the probe and an answer in words, joined by single '-' */
void say_text(const char *answer, const char *name, ...) __attribute__((format(printf, 2, 3)));

/*
 * SAY_NO_STATUS: the call returned no status of firmware. SAY_UNWRITTEN: firmware executed or
 * refused the command, but the kernel wrote no output.
 */
enum { SAY_NO_STATUS = -1, SAY_UNWRITTEN = -2 };

#endif
