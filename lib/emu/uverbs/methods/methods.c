/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/methods/methods.h"

const struct uv_method *const uv_methods[] = {
	uv_methods_device, uv_methods_write, uv_methods_pd, uv_methods_mr, uv_methods_cq,
	uv_methods_uar, uv_methods_umem, uv_methods_devx, uv_methods_devx_other,
	uv_methods_devx_async, uv_methods_event, uv_methods_matcher,
	uv_methods_flow, NULL,
};

int uv_done(struct uv_call *c)
{
	(void)c;
	return 0;
}
