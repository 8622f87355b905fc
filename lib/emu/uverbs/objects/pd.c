/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/objects/pd.h"

#include <errno.h>

#include "emu/uverbs/base/exec.h"
#include "emu/uverbs/base/object.h"

static int pd_free(struct uv_obj *obj)
{
	const struct uv_pd *pd = (struct uv_pd *)obj;
	struct prm_dealloc_pd_in in = { 0 };
	struct prm_dealloc_pd_out out = { 0 };

	prm_set(&in, opcode, PRM_OP_dealloc_pd);
	prm_set(&in, uid, obj->file->uid);
	prm_set(&in, pd, pd->pdn);
	return UV_EXEC(obj->file->dev, in, out);
}

const struct uv_type uv_type_pd = { "PD", pd_free };

/* The PD gets the uid of the context, so DEVX objects of the context may use it. */
int uv_pd_create(struct uv_file *file, struct uv_pd **out_pd)
{
	struct uv_pd *pd = uv_obj_alloc(file, &uv_type_pd, sizeof(*pd));
	struct prm_alloc_pd_in in = { 0 };
	struct prm_alloc_pd_out out = { 0 };
	int rc;

	if (!pd)
		return -ENOMEM;
	prm_set(&in, opcode, PRM_OP_alloc_pd);
	prm_set(&in, uid, file->uid);
	rc = UV_EXEC(file->dev, in, out);
	if (rc) {
		uv_obj_free(&pd->obj);
		return rc;
	}
	pd->pdn = (uint32_t)prm_get(&out, pd);
	*out_pd = pd;
	return 0;
}
