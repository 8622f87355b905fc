/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_OBJECTS_DEVX_H
#define EMU_UVERBS_OBJECTS_DEVX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/uverbs/base/types.h"
#include "prm/prm.h"

enum { UV_DESTROY_DWORDS = 16 };

/** struct uv_devx - a DEVX object */
struct uv_devx {
	struct uv_obj obj;
	uint16_t created_by; /* opcode of its create command, enum prm_opcode */
	uint32_t id;
	uint32_t bulk;                       /* number of flow counters in the object; 0: one */
	prm_be32 destroy[UV_DESTROY_DWORDS]; /* command that destroys the object */
	size_t destroy_bytes;
};

extern const struct uv_type uv_type_devx;

/**
 * uv_devx_check_subject - check that a modify or query command is allowed and refers to @obj
 * @modify: true: a modify command; false: a query command
 *
 * Return: 0 or -EINVAL
 */
int uv_devx_check_subject(const void *in, size_t in_bytes, bool modify, const struct uv_obj *obj);

/**
 * uv_devx_plan_destroy - set number and destroy command of an object that firmware has created
 * @in: the create command
 * @out: its output
 */
void uv_devx_plan_destroy(struct uv_devx *o, const void *in, const void *out);

/**
 * uv_devx_force_umem - set the *_umem_valid bits of command @in
 *
 * So a user cannot pass physical addresses. Memory keys over other memory keys need no bit.
 */
void uv_devx_force_umem(void *in, size_t bytes);

/**
 * DOC: The commands that Linux allows DEVX users to send
 *
 * The kernel allows only commands on its lists. It checks the object number and few other fields.
 * It writes the uid of the context into the command, and forces every buffer to be a umem. It
 * derives an object's destroy command from the create command.
 *
 * Source: Linux drivers/infiniband/hw/mlx5/devx.c.
 */

/** uv_devx_may_create - check whether Linux allows @in as a command that creates an object */
bool uv_devx_may_create(const struct prm_general_obj_in_cmd_hdr *in);
/** uv_devx_may_general - check whether Linux allows @in as a command without an object */
bool uv_devx_may_general(const struct prm_general_obj_in_cmd_hdr *in);
/**
 * uv_devx_find_subject - read which object a modify or query command refers to
 * @modify: true: allow modify commands only; false: query commands only
 * @created_by: receives the opcode that creates such an object
 * @id: receives the number of the object
 *
 * Return: false if Linux does not allow the command, or if @in ends before the number
 */
bool uv_devx_find_subject(const void *in, size_t in_bytes, bool modify, uint16_t *created_by,
			  uint32_t *id);

/*
 * Create commands that the firmware of emu implements: CREATE(create command, destroy command, name
 * of the number in the create output, name in the destroy input). Excludes flow tables, groups and
 * entries, because their destroy commands need more than a number (devx_destroy.c).
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

#endif
