/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/objects/flow.h"

#include <errno.h>

#include "emu/uverbs/base/object.h"

static int flow_free(struct uv_obj *obj)
{
	struct uv_flow *f = (struct uv_flow *)obj;

	if (f->rule)
		uv_fs_delete_rule(obj->file->dev, f->rule);
	if (f->matcher)
		f->matcher->obj.users--;
	return 0;
}

const struct uv_type uv_type_flow = { "flow", flow_free };

int uv_flow_create(struct uv_file *file, struct uv_matcher *m, const struct uv_rule_spec *spec,
		   struct uv_flow **flow)
{
	struct uv_flow *f = uv_obj_alloc(file, &uv_type_flow, sizeof(*f));
	int rc;

	if (!f)
		return -ENOMEM;
	rc = uv_fs_add_rule(file->dev, spec, &f->rule);
	if (rc) {
		uv_obj_free(&f->obj);
		return rc;
	}
	f->matcher = m;
	m->obj.users++;
	*flow = f;
	return 0;
}

const struct uv_type uv_type_matcher = { "flow matcher", NULL };
