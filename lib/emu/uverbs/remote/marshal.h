/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_REMOTE_MARSHAL_H
#define EMU_UVERBS_REMOTE_MARSHAL_H

#include "emu/uverbs/calls/call.h"
#include "emu/uverbs/remote/rpc.h"

/**
 * DOC: An ioctl as a message
 *
 *     struct ib_uverbs_ioctl_hdr | struct uv_packed_attr [n] | bytes of inputs and outputs
 *
 * The method's declaration (calls/call.h) tells both processes which attributes are addresses and
 * descriptors. The caller also sends the current bytes of outputs, because a method may leave some
 * unwritten. The owner runs the method on its copy of the message and sends the copy back.
 */

/** enum uv_place - where the value of an attribute is */
enum uv_place {
	UV_IN_VALUE, /* in the attribute itself */
	UV_IN_BYTES, /* an address; its bytes start at offset @at of the message body */
	UV_IN_FDS,   /* a descriptor: number @at of the message */
	UV_NOWHERE,  /* an address that the caller cannot access */
};

/** struct uv_packed_attr - an attribute in a message */
struct uv_packed_attr {
	struct ib_uverbs_attr attr;
	uint32_t place, at;
};

/**
 * uv_find_place - find where a message carries the value of an attribute
 * @method: the method that reads the attribute; NULL: unknown method
 *
 * Return: UV_IN_VALUE, UV_IN_BYTES or UV_IN_FDS
 */
enum uv_place uv_find_place(const struct uv_method *method, const struct ib_uverbs_attr *a);

/**
 * uv_pack_ioctl - make the message of an ioctl
 * @fd: the uverbs file
 * @user: argument of the ioctl
 * @m: zeroed; receives the message. The caller frees m->body; the descriptors are the program's
 *
 * Return: 0; -EFAULT, -EINVAL: as uv_call_serve(); -ENOMEM
 */
int uv_pack_ioctl(int fd, const void *user, struct uv_rpc *m);
/**
 * uv_unpack_answer - write the outputs of an ioctl to the memory of the program
 * @user: argument of the ioctl
 * @sent: the message of uv_pack_ioctl()
 * @answer: the owner's answer
 * @new_fd: descriptor that the ioctl has created, or -1
 *
 * Return: 0, -EFAULT, or -EIO: the answer has another length than the message
 */
int uv_unpack_answer(void *user, const struct uv_rpc *sent, const struct uv_rpc *answer,
		     int new_fd);

/**
 * uv_run_packed - execute the ioctl of a message and turn the message into its answer
 * @file: the uverbs file of m->fd[0]
 *
 * Return: 0 or -errno of the ioctl; -EINVAL: malformed message
 */
int uv_run_packed(struct uv_file *file, struct uv_rpc *m);

#endif
