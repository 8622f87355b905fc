/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_OBJECTS_DEVX_H
#define EMU_UVERBS_OBJECTS_DEVX_H

#include "emu/uverbs/methods/methods.h"

/**
 * DOC: What Linux lets DEVX users do
 *
 * The kernel looks at opcodes and object numbers, not at fields: it lets only listed
 * commands through, marks them with the user's id, turns every buffer into a umem, and
 * makes the command that destroys an object out of the one that created it.
 *
 * Source: Linux drivers/infiniband/hw/mlx5/devx.c.
 */

/*
 * Create commands that firmware here knows: CREATE(create, destroy, number in create's output,
 * number in destroy's input). Flow entries are their own case: they are numbered by the user,
 * and what destroys them needs more than a number.
 */
#define UV_DEVX_CREATES                                                                            \
	CREATE(create_mkey, destroy_mkey, mkey_index, mkey_index)                                  \
	CREATE(create_cq, destroy_cq, cqn, cqn)                                                    \
	CREATE(create_qp, destroy_qp, qpn, qpn)                                                    \
	CREATE(create_xrc_srq, destroy_xrc_srq, xrc_srqn, xrc_srqn)                                \
	CREATE(alloc_xrcd, dealloc_xrcd, xrcd, xrcd)                                               \
	CREATE(alloc_pd, dealloc_pd, pd, pd)                                                       \
	CREATE(alloc_transport_domain, dealloc_transport_domain, transport_domain,                 \
	       transport_domain)                                                                   \
	CREATE(create_rmp, destroy_rmp, rmpn, rmpn)                                                \
	CREATE(create_sq, destroy_sq, sqn, sqn)                                                    \
	CREATE(create_rq, destroy_rq, rqn, rqn)                                                    \
	CREATE(create_rqt, destroy_rqt, rqtn, rqtn)                                                \
	CREATE(create_tir, destroy_tir, tirn, tirn)                                                \
	CREATE(create_tis, destroy_tis, tisn, tisn)                                                \
	CREATE(alloc_q_counter, dealloc_q_counter, counter_set_id, counter_set_id)                 \
	CREATE(alloc_flow_counter, dealloc_flow_counter, flow_counter_id, flow_counter_id)

enum { UV_DESTROY_DWORDS = 16 };

/** struct uv_devx - a DEVX object */
struct uv_devx {
	struct uv_obj obj;
	uint16_t created_by;        /* enum prm_opcode */
	uint32_t id;
	uint32_t bulk;              /* flow counters in it, 0: one */
	prm_be32 destroy[UV_DESTROY_DWORDS];
	size_t destroy_bytes;
};

/** uv_devx_may_create - is it on the list of commands that create objects? */
bool uv_devx_may_create(const struct prm_general_obj_in_cmd_hdr *in);
/** uv_devx_may_general - is it on the list of commands without an object? */
bool uv_devx_may_general(const struct prm_general_obj_in_cmd_hdr *in);
/**
 * uv_devx_subject - the object that a modify or query command names: its creator and number
 *
 * Return: false if the command is not on the list, or ends before the number
 */
bool uv_devx_subject(const void *in, size_t in_bytes, bool modify, uint16_t *created_by,
		     uint32_t *id);
/** uv_devx_force_umem - set the "is in a umem" bits: no physical addresses from users */
void uv_devx_force_umem(void *in, size_t bytes);
/** uv_devx_plan_destroy - number of the object just created, and the command to destroy it */
void uv_devx_plan_destroy(struct uv_devx *o, const void *in, const void *out);

/* ---- sending a user's command (devx_other.c) ------------------------------------ */

enum { UV_HDR_BYTES = sizeof(struct prm_general_obj_in_cmd_hdr) };

#define UV_CMD_IN(id_)                                                              \
	{ .id = (id_), .kind = UV_IN, .min = UV_HDR_BYTES, .max = UV_ANY_LENGTH }
#define UV_CMD_OUT(id_) UV_ATTR_OUT_MIN(id_, UV_HDR_BYTES)

/** uv_devx_sign - mark a command with the user's id. @is_object: for an object method */
int uv_devx_sign(struct uv_call *c, struct prm_general_obj_in_cmd_hdr *in, bool is_object);
/** uv_devx_execute - run it into an output as long as the user's. Return: 0, -EREMOTEIO, -ENOMEM */
int uv_devx_execute(struct uv_call *c, const void *in, size_t in_bytes, uint16_t out_id,
		    void **out);
/** uv_devx_answer - give the user the output if @rc is 0 or -EREMOTEIO; free it. Return: @rc */
int uv_devx_answer(struct uv_call *c, uint16_t out_id, int rc, void *out);
/** uv_devx_check_subject - is the command listed, and about the object? Return: 0 or -EINVAL */
int uv_devx_check_subject(const void *in, size_t in_bytes, bool modify, const struct uv_obj *obj);

#endif
