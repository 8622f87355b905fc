/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_REMOTE_MARSHAL_H
#define EMU_UVERBS_REMOTE_MARSHAL_H

#include "emu/uverbs/calls/call.h"
#include "emu/uverbs/remote/rpc.h"

/**
 * DOC: An ioctl as a message
 *
 *     struct ib_uverbs_ioctl_hdr | a struct uv_packed_attr each | bytes of inputs and outputs
 *
 * Both processes know from the method's declaration (calls/call.h) which attributes are addresses
 * and descriptors. The caller also sends the present bytes of outputs: those that the method does
 * not write stay unchanged. The owner runs the method on its copy of the message and returns the
 * copy.
 */

/** enum uv_place - where the value of an attribute is */
enum uv_place {
	UV_IN_VALUE, /* in the attribute itself */
	UV_IN_BYTES, /* an address; its bytes are in the message, from @at on */
	UV_IN_FDS,   /* a descriptor, number @at of the message */
	UV_NOWHERE,  /* an address that the caller cannot access */
};

/** struct uv_packed_attr - an attribute in a message */
struct uv_packed_attr {
	struct ib_uverbs_attr attr;
	uint32_t place, at;
};

/**
 * uv_find_place - where a message carries the value of an attribute
 * @method: the method that reads the attribute; NULL if it does not exist
 *
 * Return: UV_IN_VALUE, UV_IN_BYTES or UV_IN_FDS
 */
enum uv_place uv_find_place(const struct uv_method *method, const struct ib_uverbs_attr *a);

/**
 * uv_pack_ioctl - make the message of an ioctl
 * @fd: the uverbs file
 * @user: argument of the ioctl
 * @m: zeroed; receives the message. Its descriptors belong to the program; free m->body
 *
 * Return: 0; -EFAULT, -EINVAL: as uv_call_serve(); -ENOMEM
 */
int uv_pack_ioctl(int fd, const void *user, struct uv_rpc *m);
/**
 * uv_unpack_answer - write the outputs of an ioctl to the memory of the program
 * @user: argument of the ioctl
 * @sent: the message of uv_pack_ioctl()
 * @answer: what the owner sent back
 * @new_fd: descriptor that the ioctl has created, or -1
 *
 * Return: 0, -EFAULT, or -EIO: the answer has another length than the message
 */
int uv_unpack_answer(void *user, const struct uv_rpc *sent, const struct uv_rpc *answer,
		     int new_fd);

/**
 * uv_run_packed - execute the ioctl of a message, and change the message into its answer
 * @file: the uverbs file of m->fd[0]
 *
 * Return: 0 or -errno of the ioctl; -EINVAL: it is not such a message
 */
int uv_run_packed(struct uv_file *file, struct uv_rpc *m);

#endif
