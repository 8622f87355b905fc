/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DEVX: sends the command of a user to firmware.
 */
#include "emu/uverbs/methods/devx_command.h"

#include <errno.h>
#include <stdlib.h>

#include "emu/uverbs/base/exec.h"
#include "emu/uverbs/calls/attr.h"

/* Returns the uid of the context. Contexts without one may query capabilities with a shared uid. */
static int choose_uid(const struct uv_call *c, const struct prm_general_obj_in_cmd_hdr *in)
{
	const uint64_t opcode = prm_get(in, opcode);

	if (c->file->uid)
		return c->file->uid;
	if (opcode != PRM_OP_query_hca_cap && opcode != PRM_OP_query_esw_functions &&
	    opcode != PRM_OP_query_esw_vport_context && opcode != PRM_OP_query_hca_vport_context)
		return -EINVAL;
	return c->dev->whitelist_uid ? c->dev->whitelist_uid : -EOPNOTSUPP;
}

int uv_devx_sign(struct uv_call *c, struct prm_general_obj_in_cmd_hdr *in, bool is_object)
{
	const int uid = choose_uid(c, in);

	if (is_object && prm_get(in, vhca_tunnel_id))
		return -EINVAL;
	if (uid < 0)
		return uid;
	prm_set(in, uid, (unsigned)uid);
	return 0;
}

int uv_devx_execute(struct uv_call *c, const void *in, size_t in_bytes, uint16_t out_id, void **out)
{
	const size_t out_bytes = uv_attr_find(c, out_id)->bytes;

	*out = calloc(1, out_bytes);
	return *out ? uv_exec_user(c->dev, in, in_bytes, *out, out_bytes) : -ENOMEM;
}

int uv_devx_answer(struct uv_call *c, uint16_t out_id, int rc, void *out)
{
	if (!rc || rc == -EREMOTEIO) {
		const int rc_copy = uv_attr_write(c, out_id, out, uv_attr_find(c, out_id)->bytes);

		if (rc_copy)
			rc = rc_copy;
	}
	free(out);
	return rc;
}
