/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/methods/methods.h"

static const struct uv_method *const methods[] = {
	uv_methods_context, uv_methods_device,     uv_methods_write,      uv_methods_pd,
	uv_methods_mr,      uv_methods_cq,         uv_methods_uar,        uv_methods_umem,
	uv_methods_devx,    uv_methods_devx_other, uv_methods_devx_async, uv_methods_event,
	uv_methods_matcher, uv_methods_flow,       uv_methods_pp,         NULL,
};

const struct uv_method *uv_find_method(uint16_t object, uint16_t method)
{
	return uv_call_find_method(methods, object, method);
}

int uv_serve_ioctl(struct uv_file *file, int fd, void *arg)
{
	return uv_call_serve(methods, file, fd, arg);
}
