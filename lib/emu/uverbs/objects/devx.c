/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/objects/devx.h"

#include <errno.h>

#include "emu/uverbs/base/exec.h"
#include "emu/uverbs/events/event.h"
#include "emu/uverbs/objects/cq.h"

static int devx_free(struct uv_obj *obj)
{
	struct uv_devx *o = (struct uv_devx *)obj;
	struct prm_general_obj_out_cmd_hdr out = { 0 };
	int rc = 0;

	if (o->destroy_bytes)
		rc = uv_exec_kernel(obj->file->dev, o->destroy, o->destroy_bytes, &out,
				    sizeof(out));
	if (!rc)
		uv_sub_drop(obj);
	return rc;
}

const struct uv_type uv_type_devx = { "DEVX object", devx_free };

/*
 * Returns true if @obj has number @id and was created by command @created_by. A verbs CQ counts as
 * a DEVX CQ.
 */
static bool names_object(const struct uv_obj *obj, uint16_t created_by, uint32_t id)
{
	const struct uv_devx *o = (const struct uv_devx *)obj;

	if (obj->type == &uv_type_cq)
		return created_by == PRM_OP_create_cq && id == uv_cq_get_number(obj);
	if (obj->type != &uv_type_devx || o->created_by != created_by)
		return false;
	return id == o->id;
}

int uv_devx_check_subject(const void *in, size_t in_bytes, bool modify, const struct uv_obj *obj)
{
	uint16_t created_by;
	uint32_t id;

	if (!uv_devx_find_subject(in, in_bytes, modify, &created_by, &id))
		return -EINVAL;
	if (modify && created_by == PRM_OP_set_fte &&
	    prm_get((const struct prm_set_fte_in *)in, op_mod) != 1)
		return -EINVAL;
	return names_object(obj, created_by, id) ? 0 : -EINVAL;
}
